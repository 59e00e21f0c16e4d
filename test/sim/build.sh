#!/bin/bash
# Build the simulation: build.sh DIRECTORY makes DIRECTORY/sim and the library it
# runs, DIRECTORY/flake.so; build.sh DIRECTORY SOURCES only the library, of other
# sources than src. The sources are used unchanged except for the sizes below:
# small tables fill up soon. What has not changed since is not compiled again.
set -euo pipefail

out=$1 src=${2:-src} sim=$(dirname "$0")
sizes='FLAKE_PAGE=2 FLAKE_PAGES=40 FLAKE_LEASES=3 FLAKE_SWEEP_BYTES=1 FLAKE_RESERVED=1 FLAKE_NOTE_BITS=2 FLAKE_PREPARED=2 NOTES_LAST_BITS=4
	FLAKE_FLOORS=1 VALUES_OF_SESSION=2 VALUES_OF_PREPARED=2'
files='sequence issued generate lease notes end look id_announce id_horizon seq_ring seq_floors seq_announce seq_late seq_horizon seq_version answer announcement regression generators turn mark reset shmem saved wait identity time'
program='sim kinds schedule events end worlds world state search jobs checks issued identities order feeds
	server process memory marktable sequences transactions stores clock errors standins random'

mkdir -p "$out/new" "$out/src" "$out/include"
new=$(cd "$out/new" && pwd)
(cd "$src" && cp --parents ./*/*.h $(printf './*/%s.c ' $files) "$new/")

for size in $sizes; do
	grep -qE "^#define ${size%=*}[[:space:]]+[0-9]+" "$out"/new/*/*.[ch] ||
		{ echo "$0: no file defines ${size%=*}" >&2; exit 1; }
	sed -i -E "s/^(#define ${size%=*}[[:space:]]+)[0-9]+/\1${size#*=}/" "$out"/new/*/*.[ch]
done

# The library and the program see each other's functions and formats.
sed -i '/^#pragma GCC visibility/d' "$out"/new/*/*.h

# fake/postgres.h replaces all of the server's headers.
sed -n 's/^#include "\(.*\.h\)"$/\1/p' "$out"/new/*/*.[ch] | sort -u | while read -r header; do
	[ -e "$out/new/$header" ] || [ -e "$out/include/$header" ] || [ "$header" = postgres.h ] ||
		{ mkdir -p "$out/include/$(dirname "$header")" && : >"$out/include/$header"; }
done

# No fortification: with it, longjmp() refuses to change stacks.
cc="${CC:-cc} -std=gnu11 -g -O2 -Wall -Wextra -Wno-clobbered -Wno-stringop-overread -U_FORTIFY_SOURCE ${SIM_CFLAGS-}"
echo "$cc" >"$out/new/cc"

(cd "$out/new" && find . -type f) | while read -r file; do
	cmp -s "$out/new/$file" "$out/src/$file" || install -D -m 644 "$out/new/$file" "$out/src/$file"
done

# The formats are the simulation's: see formats.c.
formats=$(sed -n 's/^FLAKE_FORMAT(.*, \(.*\))/\1/p' "$src/types/formatlist.h")
renamed=
for name in $formats formats; do
	renamed+=" -Dflake_$name=sim_$name"
done

server="-I$sim/fake -I$out/include -I$out/src $renamed"

# Compile SOURCE into OBJECT, unless that is newer than all it is made of.
compile() # OBJECT SOURCE FLAGS...
{
	local object=$1 needed
	for needed in "$2" "${2%/*}"/*.h "$out"/src/{*/*.h,cc} "$sim/fake/postgres.h" "$0"; do
		[ "$object" -nt "$needed" ] || { $cc $server "${@:3}" -c -o "$object" "$2"; return; }
	done
}

objects=
for file in $files; do
	source=$(echo "$out"/src/*/"$file.c")
	compile "${source%.c}.o" "$source" -fPIC
	objects+=" ${source%.c}.o"
done
compile "$out/src/inlined.o" "$sim/inlined.c" -fPIC
objects+=" $out/src/inlined.o"
$cc -shared -Wl,-Bsymbolic -Wl,-z,norelro -o "$out/flake.so" $objects
[ $# = 1 ] || exit 0
for file in $program; do
	compile "$out/$file.o" "$sim/$file.c"
done
$cc -DFLAKE_STANDALONE -Isrc -rdynamic -o "$out/sim" $(printf "$out/%s.o " $program) "$sim/formats.c" \
	src/kernel/{base,issued,announcement}.c $(printf 'src/types/%s.c ' $formats) -ldl
