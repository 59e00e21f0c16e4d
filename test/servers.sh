#!/bin/bash
# The tests on servers that no distribution has, built from PostgreSQL's source in special
# ways: servers.sh [NAME...], where NAME is
#
#   exec       15 with -DEXEC_BACKEND: each process starts from scratch, as on Windows,
#              not as a copy of the postmaster
#   assert     15 with assertions and caches that immediately release unused entries;
#              with caches discarded all the time, queries run only by parallel workers,
#              and pages compared after replay
#   injection  18 with assertions and injection points, for the races that are held open
#   16         16, which is in no Debian release, with assertions
#
# PG_SOURCE names source trees ("/src/postgresql-15 /src/postgresql-16"); each server uses
# the first one of its major version, or else Debian's source package, if there is one. A
# server is built once, in 5 to 20 minutes, and kept in ~/.cache/flakeid/built-NAME (or
# below $XDG_CACHE_HOME), 60 MB. If that folder is root's alone, tests that compile against its
# headers are skipped. Further tests on it:
# make test-tap T=crash PG_CONFIG=~/.cache/flakeid/built-NAME/pgsql/bin/pg_config
#
# All of them run even if some fail; servers that cannot be built are reported as skipped.
# The last line is "N passed, N failed", for all together; logs are in build/log.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
. test/steps.sh
. test/chroot.sh

unset MAKEFLAGS MFLAGS MAKELEVEL    # make's arguments are not for PostgreSQL's make
logs=$PWD/build/log
declare -A majors=([exec]=15 [assert]=15 [injection]=18 [16]=16)
declare -A options=(
	[exec]='CPPFLAGS=-DEXEC_BACKEND'
	[assert]='--enable-cassert CPPFLAGS=-DRELCACHE_FORCE_RELEASE\ -DCATCACHE_FORCE_RELEASE'
	[injection]='--enable-cassert --enable-injection-points'
	[16]='--enable-cassert')
# in addition to the server, for tests that are skipped without them
contrib='amcheck pg_walinspect postgres_fdw test_decoding'
work=

# ---------- building ----------

# The version of a source tree; empty if it is not one.
version_of()
{
	sed -n "s/^PACKAGE_VERSION='\(.*\)'/\1/p" "$1/configure" 2>/dev/null
}

