#!/bin/bash
# Run parts of the tests: run.sh PART..., which can be unit, sanitize, sim, mutants, rules,
# package, warnings, regress, jit, pgtap, tap, ecosystem, check (some of all) and torture,
# and s390x, arm64, musl and clang, which are unit for another machine, library or compiler.
# "changed" stands for those of package, warnings and jit whose files have changed. All of
# them run even if some fail; the last line is "N passed, N failed", or "no test was run".
#
# T selects: for regress names from sql/ ("sno errors"), otherwise a piece of
# the file names (T=crash: test/t/*crash*.pl). PROVE_FLAGS is passed to prove.
# SHORT=1, as in "make test" and in check: fewer rounds, rows and random queries; test/README.md names them.
# UPGRADE_FROM is the pg_config of an older PostgreSQL, from which tap upgrades.
# Logs are in build/log. run.sh --duration PART... only says how many seconds they take.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
. test/steps.sh

T=${T-}
make=${MAKE:-make}
logs=$PWD/build/log
jobs=$(nproc)
name=test-$$    # so that runs of different parts can be concurrent
results=    # a file with a line for each part that has ended: passed, failed, 1 if no test was run, its name, seconds
beside=    # the process groups of parts that run beside another one

# The duration of a part on two quiet cores, in seconds, without the installation of missing
# packages, and the seconds of CPU that it uses. The duration of the others is configurable.
declare -A takes=([rules]=3 [unit]=7 [sanitize]=20 [sim]=35 [package]=60 [warnings]=16 [regress]=15 [check]=60 [jit]=12 [pgtap]=15 [tap]=290 [ecosystem]=45)
declare -A uses=([rules]=2 [unit]=8 [sanitize]=33 [sim]=100 [package]=82 [warnings]=28 [regress]=20 [jit]=12 [pgtap]=30 [tap]=550)
[ -z "${SHORT-}" ] || { takes[tap]=185 uses[sim]=50 uses[pgtap]=10 uses[tap]=290; }

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
# targets with random inputs; only these if it is shortened.
sanitize()
{
	local rc=0 kind kinds='test fuzz' tests=
	! shortened sanitize || kinds=fuzz tests=UNIT_TESTS=
	"$make" -s -k -j "$jobs" build-sanitize $tests || rc=1
	prove --directives -j "$jobs" ${PROVE_FLAGS-} -e '' $(for kind in $kinds; do ls build/sanitize/*"$T"*_$kind; done 2>/dev/null) || rc=1
	return $rc
}

# The generator's own code under random schedules, and under all schedules of small worlds:
# see test/sim/sim.c. With -k only the former, with -w only the latter.
sim()
{
	local lists=${1:--k -w} list
	[ -z "${SHORT-}" ] || export SIM_SCHEDULES=${SIM_SCHEDULES:-$(shortened sim && echo 1000 || echo 2000)}
	test/sim/build.sh build/sim &&
		prove --directives -j "$jobs" ${PROVE_FLAGS-} -e build/sim/sim \
			$(for list in $lists; do build/sim/sim "$list" | sim_selected "$list"; done)
}

# Of the worlds, which take most of the time, every sixth from one of the first six on, unless
# they are run whole. In the list, similar worlds are neighbours.
sim_selected() # LIST
{
	if [ "$1" = -w ] && shortened sim; then
		awk -v rest=$((RANDOM % 6)) 'NR % 6 == rest'
	else
		cat
	fi
}

# Every available compiler, each in its own copy; flags that only gcc knows, with which
# the server was built, are not our fault. Clang's warnings, unlike gcc's, do not depend on
# its optimizer, which takes most of its time.
warnings()
{
	local cc n=0 rc=0 result dir=build/warnings
	local copt='-Werror -Wno-unknown-warning-option -Wno-ignored-optimization-argument -Wno-unused-command-line-argument'
	for cc in gcc $(compgen -c clang | grep -xE 'clang(-[0-9]+)?' | head -n 1); do
		rm -rf $dir && mkdir -p $dir/test && cp -r Makefile META.json flakeid.control src $dir && find $dir/src -name "*.o" -delete && cp test/Makefile $dir/test
		result=ok
		"$make" -s -j "$jobs" -C $dir PG_CONFIG="$PG_CONFIG" CC="$cc" COPT="$copt$([ "$cc" = gcc ] || echo ' -O0')" flakeid.so || result='not ok' rc=1
		echo "$result $((++n)) - no warning from $("$cc" --version | head -n 1)"
	done
	return $rc
}

# Two runs of pg_regress, each in its own database. The tests of the first create a role or a
# database of the same name.
regress()
{
	local first=" ${T:-errors estimates generate plan time instant snowflake ulid sort} " second='' all test log=$logs/regress-second.log rc=0 pid
	if [ -z "$T" ]; then
		read -ra all < <(sed -n 's/^REGRESS = //p' Makefile)
		for test in "${all[@]}"; do
			[[ $first == *" $test "* ]] || second+=" $test"
		done
		run_regress second $second >"$log" 2>&1 &
		pid=$!
	fi
	run_regress first $first || rc=1
	if [ -n "$second" ]; then
		wait $pid || rc=1
		cat "$log"
	fi
	return $rc
}

run_regress() # DATABASE TEST...
{
	local dir=build/regress-$1
	# the tests copy rows to results/, wherever the outputs go
	rm -rf "$dir" && mkdir -p "$dir" results &&
		"$make" -s installcheck TAP_TESTS= PG_CONFIG="$PG_CONFIG" REGRESS="${*:2}" \
			REGRESS_OPTS="--encoding=UTF8 --no-locale --dbname=regress_$1 --outputdir=$dir" && return
	[ ! -f "$dir/regression.diffs" ] || head -n 200 "$dir/regression.diffs"
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
# clocks and servers more than half of the time, so three of them run for each core.
tap()
{
	local slowest='035 047 074 079 051 038 062 014 085 023 073 048 013 008 022 010 002 083 058 064 029 011 052 016 067 007 056 053 024 068 069 081 049 034 026 004 015 054 012 059 027 077'
	CHANGED=$changed jobs=$((jobs * 3)) prove_copy --timer $(printf '%s\n' test/t/*"$T"*.pl | awk -v slowest="$slowest" '
		{ number = substr($0, 8, 3); at = index(slowest, number); print at ? at : 999, $0 }' | sort -n | cut -d ' ' -f 2)
}

# What depends on programs of others, and on versions other than this one.
ecosystem()
{
	jobs=$((jobs * 2)) prove_copy --timer $(ls -r test/ecosystem/*"$T"*.pl)
}

# What most changes break first: the unit tests, SQL, a tenth of the simulation's schedules,
# and some of tap: uniqueness, wrong clocks, crashes. These mostly wait, and the others need a
# processor meanwhile.
check()
{
	local rc=0 pid log=$logs/check-beside.log
	export SHORT=1
	check_beside >"$log" 2>&1 &
	pid=$!
	jobs=3 prove_copy --timer test/t/{010_crash,004_clock,001_unique}.pl || rc=1
	wait $pid || rc=1
	cat "$log"
	return $rc
}

check_beside()
{
	local rc=0
	unit || rc=1
	SIM_SCHEDULES=${SIM_SCHEDULES:-600} sim -k || rc=1
	T=${T:-contract sno flax generate errors sort} regress || rc=1
	return $rc
}

# Slower attacks, more than an hour on two cores: TORTURE_SCHEDULES of each kind of the
# simulation, in quarters, so that there is progress to report, and all schedules of its
# worlds with TORTURE_PREEMPTIONS; sequences of operations on the issued intervals, longer
# than usual by TORTURE_DEPTH; the comments at the top of the others describe their sizes.
torture()
{
	local rc=0 schedules=$((${TORTURE_SCHEDULES:-400000} / 4)) files i
	files=$(printf '%s\n' test/t/{010_crash,029_many_databases,052_feeds,054_sequences_feeds,064_feeds_published,074_edition_changes,077_sequences_ddl,081_changes}.pl test/torture/*.pl | grep -F -- "$T")
	if [[ sim = *$T* ]]; then
		for i in 0 1 2 3; do
			SIM_SCHEDULES=$schedules SIM_SEED=$((1 + i * schedules)) sim -k || rc=1
		done
		SIM_PREEMPTIONS=${TORTURE_PREEMPTIONS:-3} sim -w || rc=1
	fi
	[[ issued != *$T* ]] || FLAKEID_DEPTH=${TORTURE_DEPTH:-1} T=issued unit || rc=1
	echo 'fsync = on' >"$PGHOST/torture.conf"
	[ -z "$files" ] || CRASH_ROUNDS=${CRASH_ROUNDS:-300} DATABASES=${DATABASES:-1000} FEEDS_MINUTES=${FEEDS_MINUTES:-30} FEEDS_SECONDS=${FEEDS_SECONDS:-30} TEMP_CONFIG=$PGHOST/torture.conf \
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

# Data directories, with and without the extension, that the scripts' servers are copies of, as
# initdb takes a second, and a tenth the extension: see init_server() in
# test/t/lib/Flakeid/Servers.pm. A server without clients takes OIDs of its own objects, which
# dumps and planning tell from others, unless it is told the next one.
make_templates() # DIRECTORY
{
	mkdir "$1" && chown --reference="$PGHOST" "$1" && cd "$1" && "$server" run sh -c '
		initdb -D plain -A trust --no-sync --no-locale -E UTF8 && cp -a plain extension &&
		pg_resetwal -o 16384 extension && echo "CREATE EXTENSION flakeid" | postgres --single -F -c log_checkpoints=off -D extension postgres &&
		rm plain/pg_wal/0* extension/pg_wal/0*    # each copy gets its own by pg_resetwal
	' >/dev/null
}

# Prove files of test/ in a copy of the checkout, for the part that runs.
prove_copy()
{
	local pgxs dir
	# not by way of a link, since programs and /proc say where files really are
	dir=$(readlink -f "$PGHOST")/$part
	pgxs=${PGHOST%/run/*}/pg$(dirname "$("$PG_CONFIG" --pgxs)")/..
	[ -e "$pgxs/test/perl/PostgreSQL/Test/Cluster.pm" ] || {
		echo 'skipped: this PostgreSQL was configured without --enable-tap-tests'
		return
	}
	# a test adds versions of the extension there
	chown --reference="$PGHOST" "${PGHOST%/run/*}/pg$("$PG_CONFIG" --sharedir)/extension"
	test/copy.sh "$dir" && mkdir "$dir/released" && packaging/released.sh "$dir/released" && (make_templates "$dir/templates") &&
	{ [[ ! -d build/clients || ! " $*" =~ (030_clients|075_pglite) ]] || cp -r build/clients "$dir/test/"; } && chown -R --reference="$PGHOST" "$dir" && (
		cd "$dir" &&
		"$server" run env -u PGHOST -u PGPORT -u PGUSER -u PGDATABASE \
			TESTDIR="$dir" TESTDATADIR="$dir/tmp_check" TESTLOGDIR="$dir/tmp_check/log" \
			PG_REGRESS="$pgxs/test/regress/pg_regress" OLD_SERVER="$old_server" TEMPLATES="$dir/templates" \
			prove --directives -j "$jobs" ${PROVE_FLAGS-} -I "$pgxs/test/perl" "$@"
	)
}

# Rules for the sources: which file calls which, that no other user's object can capture the
# extension's SQL, that the mutants still fit, that installing needs no tool that macOS lacks,
# that the documents have the durations above.
rules()
{
	prove_built "$jobs" test/{columns,durations,hints,macos_tools,qualified,rooms,stale}.pl
}

# The release (versions, metadata, the archive), a newcomer's first steps with it, and the
# packages built from it. The first steps often wait for a moment to interrupt something,
# hence one more job.
package()
{
	prove_built $((jobs + 1)) test/{first_steps,first_steps_install,package}.pl
}

prove_built() # JOBS FILE...
{
	"$make" -s -j "$jobs" PG_CONFIG="$PG_CONFIG" all &&
		prove --directives -j "$1" ${PROVE_FLAGS-} $(printf '%s\n' "${@:2}" | grep -F -- "$T")
}

# What has changed since this branch left main, or on main, in the last commit or since.
# Without a history nothing has changed.
changed_files()
{
	local base
	base=$(git merge-base HEAD "$(git rev-parse -q --verify origin/main || git rev-parse -q --verify main || echo HEAD)") || return
	[ "$base" != "$(git rev-parse HEAD)" ] || base=$(git rev-parse -q --verify HEAD^) || return
	git diff --name-only "$base"
	git ls-files --others --exclude-standard
} 2>/dev/null

# Can what has changed break this part? The others always run, and whole.
touched() # PART
{
	local files
	case $1 in
		package) files='(packaging|debian)/.*|test/(package|first_steps.*|Trial)\.p[lm]|test/(demo|run|server|setup|steps|copy)\..*|(.*/)?Makefile|META\.json|flakeid\.control|LICENSE' ;;
		warnings) files='src/.*\.[ch]|(.*/)?Makefile' ;;
		jit) files='src/.*\.h|(.*/)?Makefile' ;;
		sanitize) files='src/(kernel|types)/.*\.[ch]|test/(unit|fuzz|vectors)/.*|test/Makefile' ;;
		sim) files='src/(kernel|server|session|mark|horizon|generate|types)/.*\.[ch]|test/sim/.*' ;;
		*) return 0 ;;
	esac
	grep -qxE "$files" <<<"$changed"
}

