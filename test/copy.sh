#!/bin/bash
# Copy the checkout, without its history and what was built in it, into a directory:
# copy.sh DIRECTORY. Tests work on such copies, because the servers' user may be unable
# to read the checkout, because its path may contain a space, and because the sources may
# change during the test.
set -euo pipefail
cd "$(dirname "$0")/.."

mkdir -p "$1"
# Not ".", which changes when the SQL tests write their results there: tar would fail.
find . -mindepth 1 -maxdepth 1 ! -name .git ! -name build ! -name results ! -name 'regression.*' ! -name tmp_check ! -name 'flakeid--*.sql' -print0 |
	tar --exclude='*.o' --exclude='*.bc' --exclude='*.so' --null --files-from=- -cf - | tar -C "$1" --no-same-owner -xf -
