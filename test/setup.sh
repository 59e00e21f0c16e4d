#!/bin/bash
# Install what building and testing flakeid needs and this machine lacks: what make
# demo and make test need, and what is named beside it.
# Where nothing is missing nothing happens, and no network is needed.
#
#   setup.sh clang      a program, by the name of its package
#   setup.sh clients    the drivers of docs/clients.md; node-postgres and JDBC only
#                       where npm and javac are there
#   setup.sh pg_cron    the extension, for this server's major
set -euo pipefail

pg_config=${PG_CONFIG:-pg_config}
tools=("$@")
PATH=$PATH:/usr/sbin    # of servers, which not every user has in it

find_missing()
{
	local major default pgtap tool
	# The version there is, or else the one the distribution stands for. pgTAP is SQL:
	# where there is none for a major, as for a server built from source, any will do.
	default=$(apt-cache depends postgresql 2>/dev/null | sed -n 's/.*Depends: postgresql-\([0-9]*\)$/\1/p') || :
	major=$("$pg_config" --version 2>/dev/null | sed -n 's/^PostgreSQL \([0-9]*\).*/\1/p') || :
	major=${major:-${default:-NN}}
	pgtap=postgresql-$major-pgtap
	apt-cache show "$pgtap" >/dev/null 2>&1 || pgtap=postgresql-${default:-NN}-pgtap

	missing=()
	want make command -v make
	want gcc command -v gcc
	want libc6-dev sh -c 'echo "#include <stdio.h>" | gcc -E -'
	want perl command -v prove
	want unzip command -v unzip
	want libipc-run-perl perl -MIPC::Run -e 1
	want libtap-parser-sourcehandler-pgtap-perl command -v pg_prove
	want faketime command -v faketime
	want "postgresql-$major" test -x "$(dir bindir)/postgres"
	want "$pgtap" sh -c 'ls "$@" | grep .' sh {"$(dir sharedir)",/usr/share/postgresql/*}/extension/pgtap.control
	want "postgresql-server-dev-$major" test -e "$(dir includedir-server)/postgres.h"
	for tool in ${tools[@]+"${tools[@]}"}; do
		if [ "$tool" = clients ]; then
			want libpq-dev test -e "$(dir includedir)/libpq-fe.h"
			for module in psycopg psycopg2 asyncpg sqlalchemy django; do
				want python3-$module /usr/bin/python3 -c "import $module"
			done
			! command -v javac >/dev/null || want libpostgresql-jdbc-java test -e /usr/share/java/postgresql.jar
			continue
		fi
		[ "$tool" != pg_cron ] || { want "postgresql-$major-cron" test -e "$(dir pkglibdir)/pg_cron.so"; continue; }
		want "$tool" command -v "$tool"
		[ "$tool" != clang ] ||
			want libclang-rt-dev sh -c 'ls "$(clang -print-resource-dir)"/lib/*/libclang_rt.fuzzer*'
	done
}

# node-postgres, into build/clients: at the versions of test/clients/package-lock.json.
node_postgres()
{
	local from=test/clients to=build/clients
	command -v npm >/dev/null || return 0
	! cmp -s $from/package-lock.json $to/package-lock.json || return 0
	mkdir -p $to
	cp $from/package.json $from/package-lock.json $to/
	npm ci --prefix $to --ignore-scripts --no-audit --no-fund --loglevel=silent >/dev/null || {
		rm -rf $to
		echo "flakeid: node-postgres could not be installed" >&2
	}
}

dir() { "$pg_config" "--$1" 2>/dev/null || :; }

want() # PACKAGE COMMAND...: PACKAGE is missing unless COMMAND succeeds
{
	local package=$1
	shift
	"$@" >/dev/null 2>&1 || missing+=("$package")
}

[[ " $* " != *" clients "* ]] || node_postgres
find_missing
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if ! command -v apt-get >/dev/null; then
	echo "flakeid: please install what these Debian packages hold: ${missing[*]}" >&2
	exit 1
elif [ "$(id -u)" != 0 ]; then
	command -v sudo >/dev/null || {
		echo "flakeid: please install, as root: apt-get install ${missing[*]}" >&2
		exit 1
	}
	as_root=(sudo)
fi

# The package lists may be old or absent; a mirror that is down is reported by
# the installation, if it matters.
"${as_root[@]}" apt-get -qq update || :
find_missing
echo "installing ${missing[*]} ..."
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
	apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends "${missing[@]}" >/dev/null

find_missing
[ ${#missing[@]} = 0 ] || {
	echo "flakeid: installed, but still not found: ${missing[*]}" >&2
	exit 1
}
