#!/bin/bash
# The installation script of each release, built from its tag: flakeid--X.Y.sql of vX.Y.0
# into a directory, for the releases that this commit comes after. None where there is no
# tag, or no git.
#
#   released.sh DIRECTORY
set -euo pipefail
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."

[ "$(git rev-parse --show-toplevel 2>/dev/null)" -ef . ] || exit 0
unset MAKEFLAGS MAKELEVEL MFLAGS
for tag in $(git tag --merged HEAD); do
	[[ $tag =~ ^v([0-9]+\.[0-9]+)\.0$ ]] || continue
	script=flakeid--${BASH_REMATCH[1]}.sql
	sources=$(mktemp -d)
	git archive "$tag" | tar -x -C "$sources"
	"${MAKE:-make}" -s -C "$sources" "$script"
	mv "$sources/$script" "$out/"
	rm -r "$sources"
done
