#!/bin/bash
# Debian's source package in build/release, as a builder of Debian's would have it: in a
# fresh chroot of SUITE (bookworm), made again unless it is kept from an earlier run in
# ~/.cache/flakeid, its build dependencies are installed from debian/control, the
# packages built with their tests, lintian asked, the packages installed, and
# debian/tests run on them by autopkgtest. As root; MIRROR is another archive than
# mmdebstrap's default. The last line is "N passed, N failed".
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

LIMIT=${LIMIT:-90m}
. test/steps.sh
. test/chroot.sh

suite=${SUITE:-bookworm}
root=$cache/debian-$suite
log=$PWD/build/log/debian.log

here() # COMMAND...
{
	inside "$root" DEBIAN_FRONTEND=noninteractive "$@"
}

step() # WHAT COMMAND...
{
	if "${@:2}" >>"$log" 2>&1; then
		echo "ok $((++passed + failed)) - $1"
	else
		echo "not ok $((passed + ++failed)) - $1 (see $log)"
		return 1
	fi
}

make_debian()
{
	[ ! -e "$root/made" ] || return 0
	rm -rf --one-file-system "$root"
	mmdebstrap --quiet --mode=root --variant=apt \
		--include=build-essential,debhelper,devscripts,equivs,lintian,autopkgtest,fakeroot,locales \
		--aptopt='APT::Install-Recommends "false"' --aptopt='APT::Sandbox::User "root"' \
		--essential-hook='mkdir "$1/etc/postgresql-common"; echo "create_main_cluster = false" >"$1/etc/postgresql-common/createcluster.conf"' \
		--customize-hook='chroot "$1" useradd -m builder' \
		"$suite" "$root" ${MIRROR-} && touch "$root/made"
}

[ "$(id -u)" = 0 ] || { echo 'debian-check.sh: only root can make a chroot' >&2; exit 2; }
ls build/release/*.dsc >/dev/null || { echo 'debian-check.sh: make release first' >&2; exit 2; }
command -v mmdebstrap >/dev/null || apt-get -qq install -y --no-install-recommends mmdebstrap >/dev/null || exit 2
mkdir -p build/log
: >"$log"

step "a chroot of $suite" make_debian || exit 1
rm -rf --one-file-system "$root/build" && mkdir "$root/build" && cp build/release/flakeid_* "$root/build/"
here chown -R builder: /build

# The majors are those that the suite supports.
step 'the source package is unpacked' here su builder -c 'cd /build && dpkg-source -x *.dsc flakeid'
step 'its build dependencies are there' here sh -c 'dpkg-query -Wf "\${Package}\n" | grep -e -flakeid | xargs -r apt-get -qy purge; cd /build && apt-get -q update && mk-build-deps -ir -t "apt-get -qy --no-install-recommends" flakeid/debian/control'
step 'its majors are those of the suite' here su builder -c 'cd /build/flakeid && cp debian/control /build/control && pg_buildext updatecontrol && { cmp debian/control /build/control || [ '"$suite"' != bookworm ]; }'
step 'the packages are built, and their tests pass' here su builder -c 'cd /build/flakeid && dpkg-buildpackage -us -uc'
# Left out: the maintainer's address, which has no real host until there is one that answers;
# the number of Debian's bug that a first upload closes; and that debian/ is upstream's.
step 'lintian finds no error and no warning' here su builder -c 'cd /build && lintian --fail-on error,warning -i --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog,initial-upload-closes-no-bugs,no-debian-changes *.changes'
step 'they are installed' here sh -c 'set -- $(ls /build/postgresql-*.deb | grep -v dbgsym) && [ $# -gt 0 ] && apt-get -qy install "$@"'
# Of the packages that were built above: autopkgtest would build them again, tests and all.
step 'autopkgtest' here sh -c 'cd /build && autopkgtest --no-built-binaries --user builder /build/postgresql-*.deb /build/*.dsc -- null'

close steps
