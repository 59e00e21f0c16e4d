#!/bin/bash
# What is handed out of a version: all of it, into build/release. Nothing is published.
#
#   release.sh               the version must be finished (make freeze), the work tree
#                            that of the commit, and all tests must pass
#   REHEARSAL=1 release.sh   of an unfinished version, too, and without the tests
#
# All is made of the commit alone, with its date: two runs, wherever and whenever, make
# the same bytes, given the same versions of git, gzip, xz and dpkg.
set -euo pipefail
cd "$(dirname "$0")/.."

out=$PWD/build/release
umask 022
unset CDPATH GREP_OPTIONS GZIP XZ_OPT
export LC_ALL=C.UTF-8 TZ=UTC
git=(git -c core.autocrlf=false -c core.attributesFile=/dev/null -c tar.umask=0022)

say() { printf '%s\n' "release: $*"; }
fail() { say "$*" >&2; exit 1; }

clean_tree()
{
	[ -z "$(git status --porcelain)" ] || {
		git status --short >&2
		fail "the work tree is not the commit's: commit this, or remove it"
	}
}

version=$(sed -n 's/^   "version": "\(.*\)",$/\1/p' META.json)
name=flakeid-$version
[ "$(git rev-parse --show-toplevel 2>/dev/null)" -ef . ] || fail 'only in a git checkout'
for tool in dpkg-source gzip perl sha256sum xz; do
	command -v $tool >/dev/null || fail "$tool is missing (Debian: apt-get install dpkg-dev gzip perl coreutils xz-utils)"
done
clean_tree
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

if [ -z "${REHEARSAL-}" ]; then
	grep -q '"release_status": "stable"' META.json ||
		fail "version $version is not finished: make freeze, or REHEARSAL=1 make release"
	"${MAKE:-make}" test
	clean_tree
fi

rm -rf "$out"
mkdir -p "$out"
cd "$out"

# The source archive, and the one for PGXN, whose META.json says what it is.
"${git[@]}" -C ../.. archive --format=tar --prefix="$name/" HEAD | gzip -9n >"$name.tar.gz"
"${git[@]}" -C ../.. archive --format=zip --prefix="$name/" HEAD >"$name.zip"

# Debian's source package, of that archive.
tar -xzf "$name.tar.gz"
cp "$name.tar.gz" "flakeid_$version.orig.tar.gz"
dpkg-source -b "$name" >/dev/null

# For RPMs, beside the archive.
cp "$name/packaging/rpm/flakeid.spec" .

perl "$name/packaging/sbom.pl" "$name" "$name.tar.gz" >"$name.spdx.json"
perl -ne 'if (/^## /) { last if $found++; next } print if $found' "$name/CHANGELOG.md" | sed -e '1{/^$/d}' -e '${/^$/d}' >"$name.notes.md"
rm -r "$name"
sha256sum -- * >SHA256SUMS

say "$version, of commit $(git -C ../.. rev-parse HEAD), in build/release:"
ls -l
[ -z "${REHEARSAL-}" ] || say 'a REHEARSAL: not tested, and not to be handed out'
