#!/bin/bash
# Instructions of one call, counted by valgrind in a single-user server:
# instructions.sh [EXPRESSION...].
#
# They are the same however busy the machine is, as the server's clock moves by 50 ns with
# each look at it: see clock.c. But they are no time.
set -euo pipefail
cd "$(dirname "$0")/../.."

[ $# != 0 ] || set -- 'bench_uid64()' 'bench_sno(0)' 'sno_new(0)' 'snowflake_new()' 'uid64_new()' \
	'uid96_new()' "siq_new('message')" 'flax_new()' 'ulid_new()' 'uuid7_new()' 'ksuid_new()' "nextval('bench_1')" 'gen_random_uuid()'
server=$PWD/test/server.sh
name=instructions-$$
trap '"$server" stop $name' EXIT
trap 'exit 1' INT TERM

test/setup.sh valgrind
"$server" install
"$server" start $name
PG_CONFIG=$(command -v "${PG_CONFIG:-pg_config}")
export PG_CONFIG
eval "$("$server" env $name)"
perl test/bench/bench.pl --out=/dev/null nothing
${CC:-cc} -O2 -shared -fPIC -o "$PGHOST/clock.so" test/bench/clock.c
cd "$PGHOST"
"$server" run pg_ctl -s -w -D data stop

all() # EXPRESSION N: instructions of 1000 calls, N times and once to warm up
{
	echo "SELECT bench_calls(ARRAY[\$e\$$1\$e\$], 1000, $2) IS NULL" |
		"$server" run env LD_PRELOAD="$PGHOST/clock.so" valgrind --tool=callgrind --callgrind-out-file="$PGHOST/out" \
			--collect-atstart=no --toggle-collect=bench_evaluate postgres --single -D data postgres >log.valgrind 2>&1
	awk '/^summary:/ { print $2 }' out
}

count() # EXPRESSION: instructions of a call, without what a session's first one does besides
{
	echo $((($(all "$1" 14) - $(all "$1" 4)) / 10000))
}

loop=$(count 1)
echo "instructions a call, net of the loop ($loop):"
for expression; do
	printf '%-24s %6d\n' "$expression" $(($(count "$expression") - loop))
done
