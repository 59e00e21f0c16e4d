# shellcheck shell=bash
# What setup.sh, demo.sh and run.sh share, to be sourced: commands that ^C always ends,
# and that are not silent for long.

# Every so often say that it goes on: what was written to the log last, or only the
# time where the log is shown anyway, and then only if it was silent meanwhile.
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

stop_ticker()
{
	[ -z "${ticker-}" ] || kill "$ticker" 2>/dev/null || :
	ticker=
}

# Run a command in a process group of its own, so that all of it can be ended whatever
# it does with signals. What it prints is also in the log. Answers its status.
run_job() # LOG COMMAND...
{
	local rc=0

	: >"$1"
	set -m
	{ "${@:2}" 2>&1 | tee "$1"; } </dev/null &
	job=$!
	set +m
	start_ticker "$1" shown
	wait "$job" || rc=$?
	stop_ticker
	job=
	return $rc
}

# End the job as ^C would, and wait for it: tests stop their servers then.
end_job()
{
	local tries=150

	stop_ticker
	[ -n "${job-}" ] || return 0
	kill -INT -- "-$job" 2>/dev/null || :
	while kill -0 -- "-$job" 2>/dev/null && [ $((tries--)) -gt 0 ]; do sleep 0.1; done
	kill -KILL -- "-$job" 2>/dev/null || :
	job=
}

# What ^C, SIGTERM and the end of the terminal do; the trap on EXIT does the rest.
on_interrupt() # TEXT
{
	interrupted=$1
	trap 'trap "" INT TERM HUP; end_job; printf "\n%s\n" "$interrupted"; exit 130' INT TERM HUP
}

# Can all these parts of run.sh do without PostgreSQL?
alone() # PART...
{
	[[ " $*" =~ ^( (unit|sanitize|sim|mutants|s390x|arm64|musl|clang))+$ ]]
}
