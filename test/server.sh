#!/bin/bash
# A private PostgreSQL for the demo, the tests and experiments: a copy of this
# machine's server programs with this checkout's flakeid installed into it, and
# clusters reached only by a unix socket in a folder of their own. The system's
# installation and its clusters stay untouched.
#
#   server.sh install               build flakeid, copy PostgreSQL, install
#   server.sh start NAME [CONF...]  a new cluster, in place of an older NAME
#                                   (the first one does what install does);
#                                   each CONF is a line of postgresql.conf,
#                                   e.g. shared_preload_libraries=flakeid
#   server.sh stop NAME             stop a cluster and remove it
#   server.sh status                the clusters there are
#   server.sh psql NAME [ARG...]    psql, as the cluster's superuser
#   server.sh env NAME              what to eval to make NAME the default server
#   server.sh run CMD [ARG...]      CMD with the private programs first in PATH,
#                                   as the user whom the servers run as
#   server.sh clean                 stop and remove everything
#
# POSTGRES names a program to start in the server's place.
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

# Not below the checkout, nor in TMPDIR: a socket's path may have no more than
# 107 bytes, and root's servers run as another user, for whom both may be closed.
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

install_copy()
{
	local bindir pkglibdir sharedir
	bindir=$("$pg_config" --bindir)
	pkglibdir=$("$pg_config" --pkglibdir)
	sharedir=$("$pg_config" --sharedir)
	"$make" -s -C "$checkout" PG_CONFIG="$pg_config" all

	# PostgreSQL looks for its directories relative to its programs, and the
	# copies keep their full paths below pg/. What is there already stays, and
	# what is newer takes its place: the demo's server may be running from it.
	make_home
	mkdir -p "$home/pg"
	(cd / && cp -au --remove-destination --parents "${bindir#/}" "${pkglibdir#/}" "${sharedir#/}" "$home/pg")
	ln -sfn "pg$bindir" "$home/bin"
	"$make" -s -C "$checkout" PG_CONFIG="$pg_config" DESTDIR="$home/pg" install >/dev/null
}

start()
{
	local dir=$home/run/$1
	[ -d "$home/bin" ] || install_copy
	stop "$1"
	shift
	make_home
	mkdir -p "$home/run"
	mkdir -m 700 "$dir"
	[ "$(id -u)" != 0 ] || chown "$owner:" "$dir"

	cd "$dir"
	"${as_owner[@]}" initdb -D data -U postgres -A trust -E UTF8 --no-locale --no-sync >/dev/null
	printf '%s\n' "listen_addresses = ''" "port = $port" "unix_socket_directories = '$dir'" \
		"$@" >>data/postgresql.conf
	"${as_owner[@]}" pg_ctl -s -w ${POSTGRES:+-p "$POSTGRES"} -D "$dir/data" -l "$dir/log" start || {
		cat "$dir/log" >&2
		exit 1
	}
}

running() { [ -d "$home/run/$1/data" ] && (cd / && "${as_owner[@]}" pg_ctl -s -D "$home/run/$1/data" status); }

stop()
{
	# At once, without the checkpoint: the files go too.
	! running "$1" >/dev/null || (cd / && "${as_owner[@]}" pg_ctl -s -w -m immediate -D "$home/run/$1/data" stop)
	rm -rf "$home/run/$1"
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
	psql) exec env "${connect[@]}" psql -X "$@" ;;
	env) printf 'export'; printf ' %q' "${connect[@]}"; echo ;;
	run) exec "${as_owner[@]}" "$@" ;;
	clean)
		for name in $(clusters); do stop "$name"; done
		[ ! -e "$home" ] || { make_home; rm -rf "$home"; }
		;;
	*) usage ;;
esac
