#!/bin/bash
# Copy the checkout, without its history and what was built in it, into a directory:
# copy.sh DIRECTORY. Tests work on such copies, because the servers' user may be unable
# to read the checkout, because its path may contain a space, and because the sources may
# change during the test.
set -euo pipefail
cd "$(dirname "$0")/.."

mkdir -p "$1"
tar --exclude=./.git --exclude=./build --exclude=./results --exclude='./regression.*' --exclude=./tmp_check \
	--exclude='./flakeid--*.sql' --exclude='*.o' --exclude='*.bc' --exclude='*.so' -cf - . | tar -C "$1" --no-same-owner -xf -