# Does this part do less because SHORT is set and nothing has changed that it tests?
shortened() { [ -n "${SHORT-}" ] && ! touched "$1"; } # PART

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

run() # PART
{
	local part=$1 log=$logs/$1.log rc=0 p f t=$SECONDS command=("$1")
	[ -z "${ports[$part]+port}" ] || command=(unit "$part" "${ports[$part]}")
	printf '\n=== %s%s%s; %s s so far\n' "$part" "${quiet:+, beside it}" "${takes[$part]+: about ${takes[$part]} s}" "$SECONDS"
	run_job "$log" "${command[@]}" || rc=1
	read -r p f < <(count "$part" "$log")
	if [ $((p + f)) = 0 ] && ! grep '^skipped: ' "$log" >/dev/null; then
		[ -z "${quiet-}" ] || cat "$log"
		echo "=== $part: no test was run"
		echo "0 0 1 $part $((SECONDS - t))" >>"$results"
		return
	elif [ $rc != 0 ] && [ "$f" = 0 ]; then
		echo "$part: did not end well"
		f=1
	fi
	[ -z "${quiet-}" ] || [ "$f" = 0 ] || cat "$log"
	echo "=== $part: $p passed, $f failed, $((SECONDS - t)) s"
	echo "$p $f 0 $part $((SECONDS - t))" >>"$results"
}

