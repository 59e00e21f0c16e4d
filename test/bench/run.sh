#!/bin/bash
# The benchmark on a private server: run.sh [--docs] [ARGUMENTS of bench.pl].
# The result is printed and in build/bench.json; with --docs also in docs/.
set -euo pipefail
cd "$(dirname "$0")/../.."

docs=
if [ "${1-}" = --docs ]; then
	docs=docs
	shift
fi
name=bench-$$
disk=$(mktemp -d)
trap 'test/server.sh stop $name; rm -rf "$disk"' EXIT
trap 'exit 1' INT TERM

test/setup.sh ${docs:+gnuplot-nox}
test/server.sh install

# For the part latency: its server's disk can be slowed down, see disk.c.
if [[ " $* " = *' latency '* ]]; then
	chmod 755 "$disk"
	"${CC:-cc}" -O2 -shared -fPIC -o "$disk/disk.so" test/bench/disk.c -ldl
	head -c 4096 /dev/zero >"$disk/disk"
	chmod 666 "$disk/disk"
	export FLAKEID_DISK=$disk/disk
fi

# The part horizon uses 150 sessions at the same time, and measures what places for many others cost.
[[ " $* " != *' horizon '* ]] || sessions='max_connections=5000 max_prepared_transactions=1000'

# No checkpoint and no vacuum during the measurement, and WAL at the usual level.
${FLAKEID_DISK:+env LD_PRELOAD="$disk/disk.so"} test/server.sh start $name shared_buffers=1GB max_wal_size=20GB checkpoint_timeout=1d autovacuum=off ${sessions-}

# Find it now: the private copy's pg_config, which is first in PATH from here on, has no headers.
PG_CONFIG=$(command -v "${PG_CONFIG:-pg_config}")
BENCH_COMMIT=$(git log -1 --abbrev=12 --format=%h -- src 2>/dev/null || echo unknown)
[ -z "$(git status --porcelain -- src 2>/dev/null)" ] || BENCH_COMMIT+=', changed'
export PG_CONFIG BENCH_COMMIT
eval "$(test/server.sh env $name)"

mkdir -p build
perl test/bench/bench.pl --out=build/bench.json "$@"
perl test/bench/report.pl build/bench.json $docs
[[ " $* " != *' feeds '* ]] || test/bench/instructions.sh --insert
