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

say() { printf '%s\n' "release: $*"; }
fail() { say "$*" >&2; exit 1; }

clean_tree()
{
	[ -z "$(git status --porcelain --untracked-files=normal)" ] || {
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
	"${MAKE:-make}" test-all
	clean_tree
fi

commit=$(git rev-parse HEAD)
objects=$(realpath "$(git rev-parse --git-path objects)")
rm -rf "$out"
mkdir -p "$out"
cd "$out"

# The source archive, and the one for PGXN, whose META.json says what it is. They are
# made in a repository that has nothing but the commit: no settings or attributes
# (.git/info/attributes) of this checkout, this user or this machine.
archive=(env GIT_ATTR_NOSYSTEM=1 GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
	git --git-dir=bare -c tar.umask=0022 -c core.attributesFile=/dev/null archive --prefix="$name/")
git init -q --bare --template= bare
mkdir -p bare/objects/info
echo "$objects" >bare/objects/info/alternates
"${archive[@]}" --format=tar "$commit" | gzip -9n >"$name.tar.gz"
"${archive[@]}" --format=zip "$commit" >"$name.zip"
rm -r bare

# Debian's source package, of that archive.
tar -xzf "$name.tar.gz"
cp "$name.tar.gz" "flakeid_$version.orig.tar.gz"
dpkg-source -b "$name" >/dev/null

# For RPMs, next to the archive.
cp "$name/packaging/rpm/flakeid.spec" .

perl "$name/packaging/sbom.pl" "$name" "$name.tar.gz" >"$name.spdx.json"
{
	perl -ne 'if (/^## /) { last if $found++; next } print if $found' "$name/CHANGELOG.md" | sed -e '1{/^$/d}' -e '${/^$/d}'
	printf '\n'
	cat "$name/packaging/tested.md"
} >"$name.notes.md"
perl "$name/packaging/edition.pl" .

# The installation script, as the tag will build it: last, as make leaves files in the folder.
"${MAKE:-make}" -s -C "$name" "flakeid--${version%.*}.sql"
mv "$name/flakeid--${version%.*}.sql" .
rm -r "$name"

sha256sum -- * >SHA256SUMS

say "$version, of commit $commit, in build/release:"
ls -l
[ -z "${REHEARSAL-}" ] || say 'a REHEARSAL: not tested, and not to be handed out'
