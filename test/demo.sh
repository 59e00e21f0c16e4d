#!/bin/bash
# Build flakeid, start a private server with it, show it at work (demo.sql) and
# leave the server running.
set -euo pipefail
cd "$(dirname "$0")/.."

step() # TITLE CMD...
{
	local start=$EPOCHREALTIME end
	echo "== $1 ..."
	"${@:2}"
	end=$EPOCHREALTIME
	# Microseconds, whatever the locale's decimal point is.
	awk -v us=$((${end/[.,]/} - ${start/[.,]/})) 'BEGIN { printf "   %.1f s\n", us / 1e6 }'
}

step 'install what is missing' test/setup.sh
step 'build flakeid and install it into a private copy of PostgreSQL' test/server.sh install
step 'start a private server' test/server.sh start demo
eval "$(test/server.sh env demo)"
createdb demo
psql -X -q -d demo -f test/demo.sql

cat <<END
The server is still running. Connect to it, from here or from anywhere:

    test/server.sh psql demo -d demo
    $(command -v psql) -h $PGHOST -p $PGPORT -U $PGUSER demo

Stop it and remove it:

    make demo-stop
END
