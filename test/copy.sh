#!/bin/bash
# Copy the checkout, without its history and what was built in it, into a directory:
# copy.sh DIRECTORY. Tests work on such copies, because the user whom servers run as may
# be unable to read the checkout, because its path may have a space in it, and because
# the sources may change meanwhile.
set -euo pipefail
cd "$(dirname "$0")/.."

mkdir -p "$1"
tar --exclude=./.git --exclude=./build --exclude=./results --exclude='./regression.*' --exclude=./tmp_check \
	--exclude='./flakeid--*.sql' --exclude='*.o' --exclude='*.bc' --exclude='*.so' -cf - . | tar -C "$1" --no-same-owner -xf -
