#!/bin/bash
# A private PostgreSQL for the demo, the tests and experiments: a copy of this
# machine's server programs with this checkout's flakeid installed into it, and
# clusters reached only by a unix socket in a private folder. The system's
# installation and its clusters stay untouched.
#
#   server.sh install               build flakeid, copy PostgreSQL, install
#   server.sh start NAME [CONF...]  a new cluster, replacing an older NAME
#                                   (the first one also installs); each CONF
#                                   is a line of postgresql.conf,
#                                   e.g. shared_preload_libraries=flakeid
#   server.sh stop NAME             stop a cluster, and any below its folder, and
#                                   remove it
#   server.sh status                list the clusters
#   server.sh psql NAME [ARG...]    psql, as the cluster's superuser
#   server.sh env NAME              commands for eval that make NAME the default server
#   server.sh run CMD [ARG...]      CMD with the private programs first in PATH,
#                                   as the servers' user
#   server.sh clean                 remove everything, but not while a cluster runs
#
# POSTGRES names a program to start instead of the server. IN_MEMORY=1 puts a cluster into
# memory, if there is plenty.
#
# A cluster NAME has its socket in HOME/run/NAME, its files in HOME/run/NAME/data
# and its log in HOME/run/NAME/log; `status` prints HOME.
set -euo pipefail
umask 022
unset PGDATA PGHOST PGPORT PGUSER PGDATABASE PGOPTIONS PGSERVICE

checkout=$(cd "$(dirname "$0")/.." && pwd -P)
pg_config=${PG_CONFIG:-pg_config}
make=${MAKE:-make}
port=54321

# Not below the checkout, nor in TMPDIR: a socket's path may have no more than 107
# bytes, and root's servers run as another user, who may have no access to either.
home=/tmp/flakeid-$(id -u)-$(printf %s "$checkout" | cksum | cut -d ' ' -f 1)

# PostgreSQL refuses to run as root.
if [ "$(id -u)" = 0 ]; then
	owner=$(id -un postgres 2>/dev/null || echo nobody)
	as_owner=(setpriv --reuid="$owner" --regid="$(id -g "$owner")" --init-groups
		env -u TMPDIR HOME="$home")
else
	owner=$(id -un)
	as_owner=(env)
fi
as_owner+=(PATH="$home/bin:$PATH")

usage()
{
	sed -n 's/^#   //p' "$0" >&2
	exit 2
}

make_home()
{
	mkdir -m 711 "$home" 2>/dev/null && return
	[ -O "$home" ] && [ -d "$home" ] && [ ! -L "$home" ] || {
		echo "server.sh: $home belongs to somebody else" >&2
		exit 1
	}
}

# Name, size and time of all files below some directories, relative to the first
# argument. An extension flakeid of the system does not count.
files() # BASE DIRECTORY...
{
	[ ! -d "$1" ] || (cd "$1" && find "${@:2}" ! -type d ! -name 'flakeid*' -printf '%p\t%s\t%T@\n' 2>/dev/null | LC_ALL=C sort)
}

# Everything is created elsewhere and renamed at the end, so that pg/ is complete
# whenever this is interrupted: by a signal, or because the disk is full. As long as
# there is a new/, something may be missing, and start() runs this again.
install_copy()
{
	local new=$home/new dirs extension
	dirs=("$("$pg_config" --bindir)" "$("$pg_config" --pkglibdir)" "$("$pg_config" --sharedir)")
	"$make" -s -j "$(nproc)" -C "$checkout" PG_CONFIG="$pg_config" all

	make_home
	exec 9>"$home/lock"
	flock 9
	rm -rf "$new"
	mkdir -p "$new/pg"

	# PostgreSQL looks for its directories relative to its programs, and the copies keep
	# their full paths below pg/. Files that are already the same there are not copied
	# again.
	comm -23 <(files / "${dirs[@]#/}") <(files "$home/pg" "${dirs[@]#/}") | cut -f 1 >"$new/files"
	(cd / && xargs -r -d '\n' cp -a --parents -t "$new/pg" <"$new/files")
	# below a home directory, to which the servers' user has no access
	find "$new/pg" -type d ! -perm -5 -exec chmod a+rx {} +
	"$make" -s -C "$checkout" PG_CONFIG="$pg_config" DESTDIR="$new/pg" install >/dev/null
	extension=.${dirs[2]}/extension
	(cd "$new/pg" && find "$extension" -name 'flakeid*' | LC_ALL=C sort) >"$new/versions"

	# A file in use is replaced, not overwritten: the demo's server may be running
	# from it.
	if [ ! -e "$home/pg" ]; then
		mv "$new/pg" "$home/pg"
	else
		cd "$new/pg"
		find . -type d -print0 | (cd "$home/pg" && xargs -0 mkdir -p)
		find . ! -type d -exec sh -c 'for file; do mv -fT "$file" "$0/$file" || exit; done' "$home/pg" {} +
		# versions left by an older checkout or a test
		cd "$home/pg"
		find "$extension" -name 'flakeid*' | LC_ALL=C sort | comm -13 "$new/versions" - | xargs -r -d '\n' rm -f
		cd "$checkout"
	fi
	ln -sfn "pg${dirs[0]}" "$home/bin"
	rm -rf "$new"
	exec 9>&-

	# Never run the system's programs instead, which PATH would find.
	(cd / && "${as_owner[@]}" "$home/bin/postgres" -V >/dev/null) || {
		echo "server.sh: user $owner cannot run $home/bin/postgres; try again after make clean" >&2
		exit 1
	}
}