# Some of the parts that run while tap does, one after the other. Their output is only shown
# if something has failed, because it would be mixed with that of tap.
run_beside() # PART...
{
	local quiet=1 part
	job='' ticker='' beside=''
	trap 'trap "" INT TERM HUP; end_job; exit 130' INT TERM HUP
	for part; do run "$part"; done
}

# All parts: tap, which mostly waits, together with two lines of those that need a processor,
# which are the parts that use the same server, as some create the same roles and databases,
# and those that compile; the ecosystem last, as no change of ours is its most likely fault.
run_all() # PART...
{
	local part line serving=() compiling=()
	for part; do
		case $part in
			tap | ecosystem) ;;
			rules | regress | jit | pgtap) serving+=("$part") ;;
			*) compiling+=("$part") ;;
		esac
	done
	if [[ " $* " == *' tap '* ]]; then
		set -m
		for line in "${serving[*]}" "${compiling[*]}"; do
			[ -n "$line" ] || continue
			run_beside $line &
			beside+=" $!"
		done
		set +m
		run tap
		start_ticker "$results" shown
		for line in $beside; do wait "$line" || echo 0 1 0 >>"$results"; done
		stop_ticker
		beside=
	else
		for part; do [ "$part" = ecosystem ] || run "$part"; done
	fi
	[[ " $* " != *' ecosystem '* ]] || run ecosystem
}

