#!/bin/bash
# Lay the C code out as PostgreSQL's own is: indent.sh changes it, indent.sh --diff shows
# what would change. pgindent, pg_bsd_indent and core's list of types come with Debian's
# postgresql-server-dev-18 and newer, whose pg_config PG_CONFIG names; with a source tree
# instead, PATH has the two programs and PGTYPEDEFS names src/tools/pgindent/typedefs.list.
set -euo pipefail
cd "$(dirname "$0")/.."

sources=(src test/bench test/fuzz test/sim test/unit)
pg_config=${PG_CONFIG:-pg_config}
PATH=$("$pg_config" --bindir):$PATH
core=${PGTYPEDEFS:-$("$pg_config" --sharedir)/typedefs.list}
if ! command -v pgindent >/dev/null || [ ! -e "$core" ]; then
	echo "indent.sh: $pg_config is of a server without pgindent (Debian: apt-get install postgresql-server-dev-18, PG_CONFIG=/usr/lib/postgresql/18/bin/pg_config)" >&2
	exit 2
fi

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# (All but the table of the worlds, which pg_bsd_indent takes for functions.)
find "${sources[@]}" -name '*.[ch]' ! -name worlds.c -print0 | tar --null -T - -cf - | tar -C "$dir" -xf -

# Core's types, but for those whose names are variables' here, and our own.
{
	cat "$core"
	find "${sources[@]}" -name '*.[ch]' -exec sed -nE \
		-e 's/^typedef .*\(\*([A-Za-z_0-9]+)\).*/\1/p' \
		-e 's/^typedef (struct|enum|union) ([A-Za-z_0-9]+)$/\2/p' \
		-e 's/^typedef [^(]*[ *]([A-Za-z_0-9]+)(\[.*)?;.*/\1/p' {} +
} | grep -vxE 'decimal|freefunc|text' | LC_ALL=C sort -u >"$dir/typedefs.list"

# pg_bsd_indent takes the space after the comma from designated initializers that share a
# line, and puts one into hexadecimal floating-point numbers; "text *" is core's all the same.
(cd "$dir" && pgindent --typedefs=typedefs.list "${sources[@]}")
find "$dir" -name '*.[ch]' -exec sed -i -E \
	-e "s/,(\.[a-z_0-9]+ = |\[[^],]+\] = )/, \1/g" -e 's/\b(0x[0-9a-f]+) (p[0-9])/\1\2/g' \
	-e 's/\btext \* /text */g' {} +

if [ "${1-}" = --diff ]; then
	(cd "$dir" && find "${sources[@]}" -type f) | while read -r file; do diff -u "$file" "$dir/$file" || :; done
else
	tar -C "$dir" -cf - "${sources[@]}" | tar -xf -
fi
