#!/bin/bash
# Check the sources without running them: both compilers with more warnings than in
# a build, clang-tidy (.clang-tidy), cppcheck, shellcheck, nix-instantiate, where Min() and
# Max() could read twice, and .editorconfig's rules for white space. Prints the findings; succeeds
# if there are none.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

rc=0
headers=$("${PG_CONFIG:-pg_config}" --includedir-server)
server=(-std=gnu11 -Isrc -isystem "$headers" -D_GNU_SOURCE -DFLAKE_VERSION='""' -DFLAKE_RELEASE='""')
alone=(-std=c11 -Isrc -DFLAKE_STANDALONE)

part() { printf '=== %s\n' "$*"; }

for cc in gcc clang; do
	part "$cc"
	for file in src/*/*.c test/unit/*.c test/fuzz/*.c; do
		flags=("${alone[@]}")
		[[ $file != src/* ]] || flags=("${server[@]}")
		$cc "${flags[@]}" -O2 -Wall -Wextra -Wvla -Wshadow -Werror -c -o /dev/null "$file" || rc=1
	done
done

# On macOS int64_t is long long and int64, before PostgreSQL 18, long. Here both are long, so
# the server's is made the other one.
part 'int64_t and int64'
other=$(mktemp -d)
cp -rL "$headers/." "$other/"
sed -e 's/^#define HAVE_LONG_INT_64 1/#define HAVE_LONG_LONG_INT_64 1/' -e 's/^#define INT64_MODIFIER "l"/#define INT64_MODIFIER "ll"/' "$headers/pg_config.h" >"$other/pg_config.h"
for file in src/*/*.c; do
	gcc "${server[@]/#$headers/$other}" -fsyntax-only -Wall -Wextra -Werror "$file" || rc=1
done
rm -rf "$other"

# Only the compilers check the tests, which may print and scan as tests do.
part clang-tidy
for file in src/*/*.c; do
	found=$(clang-tidy --quiet "$file" -- "${server[@]}" 2>/dev/null) || { echo "$found"; rc=1; }
done

# Its warnings, not its opinions on style. False ones, each in one file:
# - mark.c: values[] is filled through a pointer to each of its members;
# - shmem.c: ereport(ERROR) does not return, so the pointer after it is good;
# - snowflake.c: it mistakes the loop's test of the number for a test of the base;
# - type.h: it does not expand a macro of macros.
part cppcheck
cppcheck -q --error-exitcode=1 --enable=warning,performance,portability --std=c11 \
	--suppress=uninitvar:src/mark/mark.c --suppress=legacyUninitvar:src/mark/mark.c --suppress=ctuuninitvar:src/mark/mark.c \
	--suppress=nullPointerRedundantCheck:src/server/shmem.c \
	--suppress=zerodivcond:src/types/snowflake.c --suppress=preprocessorErrorDirective:src/types/type.h \
	'-Dforeach(cell, list)=for (; (list) != NULL;)' -DPG_VERSION_NUM=150000 -UFLAKE_STANDALONE -Isrc src || rc=1

# Min() and Max() evaluate the chosen argument twice. In the files that read shared memory
# or the clock, their arguments contain no calls: flake_earlier() and flake_later() read
# once. Exceptions: functions whose result nobody else changes.
part 'Min() and Max()'
perl -0777 -ne '
	next unless /\bpg_atomic_|\bflake_db->|\bflake_clock\(/;
	while (/\b(?=(M(?:in|ax))(\((?:[^()]++|(?2))*\)))/g) {
		my ($name, $arguments, $line) = ($1, $2, 1 + substr($_, 0, pos) =~ tr/\n//);
		for my $call ($arguments =~ /\b(\w+)\(/g) {
			next if $call =~ /^(Min|Max|flake_us_of|flake_us_saturated|flake_mark_of|header_size)$/;
			print "$ARGV:$line: $call() may be called twice by $name()\n";
			$found = 1;
		}
	}
	END { $? = $found }' src/*/*.[ch] || rc=1

# Left out: words split where a variable holds options or names without spaces;
# functions called by a name in a variable; A && B || C where it is intended; text
# in single quotes for another shell.
part shellcheck
shellcheck -e SC2046,SC2086,SC2317,SC2015,SC2016,SC2119,SC2120 $(git ls-files '*.sh') .ci/run || rc=1

# Only its syntax. It would create /nix, and misses a group.
part nix
nix=$(mktemp -d)
NIX_STATE_DIR=$nix NIX_STORE_DIR=$nix NIX_CONFIG='build-users-group =' nix-instantiate --parse packaging/nix/flakeid.nix >/dev/null || rc=1
rm -rf "$nix"

# From npm; there is no such tool in Debian.
if command -v npx >/dev/null; then
	part Dockerfiles
	for file in $(git ls-files '*Dockerfile'); do
		# that for CloudNativePG is laid out as its others
		[[ $file = packaging/cnpg/* ]] || npx --yes dockerfilelint@1.8.0 "$file" || rc=1
		npx --yes dockerfile-utils@0.16.3 lint "$file" || rc=1
	done
	part workflows
	for file in .github/workflows/*.yml; do
		npx --yes -p @action-validator/core@0.6.0 -p @action-validator/cli@0.6.0 action-validator "$file" || rc=1
	done
fi

part typedefs.list
test/indent.sh --check || rc=1

part white space
if git grep -nIE '[[:blank:]]+$' -- . ':!expected' ':!test/vectors'; then rc=1; fi
if git grep -nE '^ {4}' -- '*.c' '*.h' '*.pl' '*.pm' Makefile test/Makefile; then rc=1; fi

# $since is the newest commit with too long a subject or without a body; it and the older
# ones stay as they are. A shallow clone may lack it: then every commit is checked.
part commit messages
since=802e456519e9
commits=$since..
if ! git rev-parse -q --verify "$since^{commit}" >/dev/null && [ "$(git rev-parse --is-shallow-repository)" = true ]; then
	commits=HEAD
fi
commits=$(git rev-list --no-merges $commits) || rc=1
for commit in $commits; do
	subject=$(git log -1 --format=%s "$commit")
	[ ${#subject} -le 72 ] || { echo "${commit::12}: ${#subject} characters: $subject"; rc=1; }
	[ -n "$(git log -1 --format=%b "$commit")" ] || { echo "${commit::12}: no body: $subject"; rc=1; }
done

[ $rc = 0 ] && echo 'nothing found'
exit $rc