# Copy a source tree of the major version, or unpack Debian's, without its patches.
unpack() # MAJOR DIRECTORY
{
	local tree version suite=${suites[$1]-} apt=$2/apt
	for tree in ${PG_SOURCE-}; do
		version=$(version_of "$tree")
		[[ $version =~ ^$1([^0-9]|$) ]] || continue
		cp -r "$tree" "$2/source" || return
		[ ! -e "$2/source/config.status" ] || "${MAKE:-make}" -s -C "$2/source" distclean
		return
	done
	[ -n "$suite" ] && command -v apt-get >/dev/null || {
		echo "no source of PostgreSQL $1: name a tree in PG_SOURCE"
		return 1
	}
	# Ubuntu does not have Debian's key; use separate lists, so that the system's do not change
	test/setup.sh debian-archive-keyring &&
		mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$2/source" &&
		echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${MIRROR:-http://deb.debian.org/debian} $suite main" >"$apt/sources.list" &&
		printf '%s\n' "Dir::Etc::sourcelist \"$apt/sources.list\";" 'Dir::Etc::sourceparts "-";' "Dir::State::lists \"$apt/lists\";" \
			"Dir::Cache \"$apt/cache\";" 'Acquire::Check-Valid-Until "false";' 'Acquire::Languages "none";' 'APT::Sandbox::User "root";' >"$apt/conf" &&
		(cd "$apt" && export APT_CONFIG=$apt/conf && apt-get -q update && apt-get -q source --download-only --tar-only "postgresql-$1") &&
		tar -xf "$apt/postgresql-$1"_*.orig.tar.* -C "$2/source" --strip-components 1 || {
		echo "no source of PostgreSQL $1: Debian's could not be had; name a tree in PG_SOURCE"
		return 1
	}
}

# If it is configured for a folder named pgsql, PostgreSQL keeps its libraries with its
# modules, and finds them relative to the programs: server.sh copies them to a place that
# the servers' user may read.
compile() # NAME DIRECTORY
{
	local make=${MAKE:-make} directory
	local flags=(--prefix="$cache/built-$1/pgsql" --enable-tap-tests --without-readline --without-zlib --disable-rpath
		CFLAGS=-O1 LDFLAGS="-Wl,-rpath,'\$\$ORIGIN/../lib'")
	eval "flags+=(${options[$1]})"
	cd "$2/source" &&
		{ ! ./configure --help | grep -q -e --without-icu || flags+=(--without-icu); } &&
		./configure "${flags[@]}" &&
		"$make" -s -j2 -C src all && "$make" -s -C src install || return
	for directory in $contrib; do
		"$make" -s -C "contrib/$directory" install || return
	done
	[ "$1" != injection ] || "$make" -s -C src/test/modules/injection_points install
}

# Build it once, until the way to build it changes.
build() # NAME
{
	local name=$1 major=${majors[$1]} to=$cache/built-$1 rc=0
	local how="$major ${options[$name]} $contrib"

	[ "$(cat "$to/made" 2>/dev/null)" != "$how" ] || return 0
	test/setup.sh bison flex bzip2 || return
	work=$(mktemp -d "$cache/building-$name.XXXXXX") || return
	rm -rf "$to"
	unpack "$major" "$work" && (compile "$name" "$work") || rc=1
	rm -rf "$work"
	[ $rc = 0 ] && echo "$how" >"$to/made"
}

# ---------- testing ----------

# Run parts of run.sh with this server, which was built for them: if no test can be run, that
# is a failure.
parts() # NAME WHAT [VARIABLE=VALUE...] PART...
{
	printf '\n====== %s, %s\n' "$1" "$2"
	MUST_RUN=1 run_target "$1, $2" "$logs/server-$1-$2.log" \
		env T= PG_CONFIG="$cache/built-$1/pgsql/bin/pg_config" "${@:3}"
}

# The purpose of each server. With discarded caches every catalog lookup reads the catalog again,
# so only SQL tests run that still end within minutes. Even if the caches release only unused
# entries, pgTAP takes an hour.
run()
{
	local run=test/run.sh test
	case $1 in
		exec) parts exec all $run regress tap ecosystem ;;
		assert)
			parts assert all $run regress pgtap
			parts assert discard T='sno flax snowflake ksuid' PGOPTIONS='-c debug_discard_caches=1' $run regress
			parts assert parallel PGOPTIONS='-c force_parallel_mode=regress' $run regress
			echo 'wal_consistency_checking = all' >"$logs/server-assert.conf"
			for test in 011 017; do
				parts assert "wal-$test" T=$test TEMP_CONFIG="$logs/server-assert.conf" $run tap
			done
			;;
		injection) parts injection races T=injection $run tap ;;
		# no pg_upgrade: this release of 16 may be unable to read files of a newer minor release of 15
		16) parts 16 all $run regress pgtap tap ecosystem ;;
	esac
}

[ $# != 0 ] || set -- exec assert injection 16
for name; do
	[ -n "${majors[$name]-}" ] || { echo "servers.sh: no such server: $name" >&2; exit 2; }
done
mkdir -p "$cache" "$logs"
trap 'stop_ticker; exit 130' INT TERM
trap 'stop_ticker; rm -rf "$work"' EXIT
for name; do
	log=$logs/server-$name-build.log
	printf '\nmaking the server %s, if it is not there ...\n' "$name"
	: >"$log"
	start_ticker "$log"
	build "$name" >>"$log" 2>&1 && made=1 || made=0
	stop_ticker
	if [ $made = 1 ]; then
		run "$name"
	else
		skip "$name" "it could not be built: $(tail -n 1 "$log")"
	fi
done

close servers
