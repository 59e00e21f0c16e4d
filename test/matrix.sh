#!/bin/bash
# The tests on several major versions of PostgreSQL: matrix.sh WHERE..., which can be "here",
# make test-all on this machine, or 15, 17, 18 and 19. These run in chroots made from the
# Debian suites that have them, together with 15, to test pg_upgrade. All of them run
# even if some fail; those that lack root or the network are reported as
# skipped. The last line is "N passed, N failed", for all together.
#
# PARTS are those of run.sh, T selects from them; see chroot.sh for LIMIT, MIRROR and
# the place of the chroots and logs.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
. test/steps.sh
. test/chroot.sh

parts=${PARTS:-unit warnings regress jit pgtap tap ecosystem}
here=0

run()
{
	local major=$1 log=build/log/matrix-$1.log
	printf '\n====== PostgreSQL %s\n' "$major"
	if [ "$major" = here ]; then
		run_target 'PostgreSQL here' "$log" "${MAKE:-make}" test-all || here=1
		return
	fi
	lock_root "$cache/$major"
	if make_root "$cache/$major" "$major" "$parts"; then
		run_target "PostgreSQL $major" "$log" test_inside "$cache/$major" "$major" "$parts"
	else
		skip "PostgreSQL $major" 'no chroot could be made'
	fi
}

trap 'stop_ticker; exit 130' INT TERM
trap stop_ticker EXIT
for major; do
	[ "$major" = here ] || [ -n "${suites[$major]-}" ] || { echo "matrix.sh: no such major: $major" >&2; exit 2; }
done
mkdir -p build/log
for major; do run "$major"; done
close majors && [ $here = 0 ]
