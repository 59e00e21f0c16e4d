#!/bin/bash
# Install the packages that this machine lacks for building and testing flakeid: setup.sh
# WHAT..., where WHAT is a part of run.sh, each with different needs, or the name of a
# package, such as clang. Without arguments only the needs of make demo.
#
# If nothing is missing, nothing happens, and no network is needed. The script first prints
# everything that it is going to install. No service is started or enabled and no cluster
# is created. It is no error if packages are unavailable that only single tests need, which
# are skipped without them.
set -euo pipefail
cd "$(dirname "$0")/.."
. test/steps.sh

pg_config=${PG_CONFIG:-pg_config}
log=build/log/setup.log
PATH=$PATH:/usr/sbin    # for servers, which is not in every user's PATH

find_missing() # WHAT...
{
	local major what module
	# the installed version, or else the distribution's default
	major=$("$pg_config" --version 2>/dev/null | sed -n 's/^PostgreSQL \([0-9]*\).*/\1/p') || :
	major=${major:-$(default_major)}

	missing=() wished=()
	want make command -v make
	want gcc command -v gcc
	want libc6-dev sh -c 'echo "#include <stdio.h>" | gcc -E -'
	[ $# = 0 ] || want perl command -v prove
	if ! alone "$@"; then
		want "postgresql-$major" test -x "$(dir bindir)/postgres"
		want "postgresql-server-dev-$major" test -e "$(dir includedir-server)/postgres.h"
	fi
	for what; do
		case $what in
			unit | sanitize | sim | mutants | rules | warnings | regress | jit) ;;
			s390x)
				want gcc-s390x-linux-gnu command -v s390x-linux-gnu-gcc
				want libc6-dev-s390x-cross test -e /usr/s390x-linux-gnu/lib/libc.a
				want qemu-user-static command -v qemu-s390x-static
				;;
			arm64)
				want gcc-aarch64-linux-gnu command -v aarch64-linux-gnu-gcc
				want libc6-dev-arm64-cross test -e /usr/aarch64-linux-gnu/lib/libc.a
				want qemu-user-static command -v qemu-aarch64-static
				;;
			musl) want musl-tools command -v musl-gcc ;;
			macos)
				want npm command -v npm
				want llvm command -v llvm-nm
				;;
			nix-bin) want "$what" command -v nix-instantiate ;;
			debian-archive-keyring) want "$what" test -e /usr/share/keyrings/$what.gpg ;;
			package)
				wish mount command -v mount
				wish unzip command -v unzip
				wish dpkg-dev command -v dpkg-source
				wish rpm command -v rpmbuild
				[[ $(dir pkglibdir) != /usr/lib/postgresql/* ]] || {
					wish debhelper command -v dh
					wish postgresql-server-dev-all command -v pg_buildext
				}
				;;
			pgtap)
				want libtap-parser-sourcehandler-pgtap-perl command -v pg_prove
				sh -c 'ls "$@" | grep .' sh {"$(dir sharedir)",/usr/share/postgresql/*}/extension/pgtap.control >/dev/null 2>&1 ||
					missing+=("$(pgtap "$major")")
				;;
			tap | check | torture | alerts | ecosystem)
				want libipc-run-perl perl -MIPC::Run -e 1
				[ "$what" = ecosystem ] || continue
				wish pgbouncer command -v pgbouncer
				[[ $(dir pkglibdir) != /usr/lib/postgresql/* ]] || wish "postgresql-$major-cron" test -e "$(dir pkglibdir)/pg_cron.so"
				[[ $(dir pkglibdir) != /usr/lib/postgresql/* ]] || wish "postgresql-$major-repack" test -e "$(dir pkglibdir)/pg_repack.so"
				[[ $(dir pkglibdir) != /usr/lib/postgresql/* ]] || wish "postgresql-$major-hypopg" test -e "$(dir pkglibdir)/hypopg.so"
				[[ $(dir pkglibdir) != /usr/lib/postgresql/* ]] || wish "postgresql-$major-pg-hint-plan" test -e "$(dir pkglibdir)/pg_hint_plan.so"
				[[ $(dir sharedir) != /usr/share/postgresql/* ]] || wish "postgresql-$major-partman" test -e "$(dir sharedir)/extension/pg_partman.control"
				# the drivers of docs/clients.md, the mappers of docs/orm.md
				wish libpq-dev test -e "$(dir includedir)/libpq-fe.h"
				for module in psycopg psycopg2 asyncpg sqlalchemy alembic django; do
					wish python3-$module /usr/bin/python3 -c "import $module"
				done
				wish php-cli command -v php
				wish php-pgsql php -r 'exit(extension_loaded("pdo_pgsql") ? 0 : 1);'
				wish php-illuminate-database test -d /usr/share/php/Illuminate/Database
				wish php-illuminate-filesystem test -d /usr/share/php/Illuminate/Filesystem
				wish ruby-activerecord ruby -e 'require "active_record"'
				wish ruby-pg ruby -e 'require "pg"'
				! command -v javac >/dev/null || {
					wish libpostgresql-jdbc-java test -e /usr/share/java/postgresql.jar
					wish libhibernate3-java test -e /usr/share/java/hibernate3.jar
				}
				! command -v go >/dev/null || {
					wish golang-github-lib-pq-dev test -d /usr/share/gocode/src/github.com/lib/pq
					wish golang-github-jackc-pgx-v4-dev test -d /usr/share/gocode/src/github.com/jackc/pgx
				}
				;;
			*)
				want "$what" command -v "$what"
				[ "$what" != clang ] ||
					want libclang-rt-dev sh -c 'ls "$(clang -print-resource-dir)"/lib/*/libclang_rt.fuzzer*'
				;;
		esac
	done
}

dir() { "$pg_config" "--$1" 2>/dev/null || :; }

# apt-cache takes a second, so it is asked only about what is missing.
known() { apt-cache show "$@" 2>/dev/null | sed -n 's/^Package: //p' | sort -u; }

default_major()
{
	local major
	major=$(apt-cache depends postgresql 2>/dev/null | sed -n 's/.*Depends: postgresql-\([0-9]*\)$/\1/p') || :
	echo "${major:-NN}"
}

# pgTAP is SQL: if there is none for a major version, such as for a server built from
# source, any can be used.
pgtap() # MAJOR
{
	if [ "$(known "postgresql-$1-pgtap")" ]; then
		echo "postgresql-$1-pgtap"
	else
		echo "postgresql-$(default_major)-pgtap"
	fi
}

want() # PACKAGE COMMAND...: PACKAGE is missing unless COMMAND succeeds
{
	"${@:2}" >/dev/null 2>&1 || missing+=("$1")
}

wish() # PACKAGE COMMAND...: the same, of what single tests need
{
	"${@:2}" >/dev/null 2>&1 || wished+=("$1")
}

# node-postgres, the libraries that use it and PGlite, into build/clients, in the versions of
# test/clients/package.json. Prisma, which is larger than all the others, only by hand: see
# test/README.md. Drizzle has it as an option, too, hence two omissions.
node_postgres()
{
	local from=test/clients to=build/clients
	command -v npm >/dev/null || return 0
	! cmp -s $from/package.json $to/installed || return 0
	mkdir -p $to
	cp $from/package.json $to/
	echo "installing node-postgres and the mappers that use it, and PGlite, into $to ..."
	npm install --prefix $to --omit=dev --omit=optional --ignore-scripts --no-package-lock --no-audit --no-fund --loglevel=silent --fetch-timeout=20000 --fetch-retries=1 >/dev/null &&
		cp $from/package.json $to/installed || {
		rm -rf $to
		echo "without node-postgres its tests and that of PGlite will be skipped"
	}
}

# Nothing more can be done: print one sentence, and fail unless only optional packages are missing.
give_up() # SENTENCE
{
	[ ${#missing[@]} = 0 ] || {
		echo "flakeid: $1" >&2
		exit 1
	}
	echo "without ${wished[*]} (not installed: see $log) the tests of it will be skipped"
	exit 0
}

# Replacements for programs that packages call during installation to start or enable their
# services. They are first in PATH only during the installation, so that nothing of them
# remains.
make_stubs() # DIRECTORY
{
	local name
	chmod 755 "$1"
	for name in pg_createcluster invoke-rc.d deb-systemd-invoke; do
		printf '#!/bin/sh\nexit 0\n' >"$1/$name"
	done
	for name in deb-systemd-helper update-rc.d; do
		printf '#!/bin/sh\ncase "$*" in *pgbouncer*) exit 0 ;; esac\nPATH=${PATH#*:}\nexec %s "$@"\n' $name >"$1/$name"
	done
	chmod 755 "$1"/*
}

# Print to the log, and never ask.
quietly() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@" >>"$log" 2>&1 </dev/null; }

apt() { quietly apt-get -q -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=120 -o Acquire::Retries=1 -o "DPkg::Path=$stubbed" "$@"; }

# After an installation that was interrupted, by ^C here or elsewhere, apt-get begins no other.
finish_interrupted()
{
	[ -z "$("${as_root[@]}" dpkg --audit 2>>"$log"; ls /var/lib/dpkg/updates)" ] || quietly env PATH="$stubbed" "$(command -v dpkg)" --configure -a || :
}

mkdir -p build/log
[[ " $* " != *" ecosystem "* ]] || node_postgres
find_missing "$@"
[ ${#missing[@]} -gt 0 ] || [ ${#wished[@]} -gt 0 ] || exit 0

: >"$log"
if ! command -v apt-get >/dev/null; then
	give_up "please install what these Debian packages hold, then try again: ${missing[*]}"
fi
trap 'exit 130' INT TERM HUP
as_root=()
if [ "$(id -u)" != 0 ]; then
	command -v sudo >/dev/null ||
		give_up "please install, as root, then try again: apt-get install ${missing[*]}"
	# it may ask for a password, but not in every script that only has optional needs; nor does
	# it ask if these commands need none, whereas sudo -v does if any rule for the user needs one
	sudo -n true 2>>"$log" || {
		[ ${#missing[@]} -gt 0 ] && echo "sudo may ask for your password, to install ${missing[*]} ..." && sudo -v 2>>"$log"
	} ||
		give_up "sudo does not let you install; please have an administrator do so, then try again: apt-get install ${missing[*]}"
	as_root=(sudo)
fi

stubs=$(mktemp -d)
stubbed=$stubs:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
available=()
trap 'stop_ticker; rm -rf "$stubs"' EXIT
make_stubs "$stubs"

# The package lists may be old or absent; if a mirror is down and that matters, the
# installation reports it.
echo 'looking for what is missing ...'
start_ticker "$log"
apt update || :
find_missing "$@"
[ ${#wished[@]} = 0 ] || mapfile -t available < <(known "${wished[@]}")
packages=(${missing[@]+"${missing[@]}"} ${available[@]+"${available[@]}"})
if [ ${#packages[@]} -gt 0 ]; then
	install=(apt-get -qq install -y --no-install-recommends "${packages[@]}")
	size=$(export LC_ALL=C; { "${install[@]}" --print-uris && "${install[@]}" -s; } 2>/dev/null |
		awk '/^\047/ { b += $3 } /^(Inst|Conf) / && !seen[$2]++ { n++ }
			END { printf "%d packages, %.0f MB to download; in %d to %d minutes", n, b / 1e6, 1 + n / 60, 3 + n / 20 }') || size='size unknown'
	echo "installing ${packages[*]} ($size; no service is started, no cluster created) ..."
	finish_interrupted
	apt install -y --no-install-recommends "${packages[@]}" || :
fi
stop_ticker

find_missing "$@"
[ ${#missing[@]} = 0 ] && [ ${#wished[@]} = 0 ] ||
	give_up "not installed: ${missing[*]}; please see that the machine has a network and that 'apt-get install' works ($log tells what it said), then try again"
