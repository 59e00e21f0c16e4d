#!/bin/bash
# The tests on several majors of PostgreSQL: matrix.sh WHERE..., of "here", which is
# make test on this machine, 15, 17, 18 and 19. Those run in chroots made from the
# Debian suites that have them, together with 15, to test pg_upgrade. All of them run,
# whatever fails; what cannot be had, for want of root or of the network, is skipped,
# and said to be. The last line is "N passed, N failed", of all together.
#
# PARTS are those of run.sh, T selects from them, LIMIT is the time for each major,
# MIRROR the Debian archive to take instead of mmdebstrap's default. The chroots, 2 GB
# each, stay in ~/.cache/flakeid (or $XDG_CACHE_HOME/flakeid), logs in build/log.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
. test/steps.sh

parts=${PARTS:-unit warnings regress jit pgtap tap}
limit=${LIMIT:-30m}
cache=${XDG_CACHE_HOME:-$HOME/.cache}/flakeid
old=15
declare -A suites=([15]=bookworm [17]=trixie [18]=forky [19]=sid)
passed=0 failed=0 skipped=0 here=0

make_root() # MAJOR ROOT
{
	local major=$1 root=$2 suite=${suites[$1]} rc=0
	local packages="make,postgresql-$major,postgresql-$old,postgresql-server-dev-$major,?exact-name(postgresql-$major-jit)"

	[ "$(cat "$root/made" 2>/dev/null)" != "$suite $packages" ] || return 0
	[ "$(id -u)" = 0 ] || { echo "matrix.sh: only root can make a chroot"; return 1; }
	command -v mmdebstrap >/dev/null ||
		{ apt-get -qq update; apt-get -qq install -y --no-install-recommends mmdebstrap; } >/dev/null || return 1

	# The old major's suite beside the major's own, and what is not even in that one
	# from experimental; an archive that is a copy may be older than it should. Of
	# the old server's headers and of pgTAP, which may be the major's before, the
	# files will do.
	echo "making a chroot with PostgreSQL $major from Debian $suite, in two to five minutes ..."
	: >build/log/chroot.log
	start_ticker build/log/chroot.log shown
	rm -rf --one-file-system "$root"
	timeout --foreground 25m mmdebstrap --quiet --mode=root --variant=apt --include="$packages" \
		--aptopt='APT::Install-Recommends "false"' --aptopt='APT::Sandbox::User "root"' \
		--aptopt='Acquire::Check-Valid-Until "false"' \
		--dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
		--dpkgopt='path-exclude=/usr/share/locale/*' \
		--setup-hook="cd \"\$1/etc/apt\"
			[ $suite = bookworm ] || echo \"\$(sed -n 's/ $suite / bookworm /p' sources.list)\" >>sources.list
			[ $suite != sid ] || echo \"\$(sed -n 's/ $suite / experimental /p' sources.list)\" >>sources.list
			printf '%s\n' 'Package: /^(postgresql|libpq)/' 'Pin: release a=experimental' 'Pin-Priority: 990' >preferences.d/experimental" \
		--essential-hook='mkdir "$1/etc/postgresql-common"
			echo "create_main_cluster = false" >"$1/etc/postgresql-common/createcluster.conf"' \
		--customize-hook="chroot \"\$1\" sh -ec 'mkdir /x; cd /x
			apt-get -qq download postgresql-server-dev-$old
			apt-get -qq download postgresql-$major-pgtap || apt-get -qq download postgresql-$((major - 1))-pgtap
			for deb in *.deb; do dpkg -x \$deb /; done; rm -r /x'" \
		--customize-hook='mkdir -p "$1/flakeid/test"' \
		--customize-hook='copy-in test/setup.sh test/steps.sh /flakeid/test' \
		--customize-hook="chroot \"\$1\" env PG_CONFIG=/usr/lib/postgresql/$major/bin/pg_config /flakeid/test/setup.sh $parts" \
		"$suite" "$root" ${MIRROR-} && echo "$suite $packages" >"$root/made" || rc=1
	stop_ticker
	return $rc
}

# In a chroot, with processes of its own, which end with the command.
inside() # ROOT COMMAND...
{
	timeout --foreground "$limit" unshare --mount --pid --ipc --fork --kill-child --propagation private sh -c '
		mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && mount -t tmpfs -o mode=1777 tmpfs "$0/dev/shm" &&
		exec chroot "$0" env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"' "$@"
}

test_on()
{
	local major=$1 root=$cache/$1 from=
	if [ "$major" = here ]; then
		"${MAKE:-make}" test
		return
	fi
	rm -rf --one-file-system "$root/flakeid" && test/copy.sh "$root/flakeid" || return
	[ "$major" = "$old" ] || from=/usr/lib/postgresql/$old/bin/pg_config
	inside "$root" PG_CONFIG="/usr/lib/postgresql/$major/bin/pg_config" UPGRADE_FROM="$from" \
		T="${T-}" PROVE_FLAGS="${PROVE_FLAGS-}" sh -c 'cd flakeid && test/server.sh clean && exec test/run.sh "$@"' sh $parts
}

run()
{
	local major=$1 log=build/log/matrix-$1.log t=$SECONDS
	printf '\n====== PostgreSQL %s\n' "$major"
	if [ "$major" != here ]; then
		mkdir -p "$cache" && exec 9>"$cache/$major.lock" && flock 9
		make_root "$major" "$cache/$major" || {
			echo "====== PostgreSQL $major: SKIPPED, because no chroot could be made"
			((skipped++))
			return
		}
	fi
	# its own closing line is not the last word here
	test_on "$major" 2>&1 | tee "$log" | grep --line-buffered -vE '^([0-9]+ passed, [0-9]+ failed|no test was run)$'
	if [[ $(tail -n 1 "$log") =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
		echo "====== PostgreSQL $major: ${BASH_REMATCH[0]}, $((SECONDS - t)) s"
		((passed += BASH_REMATCH[1], failed += BASH_REMATCH[2]))
	elif [ "$(tail -n 1 "$log")" = 'no test was run' ]; then
		echo "====== PostgreSQL $major: SKIPPED, because no test could be run"
		((skipped++))
		[ "$major" != here ] || here=1
	else
		echo "====== PostgreSQL $major: did not end well, or not within $limit"
		((failed++))
	fi
}

trap 'stop_ticker; exit 130' INT TERM
trap stop_ticker EXIT
for major; do
	[ "$major" = here ] || [ -n "${suites[$major]-}" ] || { echo "matrix.sh: no such major: $major" >&2; exit 2; }
done
mkdir -p build/log
for major; do run "$major"; done

[ $skipped = 0 ] || printf '\n%s majors were SKIPPED\n' $skipped
printf '\n%s passed, %s failed\n' $passed $failed
[ $failed = 0 ] && [ $here = 0 ] && [ $passed != 0 ]