# The duration of all these parts, after a server is installed: of tap and those beside it
# together the time of two CPUs that are busy nine tenths of it, and of the ecosystem alone.
duration() # PART...
{
	local part total=15 used=0
	[ $# != 1 ] || total=0
	for part; do
		if [[ " $* " == *' tap '* && $part != ecosystem ]]; then
			used=$((used + ${uses[$part]-0} / $(shortened "$part" && echo 2 || echo 1)))
		else
			total=$((total + ${takes[$part]-0}))
		fi
	done
	used=$((used * 10 / 18))
	[[ " $* " != *' tap '* ]] || [ $used -gt "${takes[tap]}" ] || used=${takes[tap]}
	echo $((total + used))
}

# Where the time went.
durations() { awk -v all=$SECONDS 'NF == 5 { parts = parts $4 " " $5 " s, " } END { print parts "in all " all " s" }' "$results"; }

totals() { awk '{ p += $1; f += $2; u += $3 } END { print p + 0, f + 0, u + 0 }' "$results"; }

# The closing line. A part that ran no test has failed, and so has a source that does not
# compile; but if the run never reached a test, because packages or a server are missing, it
# would be false to report a failed one.
finish()
{
	local passed failed untested
	read -r passed failed untested < <(totals)
	if [ $((passed + failed)) = 0 ] && [ "$untested" != 0 ]; then
		printf '\nno test was run\n'
		exit 1
	fi
	failed=$((failed + untested))
	printf '\n%s\n%s passed, %s failed\n' "$(durations)" "$passed" "$failed"
	[ "$failed" = 0 ]
	exit
}

only=
[ "${1-}" != --duration ] || { only=duration; shift; }
changed=$(changed_files)
parts=() untouched=()
for part; do
	if [ "$part" = changed ]; then
		for candidate in package warnings jit; do
			if touched "$candidate"; then parts+=("$candidate"); else untouched+=("$candidate"); fi
		done
	else
		parts+=("$part")
	fi
done
set -- "${parts[@]}"
for part; do
	alone "$part" || [[ $part =~ ^(rules|package|warnings|regress|jit|pgtap|tap|ecosystem|check|torture|alerts)$ ]] || { echo "run.sh: no such part: $part" >&2; exit 2; }
done
[ -z "$only" ] || { duration "$@"; exit; }
mkdir -p "$logs"
rm -rf "$logs"/{server.log,tap,ecosystem,check}
results=$(mktemp)
trap 'rm -f "$results"' EXIT
server=$PWD/test/server.sh

[ $# = 1 ] || echo "$# parts: $*; about $((($(duration "$@") + 59) / 60)) minutes on two quiet cores, and up to three more if packages have to be installed"
[ ${#untouched[@]} = 0 ] || echo "left out, as nothing that they test has changed: ${untouched[*]}"
for part; do
	! shortened "$part" || echo "$part is shortened, as nothing that it tests has changed"
done
on_interrupt 'Interrupted; nothing of the tests is left running.'

test/setup.sh "$@" || { echo "0 0 $#" >>"$results"; finish; }
if ! alone "$@"; then
	trap '"$server" stop $name; rm -f "$results"' EXIT
	{ [ -z "${UPGRADE_FROM-}" ] || PG_CONFIG=$UPGRADE_FROM run_job "$logs/install.log" "$server" install; } &&
		run_job "$logs/install.log" "$server" install || { echo 0 1 0 >>"$results"; finish; }
	[[ " $* " == *' torture '* ]] || in_memory=1
	# VACUUM in a test leaves pages that are not all-visible while autovacuum has a snapshot, and
	# plans depend on that. Not off: from 18 on, CREATE INDEX would count no rows then.
	IN_MEMORY=${in_memory-} run_job "$logs/install.log" "$server" start $name fsync=off jit=off autovacuum_naptime=1d || { echo "0 0 $#" >>"$results"; finish; }
	# Find it now, because the private copy, which is first in PATH from here on, has a
	# pg_config, too, but no headers.
	PG_CONFIG=$(command -v "${PG_CONFIG:-pg_config}")
	export PG_CONFIG
	eval "$("$server" env $name)"
	old_server=${UPGRADE_FROM:+${PGHOST%/run/*}/pg$(dirname "$("$UPGRADE_FROM" --bindir)")}
fi

run_all "$@"

if [[ $(totals) != *' 0 0' ]] && ! alone "$@"; then
	cp "$PGHOST/log" "$logs/server.log"
	for part; do
		[ ! -d "$PGHOST/$part/tmp_check/log" ] || { rm -rf "${logs:?}/$part"; cp -r "$PGHOST/$part/tmp_check/log" "$logs/$part"; }
	done
fi
finish