# Much of what it costs to make and drop a database is ext4's search for a free inode: it looks at
# all files that were deleted in the last minutes.
plenty_of_memory()
{
	local free
	free=$(df -m -t tmpfs --output=avail /dev/shm 2>/dev/null | tail -n 1) && [ "$free" -ge 4000 ] &&
		awk '/^MemAvailable/ { exit ($2 < 8e6) }' /proc/meminfo && ! grep -qE '^\S+ /dev/shm .*noexec' /proc/mounts
}

start()
{
	local dir=$home/run/$1 place=$home/run/$1
	[ -x "$home/bin/postgres" ] && [ ! -e "$home/new" ] || install_copy
	stop "$1"
	shift
	make_home
	mkdir -p "$home/run"
	if [ -n "${IN_MEMORY-}" ] && plenty_of_memory; then
		place=/dev/shm/${home##*/}-$name
		ln -s "$place" "$dir"
	fi
	mkdir -m 700 "$place"
	[ "$(id -u)" != 0 ] || chown "$owner:" "$place"

	cd "$dir"
	"${as_owner[@]}" "$home/bin/initdb" -D data -U postgres -A trust -E UTF8 --no-locale --no-sync >/dev/null
	printf '%s\n' "listen_addresses = ''" "port = $port" "unix_socket_directories = '$dir'" \
		"$@" >>data/postgresql.conf
	"${as_owner[@]}" "$home/bin/pg_ctl" -s -w ${POSTGRES:+-p "$POSTGRES"} -D "$dir/data" -l "$dir/log" start || {
		cat "$dir/log" >&2
		exit 1
	}
}

pg_ctl() { (cd / && "${as_owner[@]}" "$home/bin/pg_ctl" -s -D "$@"); }

running() { [ -d "$home/run/$1/data" ] && pg_ctl "$home/run/$1/data" status; }

stop()
{
	local data
	# Immediately, without a checkpoint: the files are removed, too.
	[ ! -d "$home/run/$1" ] || find -H "$home/run/$1" -name postmaster.pid -printf '%h\n' | while read -r data; do
		! pg_ctl "$data" status >/dev/null || pg_ctl "$data" -w -m immediate stop
	done
	[ ! -L "$home/run/$1" ] || rm -rf "$(readlink "$home/run/$1")"
	rm -rf "$home/run/$1"
}

clean()
{
	local name busy=
	for name in $(clusters); do
		if running "$name" >/dev/null; then busy+=" $name"; else stop "$name"; fi
	done
	if [ "$busy" ]; then
		echo "flakeid: not removed, because it is running:$busy" >&2
		echo "(make demo-stop ends the demo, test/server.sh stop NAME any other; then make clean again)" >&2
	elif [ -e "$home" ]; then
		make_home
		rm -rf "$home"
	fi
}

clusters() { [ ! -d "$home/run" ] || ls "$home/run"; }

command=${1-}
shift || usage
case $command in
	start | stop | psql | env)
		name=${1-}
		[[ $name =~ ^[a-z0-9_-]+$ ]] || usage
		shift
		connect=(PGHOST="$home/run/$name" PGPORT="$port" PGUSER=postgres PGDATABASE=postgres PATH="$home/bin:$PATH")
		;;
esac
case $command in
	install) install_copy ;;
	start) start "$name" "$@" ;;
	stop) stop "$name" ;;
	status)
		echo "$home"
		for name in $(clusters); do
			if running "$name" >/dev/null; then echo "$name: running"; else echo "$name: down"; fi
		done
		;;
	psql) exec env "${connect[@]}" "$home/bin/psql" -X "$@" ;;
	env) printf 'export'; printf ' %q' "${connect[@]}"; echo ;;
	run) exec "${as_owner[@]}" "$@" ;;
	clean) clean ;;
	*) usage ;;
esac
