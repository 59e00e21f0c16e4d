#!/bin/bash
# The tests on other kinds of machines: portability.sh WHERE..., which can be i386, s390x,
# arm64, musl, clang and macos. i386, with 32 bits, runs all parts of run.sh in a chroot with
# Debian bookworm and PostgreSQL 15 on an amd64 kernel, except sim, whose own hashes need
# integers of 128 bits, and package, which does not depend on the machine. The others run
# the unit tests: s390x, which is big-endian, and arm64 under qemu; musl is another C
# library, clang another compiler. For macos everything is only compiled and linked. All of them run even if some fail; those that lack
# root, the network or the right kernel are reported as skipped. The last line is
# "N passed, N failed", for all together.
#
# T selects from the tests, PARTS are for i386; see chroot.sh for LIMIT, MIRROR and the
# place of the chroot and the logs.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
. test/steps.sh
. test/chroot.sh

parts=${PARTS:-unit sanitize warnings regress jit pgtap tap ecosystem}

run()
{
	local where=$1 log=build/log/portability-$1.log
	printf '\n====== %s\n' "$where"
	if [ "$where" = macos ]; then
		run_target macos "$log" test/macos.sh
		return
	elif [ "$where" != i386 ]; then
		run_target "$where" "$log" test/run.sh "$where"
		return
	fi
	lock_root "$cache/i386"
	if make_root "$cache/i386" 15 "$parts" i386; then
		run_target i386 "$log" test_inside "$cache/i386" 15 "$parts"
	else
		skip i386 'no chroot could be made'
	fi
}

trap 'stop_ticker; exit 130' INT TERM
trap stop_ticker EXIT
for where; do
	[[ $where =~ ^(i386|s390x|arm64|musl|clang|macos)$ ]] || { echo "portability.sh: no such target: $where" >&2; exit 2; }
done
mkdir -p build/log
for where; do run "$where"; done
close targets
