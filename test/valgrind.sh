#!/bin/bash
# The SQL tests, or those that T names, on a server under valgrind, which detects every
# read of memory that was never written, and every access outside memory from malloc().
# It takes minutes where the tests take seconds. valgrind's output is in build/valgrind;
# PostgreSQL's own findings are in valgrind.supp.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

# The server may run as another user, who must be able to write here.
reports=$(mktemp -d /tmp/flakeid-valgrind.XXXXXX) || exit 1
trap 'rm -rf "$reports"' EXIT
cp test/valgrind.supp "$reports/"
cat >"$reports/postgres" <<END
#!/bin/sh
exec valgrind --quiet --trace-children=yes --leak-check=no --num-callers=25 \\
	--suppressions=$reports/valgrind.supp --gen-suppressions=all --log-file=$reports/report.%p \\
	"\$(dirname "\$(command -v pg_ctl)")/postgres" "\$@"
END
chmod 755 "$reports"/* && chmod 1777 "$reports"

rc=0
POSTGRES=$reports/postgres PGCTLTIMEOUT=300 test/run.sh regress || rc=1

rm -rf build/valgrind
mkdir -p build/valgrind
for report in "$reports"/report.*; do
	[ -s "$report" ] || continue
	cp "$report" build/valgrind/
	cat "$report"
	rc=1
done
[ $rc = 0 ] && echo 'valgrind: nothing found'
exit $rc
