#!/bin/bash
# Format the C code like PostgreSQL's own, with the types in typedefs.list:
#
#	indent.sh				change the files
#	indent.sh --diff		show what would change
#	indent.sh --typedefs	write typedefs.list again: our own types, and those of core that
#							occur in the code
#	indent.sh --check		print which of our types typedefs.list lacks, and which names in
#							it no longer occur in the code; needs no PostgreSQL
#
# pgindent, pg_bsd_indent and core's list of types are in Debian's
# postgresql-server-dev-18 and newer; PG_CONFIG names its pg_config. With a source tree
# instead, PATH has the two programs and, for --typedefs, PGTYPEDEFS names
# src/tools/pgindent/typedefs.list.
set -euo pipefail
cd "$(dirname "$0")/.."

sources=(src test/bench test/fuzz test/sim test/unit)
export LC_ALL=C

# Types with names that are variables in this code.
variables='decimal|freefunc|text'

own_types()
{
	find "${sources[@]}" -name '*.[ch]' -exec sed -nE \
		-e 's/^typedef .*\(\*([A-Za-z_0-9]+)\).*/\1/p' \
		-e 's/^typedef (struct|enum|union) ([A-Za-z_0-9]+)$/\2/p' \
		-e 's/^typedef [^(]*[ *]([A-Za-z_0-9]+)(\[.*)?;.*/\1/p' {} + | grep -vxE "$variables" | sort -u
}

words()
{
	find "${sources[@]}" -name '*.[ch]' -exec grep -ohE '[A-Za-z_][A-Za-z_0-9]*' {} + | sort -u
}

if [ "${1-}" = --check ]; then
	rc=0
	for name in $(own_types | comm -23 - typedefs.list); do echo "typedefs.list lacks $name"; rc=1; done
	for name in $(words | comm -13 - typedefs.list); do echo "typedefs.list has $name, which no file has"; rc=1; done
	[ $rc = 0 ] || echo 'test/indent.sh --typedefs writes it again'
	exit $rc
fi

pg_config=${PG_CONFIG:-pg_config}
PATH=$("$pg_config" --bindir):$PATH
core=${PGTYPEDEFS:-$("$pg_config" --sharedir)/typedefs.list}
if ! command -v pgindent >/dev/null || { [ "${1-}" = --typedefs ] && [ ! -e "$core" ]; }; then
	echo "indent.sh: $pg_config belongs to a server without pgindent (Debian: apt-get install postgresql-server-dev-18, PG_CONFIG=/usr/lib/postgresql/18/bin/pg_config)" >&2
	exit 2
fi

if [ "${1-}" = --typedefs ]; then
	{ sort -u "$core" | comm -12 - <(words) | grep -vxE "$variables"; own_types; } | sort -u >typedefs.list
	exit
fi

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# (All except the table of the worlds, which pg_bsd_indent mistakes for functions.)
find "${sources[@]}" -name '*.[ch]' ! -name worlds.c -print0 | tar --null -T - -cf - | tar -C "$dir" -xf -

# pg_bsd_indent removes the space after the comma in designated initializers that share a
# line, and inserts one into hexadecimal floating-point numbers; "text *" stays core's type.
list=$PWD/typedefs.list
(cd "$dir" && pgindent --typedefs="$list" "${sources[@]}")
find "$dir" -name '*.[ch]' -exec sed -i -E \
	-e "s/,(\.[a-z_0-9.]+ = |\[[^],]+\] = )/, \1/g" -e 's/\b(0x[0-9a-f]+) (p[0-9])/\1\2/g' \
	-e 's/\btext \* /text */g' -e 's/\bconst\t+text \*/const text */' {} +

if [ "${1-}" = --diff ]; then
	(cd "$dir" && find "${sources[@]}" -type f) | while read -r file; do diff -u "$file" "$dir/$file" || :; done
else
	tar -C "$dir" -cf - "${sources[@]}" | tar -xf -
fi
