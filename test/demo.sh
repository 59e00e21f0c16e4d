#!/bin/bash
# Build flakeid, start a private server with it, run the demonstration (demo.sql) and
# leave the server running; "demo.sh stop" ends it.
set -euo pipefail
cd "$(dirname "$0")/.."
. test/steps.sh

log=build/log/demo.log

step() # TITLE COMMAND...
{
	local start=$EPOCHREALTIME end
	echo "== $1 ..."
	"${@:2}"
	end=$EPOCHREALTIME
	# Microseconds, with any decimal point of a locale.
	awk -v us=$((${end/[.,]/} - ${start/[.,]/})) 'BEGIN { printf "   %.1f s\n", us / 1e6 }'
}

fill()
{
	run_job $log test/server.sh psql demo -q -c 'CREATE EXTENSION flakeid' -c 'CREATE DATABASE demo' -c 'CREATE DATABASE examples'
	run_job $log test/server.sh psql demo -q -d examples -f docs/examples.sql
}

stop()
{
	local home
	home=$(test/server.sh status)
	home=${home%%$'\n'*}
	if [ -d "$home/run/demo" ]; then
		test/server.sh stop demo
		echo "The demo's server is stopped and its data are removed."
	else
		echo 'No demo is running.'
	fi
	[ ! -d "$home/pg" ] ||
		echo "Its copy of PostgreSQL, $(du -sm "$home/pg" | cut -f 1) MB in $home, waits for the next time; make clean removes it."
}

if [ "${1-}" = stop ]; then
	stop
	exit
fi

mkdir -p build/log
echo 'The demo takes about a minute. If packages are missing, it first says which, and how long that takes.'
trap 'test/server.sh stop demo' EXIT
on_interrupt 'Interrupted; the server of the demo is stopped and removed.'
step 'install what is missing' test/setup.sh
step 'build flakeid and install it into a private copy of PostgreSQL' run_job $log test/server.sh install
step 'start a private server' run_job $log test/server.sh start demo
step "fill its databases with the documents' examples" fill
run_job $log test/server.sh psql demo -q -d demo -f test/demo.sql
trap - EXIT
eval "$(test/server.sh env demo)"

cat <<END
The server is still running. Connect to it, from here or from anywhere:

    test/server.sh psql demo
    $(command -v psql) -h $PGHOST -p $PGPORT -U $PGUSER postgres

What README.md shows can be typed there, into the database postgres. The tables of the
demonstration are in the database demo, and those of docs/existing.md in examples.
All three have the extension.

Stop it and remove it:

    make demo-stop
END
