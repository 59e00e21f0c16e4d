#!/bin/bash
# Run parts of the tests: run.sh PART..., which can be unit, sanitize, sim, mutants, package,
# warnings, regress, jit, pgtap, tap, check (regress and some of tap) and torture, and s390x, arm64, musl
# and clang, which are unit for another machine, library or compiler. All of them run even if
# some fail; the last line is "N passed, N failed", or "no test was run".
#
# T selects: for regress names from sql/ ("sno errors"), otherwise a piece of
# the file names (T=crash: test/t/*crash*.pl). PROVE_FLAGS is passed to prove.
# UPGRADE_FROM is the pg_config of an older PostgreSQL, from which tap upgrades.
# Logs are in build/log.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
. test/steps.sh

T=${T-}
make=${MAKE:-make}
logs=$PWD/build/log
jobs=$(nproc)
name=test-$$    # so that runs of different parts can be concurrent
passed=0 failed=0 untested=0

# The duration of a part on two quiet cores, in seconds, without the installation of missing
# packages. The duration of the others is configurable.
declare -A takes=([unit]=8 [sanitize]=21 [sim]=70 [package]=80 [warnings]=17 [regress]=61 [check]=90 [jit]=20 [pgtap]=60 [tap]=345)

unit() # [DIRECTORY [EMULATOR]]
{
	local rc=0 where=${1:-unit}
	"$make" -s -k -j "$jobs" build-$where || rc=1
	prove --directives -j "$jobs" ${PROVE_FLAGS-} -e "${2-}" $(ls build/$where/*"$T"*_test) || rc=1
	return $rc
}

# The unit tests for other machines, libraries and compilers, and the programs that run them.
declare -A ports=([s390x]=qemu-s390x-static [arm64]=qemu-aarch64-static [musl]='' [clang]='')

# The same with AddressSanitizer and UndefinedBehaviorSanitizer, and the fuzz
# targets with random inputs.
sanitize()
{
	local rc=0
	"$make" -s -k -j "$jobs" build-sanitize || rc=1
	prove --directives -j "$jobs" ${PROVE_FLAGS-} -e '' $(ls build/sanitize/*"$T"*_{test,fuzz} 2>/dev/null) || rc=1
	return $rc
}

# The generator's own code under random schedules, and under all schedules of small worlds:
# see test/sim/sim.c. With -k only the former, with -w only the latter.
sim()
{
	local lists=${1:--k -w} list
	test/sim/build.sh build/sim &&
		prove --directives -j "$jobs" ${PROVE_FLAGS-} -e build/sim/sim \
			$(for list in $lists; do build/sim/sim "$list"; done)
}

# Every available compiler, each in its own copy; flags that only gcc knows, with which
# the server was built, are not our fault.
warnings()
{
	local cc n=0 rc=0 result dir=build/warnings
	local copt='-Werror -Wno-unknown-warning-option -Wno-ignored-optimization-argument -Wno-unused-command-line-argument'
	for cc in gcc $(compgen -c clang | grep -xE 'clang(-[0-9]+)?' | head -n 1); do
		rm -rf $dir && mkdir -p $dir/test && cp -r Makefile META.json flakeid.control src $dir && find $dir/src -name "*.o" -delete && cp test/Makefile $dir/test
		result=ok
		"$make" -s -j "$jobs" -C $dir PG_CONFIG="$PG_CONFIG" CC="$cc" COPT="$copt" flakeid.so || result='not ok' rc=1
		echo "$result $((++n)) - no warning from $("$cc" --version | head -n 1)"
	done
	return $rc
}

regress()
{
	"$make" -s installcheck TAP_TESTS= PG_CONFIG="$PG_CONFIG" ${T:+REGRESS="$T"} && return
	[ ! -f regression.diffs ] || head -n 200 regression.diffs
	return 1
}

# Every query is compiled. Not all tests: those that call SQL functions in loops, which are
# then compiled again and again, would take minutes.
jit()
{
	PGOPTIONS='-c jit=on' psql -XAtqc "SELECT 'skipped: this server has no JIT' WHERE NOT pg_jit_available()" | grep . && return
	T=${T:-contract sno siq time plan} PGOPTIONS='-c jit=on -c jit_above_cost=0 -c jit_inline_above_cost=0' regress
}

# pgTAP is SQL: another major version's can be used for a server without one.
pgtap()
{
	local extensions
	extensions=${PGHOST%/run/*}/pg$("$PG_CONFIG" --sharedir)/extension
	[ -e "$extensions/pgtap.control" ] || cp /usr/share/postgresql/*/extension/pgtap* "$extensions"
	createdb pgtap &&
	psql -Xq -d pgtap -c 'CREATE EXTENSION pgtap' -c 'CREATE EXTENSION flakeid' &&
	pg_prove --directives -j "$jobs" ${PROVE_FLAGS-} -d pgtap $(ls test/pgtap/*"$T"*.sql)
}

# The longest tests first, so that in the end no core waits for a single one. They wait for
# clocks and servers more than half of the time, so two of them run for each core.
tap()
{
	local slowest='047 050 010 030 008 014 051 005 029 012 002 038 013 052 011 064 004 062 016 001 020'
	jobs=$((jobs * 2)) prove_copy --timer $(printf '%s\n' test/t/*"$T"*.pl | awk -v slowest="$slowest" '
		{ number = substr($0, 8, 3); at = index(slowest, number); print at ? at : 999, $0 }' | sort -n | cut -d ' ' -f 2)
}

# The SQL tests, and what most changes of the generators break first: uniqueness, wrong
# clocks, crashes. The latter mostly wait, and the former need a processor meanwhile.
check()
{
	local rc=0 sql
	regress >"$logs/regress.log" 2>&1 &
	sql=$!
	prove_copy --timer test/t/{010_crash,004_clock,001_unique}.pl || rc=1
	wait $sql || rc=1
	cat "$logs/regress.log"
	return $rc
}

# Slower attacks, more than an hour on two cores: TORTURE_SCHEDULES of each kind of the
# simulation, in quarters, so that there is progress to report, and all schedules of its
# worlds with TORTURE_PREEMPTIONS; sequences of operations on the issued intervals, longer
# than usual by TORTURE_DEPTH; the comments at the top of the others describe their sizes.
torture()
{
	local rc=0 schedules=$((${TORTURE_SCHEDULES:-400000} / 4)) files i
	files=$(printf '%s\n' test/t/010_crash.pl test/t/029_many_databases.pl test/t/052_feeds.pl test/t/064_feeds_published.pl test/torture/*.pl | grep -F -- "$T")
	if [[ sim = *$T* ]]; then
		for i in 0 1 2 3; do
			SIM_SCHEDULES=$schedules SIM_SEED=$((1 + i * schedules)) sim -k || rc=1
		done
		SIM_PREEMPTIONS=${TORTURE_PREEMPTIONS:-3} sim -w || rc=1
	fi
	[[ issued != *$T* ]] || FLAKEID_DEPTH=${TORTURE_DEPTH:-1} T=issued unit || rc=1
	echo 'fsync = on' >"$PGHOST/torture.conf"
	[ -z "$files" ] || CRASH_ROUNDS=${CRASH_ROUNDS:-300} DATABASES=${DATABASES:-1000} FEEDS_MINUTES=${FEEDS_MINUTES:-60} FEEDS_SECONDS=${FEEDS_SECONDS:-30} TEMP_CONFIG=$PGHOST/torture.conf \
		PG_TEST_TIMEOUT_DEFAULT=1200 jobs=1 prove_copy $files || rc=1
	return $rc
}

# The alerts of docs/monitoring.md, with Debian's Prometheus and exporter: if this machine
# lacks them, they are unpacked below build/, so that no service is installed.
alerts()
{
	local dir=$PWD/build/prometheus name
	mkdir -p "$dir"
	for name in prometheus prometheus-postgres-exporter; do
		[ -x "$dir/usr/bin/$name" ] || (cd "$dir" && apt-get download "$name" && dpkg -x "$name"_*.deb . && rm "$name"_*.deb) || :
	done
	cp -r "$dir/usr/bin" "$PGHOST/prometheus" 2>/dev/null || :
	chmod -R a+rX "$PGHOST/prometheus" 2>/dev/null || :
	PROMETHEUS=$PGHOST/prometheus/prometheus POSTGRES_EXPORTER=$PGHOST/prometheus/prometheus-postgres-exporter prove_copy --timer test/alerts/alerts.pl
}

# Do the tests find the faults that they should?
mutants()
{
	perl test/sim/mutants.pl ${T:+"$T"}
}

# Data directories that the servers of a script start from, one copy each, because every
# initdb takes a second: see init_server() in test/t/lib/Flakeid/Servers.pm. A single test,
# selected by T, is faster without them.
make_templates() # DIRECTORY
{
	mkdir "$1" && chown --reference="$PGHOST" "$1" && cd "$1" || return
	[ -n "$T" ] || printf '%s\n' {1..6} | xargs -P "$jobs" -I '{}' \
		"$server" run initdb -D "$1/{}" -A trust --no-sync --no-locale -E UTF8 >/dev/null
}

# Prove files of test/ in a copy of the checkout.
prove_copy()
{
	local pgxs dir=$PGHOST/tap
	pgxs=${PGHOST%/run/*}/pg$(dirname "$("$PG_CONFIG" --pgxs)")/..
	[ -e "$pgxs/test/perl/PostgreSQL/Test/Cluster.pm" ] || {
		echo 'skipped: this PostgreSQL was configured without --enable-tap-tests'
		return
	}
	# a test adds versions of the extension there
	chown --reference="$PGHOST" "${PGHOST%/run/*}/pg$("$PG_CONFIG" --sharedir)/extension"
	test/copy.sh "$dir" && (make_templates "$dir/templates") &&
	{ [[ ! -d build/clients || " $*" != *030_clients* ]] || cp -r build/clients "$dir/test/"; } && chown -R --reference="$PGHOST" "$dir" && (
		cd "$dir" &&
		"$server" run env -u PGHOST -u PGPORT -u PGUSER -u PGDATABASE \
			TESTDIR="$dir" TESTDATADIR="$dir/tmp_check" TESTLOGDIR="$dir/tmp_check/log" \
			PG_REGRESS="$pgxs/test/regress/pg_regress" OLD_SERVER="$old_server" TEMPLATES="$dir/templates" \
			prove --directives -j "$jobs" ${PROVE_FLAGS-} -I "$pgxs/test/perl" "$@"
	)
}

# The release (versions, metadata, the archive), a newcomer's first steps with it, and the
# packages built from it. The first steps often wait for a moment to interrupt something,
# hence one more job.
package()
{
	"$make" -s -j "$jobs" PG_CONFIG="$PG_CONFIG" all &&
		prove --directives -j $((jobs + 1)) ${PROVE_FLAGS-} $(printf '%s\n' test/{columns,first_steps,first_steps_install,package,qualified,rooms,stale}.pl | grep -F -- "$T")
}

# Count the results in a part's output: pg_regress prints a line for each test (in TAP
# since 16), like TAP itself; prove prints a summary with a line for each failed file. A
# failed file without a failed test has another fault (its plan, its exit status), which
# counts as one. Skipped tests have not passed.
count()
{
	awk -v tap="$([[ $1 =~ ^(mutants|warnings)$ ]] && echo 1)" '
		/^test .* ok  .* ms$/ || /^ok .* ms$/ || tap && /^ok / { p++ }
		/^test .* FAILED .* ms$/ || /^not ok .* ms$/ || tap && /^not ok / { f++ }
		/^Files=[0-9]+, Tests=/ { sub(/.*Tests=/, ""); p += $0 + 0 }
		/\(Wstat: .* Failed: [0-9]+\)$/ { sub(/.*Failed: /, ""); p -= $0 + 0; f += $0 + 0 ? $0 + 0 : 1 }
		!tap && /^(not )?ok / && tolower($0) ~ /# *(skip|todo)/ { p-- }
		END { print p + 0, f + 0 }' "$2"
}

run() # PART, which is the Nth of M
{
	local part=$1 log=$logs/$1.log rc=0 p f t=$SECONDS command=("$1")
	[ -z "${ports[$part]+port}" ] || command=(unit "$part" "${ports[$part]}")
	printf '\n=== %s, part %s of %s%s; %s s so far\n' "$part" "$2" "$3" "${takes[$part]+: about ${takes[$part]} s}" "$SECONDS"
	run_job "$log" "${command[@]}" || rc=1
	read -r p f < <(count "$part" "$log")
	if [ $((p + f)) = 0 ] && ! grep '^skipped: ' "$log" >/dev/null; then
		echo "=== $part: no test was run"
		((untested++))
		return
	elif [ $rc != 0 ] && [ "$f" = 0 ]; then
		echo "$part: did not end well"
		f=1
	fi
	echo "=== $part: $p passed, $f failed, $((SECONDS - t)) s"
	passed=$((passed + p)) failed=$((failed + f))
}

# The closing line. A part that ran no test has failed, and so has a source that does not
# compile; but if the run never reached a test, because packages or a server are missing, it
# would be false to report a failed one.
finish()
{
	if [ $((passed + failed)) = 0 ] && [ "$untested" != 0 ]; then
		printf '\nno test was run\n'
		exit 1
	fi
	failed=$((failed + untested))
	printf '\n%s passed, %s failed\n' "$passed" "$failed"
	[ "$failed" = 0 ]
	exit
}

for part; do
	alone "$part" || [[ $part =~ ^(package|warnings|regress|jit|pgtap|tap|check|torture|alerts)$ ]] || { echo "run.sh: no such part: $part" >&2; exit 2; }
done
mkdir -p "$logs"
rm -rf "$logs/server.log" "$logs/tap"
server=$PWD/test/server.sh

total=0
for part; do total=$((total + ${takes[$part]-0})); done
[ $# = 1 ] || echo "$# parts: $*; about $(((total + 59) / 60)) minutes on two quiet cores, and up to three more if packages have to be installed"
on_interrupt 'Interrupted; nothing of the tests is left running.'

untested=$#
test/setup.sh "$@" || finish
if ! alone "$@"; then
	trap '"$server" stop $name' EXIT
	{ [ -z "${UPGRADE_FROM-}" ] || PG_CONFIG=$UPGRADE_FROM run_job "$logs/install.log" "$server" install; } &&
		run_job "$logs/install.log" "$server" install || { failed=1 untested=0; finish; }
	run_job "$logs/install.log" "$server" start $name fsync=off || finish
	# Find it now, because the private copy, which is first in PATH from here on, has a
	# pg_config, too, but no headers.
	PG_CONFIG=$(command -v "${PG_CONFIG:-pg_config}")
	export PG_CONFIG
	eval "$("$server" env $name)"
	old_server=${UPGRADE_FROM:+${PGHOST%/run/*}/pg$(dirname "$("$UPGRADE_FROM" --bindir)")}
fi

n=0 untested=0
for part; do run "$part" $((++n)) $#; done

if [ "$failed" != 0 ] && ! alone "$@"; then
	cp "$PGHOST/log" "$logs/server.log"
	[ ! -d "$PGHOST/tap/tmp_check/log" ] || cp -r "$PGHOST/tap/tmp_check/log" "$logs/tap"
fi
finish
