# shellcheck shell=bash
# Functions shared by setup.sh, demo.sh and run.sh, which source this file: commands that ^C
# always ends, and that are not silent for long.

# Report progress now and then: the last line of the log, or only the time if the log is
# shown anyway, and then only if it has been silent.
start_ticker() # LOG [shown]
{
	(
		# A pause without a process that outlives this one.
		exec {pause}<> <(:)
		start=$SECONDS
		while ! read -rt 20 -u "$pause" && kill -0 $$ 2>/dev/null; do
			if [ $# = 1 ]; then
				echo "   ... $((SECONDS - start)) s so far: $(tail -n 1 "$1" | cut -c 1-60)"
			elif [ -z "$(find "$1" -newermt '-19 seconds')" ]; then
				echo "   ... $((SECONDS - start)) s so far"
			fi
		done
	) &
	ticker=$!
	disown
}

# By a signal without a handler: a subshell that has just begun still has this shell's, which
# would stop the server.
stop_ticker()
{
	[ -z "${ticker-}" ] || kill -KILL "$ticker" 2>/dev/null || :
	ticker=
}

# Run a command in its own process group, so that all of it can be ended even if it ignores
# signals. Its output is also in the log; if "quiet" is set, only there. Returns its status.
run_job() # LOG COMMAND...
{
	local rc=0

	: >"$1"
	set -m
	if [ -n "${quiet-}" ]; then
		"${@:2}" >"$1" 2>&1 </dev/null &
	else
		{ "${@:2}" 2>&1 | tee "$1"; } </dev/null &
	fi
	job=$!
	set +m
	[ -n "${quiet-}" ] || start_ticker "$1" shown
	wait "$job" || rc=$?
	stop_ticker
	job=
	return $rc
}

# End the job, and another script's part that runs beside it and ends its own job, as ^C
# would, and wait for them: tests stop their servers then.
end_job()
{
	local tries=200 group

	stop_ticker
	for group in ${job-} ${beside-}; do kill -INT -- "-$group" 2>/dev/null || :; done
	for group in ${job-} ${beside-}; do
		while kill -0 -- "-$group" 2>/dev/null && [ $((tries--)) -gt 0 ]; do sleep 0.1; done
		kill -KILL -- "-$group" 2>/dev/null || :
	done
	job='' beside=''
}

# The handler for ^C, SIGTERM and the end of the terminal; the trap on EXIT does the rest.
on_interrupt() # TEXT
{
	interrupted=$1
	trap 'trap "" INT TERM HUP; end_job; printf "\n%s\n" "$interrupted"; exit 130' INT TERM HUP
}

# Do all these parts of run.sh work without PostgreSQL?
alone() # PART...
{
	[[ " $*" =~ ^( (unit|sanitize|sim|mutants|s390x|arm64|musl|clang))+$ ]]
}
