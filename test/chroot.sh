# shellcheck shell=bash
# Functions shared by matrix.sh, portability.sh, servers.sh and packaging/debian-check.sh, which
# source this file after steps.sh: targets, all of which run even if some fail; chroots made
# from Debian suites, and the tests in them.
# LIMIT is the time for each target, MIRROR the Debian archive to use instead of
# mmdebstrap's default. The chroots, 2 GB each, are kept in ~/.cache/flakeid (or
# $XDG_CACHE_HOME/flakeid), logs in build/log.

limit=${LIMIT:-60m}
cache=${XDG_CACHE_HOME:-$HOME/.cache}/flakeid
old=15    # the major that pg_upgrade upgrades from
declare -A suites=([15]=bookworm [17]=trixie [18]=forky [19]=sid)
passed=0 failed=0 skipped=0

# A chroot for parts of the tests, with a major version of PostgreSQL and the old version's
# programs, from the major's suite; with ARCH, for another architecture that this machine's
# kernel can run.
make_root() # ROOT MAJOR PARTS [ARCH]
{
	local root=$1 major=$2 parts=$3 arch=${4-} suite=${suites[$2]} rc=0
	local packages="make,postgresql-$major,postgresql-$old,postgresql-server-dev-$major,?exact-name(postgresql-$major-jit)"
	local made="${arch:+$arch }$suite $packages"

	[ "$(cat "$root/made" 2>/dev/null)" != "$made" ] || return 0
	[ "$(id -u)" = 0 ] || { echo "${0##*/}: only root can make a chroot"; return 1; }
	{ command -v mmdebstrap && { [ -z "$arch" ] || command -v arch-test; }; } >/dev/null ||
		{ apt-get -qq update; apt-get -qq install -y --no-install-recommends mmdebstrap arch-test debian-archive-keyring; } >/dev/null || return 1

	# Use the old major's suite in addition to the major's own, and experimental for
	# packages missing there; a copy of an archive may be out of date. Of the old server's
	# headers and of pgTAP, which may be for the previous major, only the files are
	# needed.
	echo "making a chroot with PostgreSQL $major from Debian $suite${arch:+, $arch}, in two to five minutes ..."
	: >build/log/chroot.log
	start_ticker build/log/chroot.log shown
	rm -rf --one-file-system "$root"
	timeout --foreground 25m mmdebstrap --quiet --mode=root --variant=apt --include="$packages" ${arch:+--architectures="$arch"} \
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
		"$suite" "$root" ${MIRROR-} && echo "$made" >"$root/made" || rc=1
	stop_ticker
	return $rc
}

# Run a command in a chroot, with its own processes, which end with the command, at the limit
# by SIGKILL, because unshare blocks SIGTERM. The root is a mount point, so that programs in it
# can create their own mount namespace.
inside() # ROOT COMMAND...
{
	timeout --foreground --signal=KILL "$limit" unshare --mount --pid --ipc --fork --kill-child --propagation private sh -c '
		mount --bind "$0" "$0" && mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && mount -t tmpfs -o mode=1777 tmpfs "$0/dev/shm" &&
		exec chroot "$0" env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"' "$@"
}

# Lock the chroot, until the script ends or locks another one.
lock_root() # ROOT
{
	mkdir -p "$cache" && exec 9>"$1.lock" && flock 9
}

# Run PARTS of run.sh on a copy of this checkout.
test_inside() # ROOT MAJOR PARTS
{
	local root=$1 major=$2 from=
	rm -rf --one-file-system "$root/flakeid" && test/copy.sh "$root/flakeid" || return
	[ "$major" = "$old" ] || from=/usr/lib/postgresql/$old/bin/pg_config
	inside "$root" PG_CONFIG="/usr/lib/postgresql/$major/bin/pg_config" UPGRADE_FROM="$from" \
		T="${T-}" PROVE_FLAGS="${PROVE_FLAGS-}" sh -c 'cd flakeid && test/server.sh clean && exec test/run.sh "$@"' sh $3
}

skip() # NAME REASON
{
	echo "====== $1: SKIPPED, because $2"
	((skipped++))
}

# Run a target: its command prints a closing line as run.sh does, whose counts are added. The
# function succeeds if the tests reached that line, whatever the line says. If no test could
# be run, the target is skipped, or has failed if MUST_RUN is set.
run_target() # NAME LOG COMMAND...
{
	local name=$1 log=$2 last t=$SECONDS
	# hide its closing line, because there will be another one for all targets
	"${@:3}" 2>&1 | tee "$log" | grep --line-buffered -vE '^([0-9]+ passed, [0-9]+ failed|no test was run)$'
	# after that line make prints that there was a failure
	last=$(grep -v '^make: ' "$log" | tail -n 1)
	if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
		passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2]))
		echo "====== $name: ${BASH_REMATCH[0]}, $((SECONDS - t)) s"
	elif [ "$last" = 'no test was run' ] && [ -z "${MUST_RUN-}" ]; then
		skip "$name" 'no test could be run'
		return 1
	else
		echo "====== $name: did not end well, or not within its time: see $log"
		((failed++))
		return 1
	fi
}

# The closing line; a run without any test is not a success.
close() # WHAT
{
	[ $skipped = 0 ] || printf '\n%s %s were SKIPPED\n' $skipped "$1"
	printf '\n%s passed, %s failed\n' $passed $failed
	[ $failed = 0 ] && [ $passed != 0 ]
}
