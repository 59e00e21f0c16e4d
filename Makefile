# flakeid: PostgreSQL extension, built with PGXS
#
#   make, make install     against the PostgreSQL that pg_config names
#   make installcheck      the SQL tests, on your own running server
#   make demo, demo-stop   a private server to try flakeid on
#   make test              every test, on private servers; by part: test-unit,
#                          test-sanitize, test-sim, test-package, test-warnings,
#                          test-regress, test-jit, test-pgtap, test-tap; T=...
#                          selects
#   make test-matrix       the same on other majors: VERSIONS="17 18 19"
#   make torture           slower attacks, over an hour on two cores; T=...
#   make test-mutants      do the tests find what they should?
#   make lint              static analysis
#   make fuzz              each fuzz target for FUZZ_SECONDS=60
#   make valgrind          the SQL tests with the server under valgrind
#   make dist              the archive for PGXN
#   make bench             what flakeid costs, on a private server, in about 12
#                          minutes; B="generators io" selects parts
#   make bench-docs        the same, and its tables and chart into docs/
#
# PG_CONFIG=/path/to/pg_config chooses another PostgreSQL in all of them but
# test-matrix; UPGRADE_FROM=/path/to/pg_config of an older one adds a test of pg_upgrade.

# A format is src/FORMAT.c and src/FORMAT.sql; uuid7 has no type of its own.
FORMATS = sno flax snowflake siq uid ulid uuid7
KERNEL = base tick sequence reservation setting hash formats
SERVER = type support time shmem slots markpage mark reset regression wait generate backfill random snapshot guc identity views module

# The pairs in sql/ and expected/, in the order they run.
REGRESS = contract sno flax snowflake siq uid uid_vclock ulid errors sort plan generate dump time brin partition
# Whatever the server's own: names are not of ASCII alone.
REGRESS_OPTS = --encoding=UTF8 --no-locale

EXTENSION = flakeid
EXTVERSION := $(shell sed -n "s/^default_version *= *'\(.*\)'/\1/p" flakeid.control)
MODULE_big = flakeid
OBJS = $(patsubst %,src/%.o,$(KERNEL) $(FORMATS) $(SERVER))
DATA_built = $(EXTENSION)--$(EXTVERSION).sql
DATA = $(wildcard src/$(EXTENSION)--*--*.sql)

PG_CONFIG ?= pg_config
INCLUDEDIR_SERVER := $(shell $(PG_CONFIG) --includedir-server 2>/dev/null)

# PostgreSQL's headers do not pass -Wextra; as system headers they need not.
PG_CPPFLAGS = -Isrc -isystem $(INCLUDEDIR_SERVER) -DFLAKE_VERSION='"$(EXTVERSION)"'
PG_CFLAGS = -Wextra
# No bitcode: our symbols are hidden, and JIT compilation that inlines a function
# which calls another one of ours ends the session (unresolved symbol).
override with_llvm = no

.DELETE_ON_ERROR:

all:

# Client packages bring pg_config and PGXS without the headers, so the headers
# are what tells whether a server extension can be built.
ifneq ($(wildcard $(INCLUDEDIR_SERVER)/postgres.h),)
PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)
else
all install uninstall installcheck:
	@echo "flakeid: no PostgreSQL server headers found by $(PG_CONFIG);" >&2
	@echo "install them (Debian: postgresql-server-dev-NN, NN being the server's major version)" >&2
	@echo "or name another pg_config: make PG_CONFIG=/path/to/pg_config" >&2
	@false
endif

# Every header for every object: a full build takes seconds. What was compiled for
# another PostgreSQL, which its directory of headers tells, is compiled anew.
ifneq ($(shell cat build/headers 2>/dev/null),$(INCLUDEDIR_SERVER))
$(shell mkdir -p build && echo '$(INCLUDEDIR_SERVER)' >build/headers)
endif
$(OBJS): $(wildcard src/*.h) build/headers

# The Makefile is a prerequisite because FORMATS stands in it.
$(DATA_built): src/head.sql $(FORMATS:%=src/%.sql) src/common.sql flakeid.control Makefile
	cat $(filter %.sql,$^) >$@

# The unit tests and the fuzz targets see the kernel and the formats without
# PostgreSQL.  build/unit has the tests, build/sanitize tests and targets with
# sanitizers, build/fuzz the targets as libFuzzer, which is clang's, runs them.
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all
UNIT_TESTS = $(notdir $(basename $(wildcard test/unit/*_test.c)))
FUZZ_TARGETS = $(notdir $(basename $(wildcard test/fuzz/*_fuzz.c)))

build-unit: $(UNIT_TESTS:%=build/unit/%)
build-sanitize: $(UNIT_TESTS:%=build/sanitize/%) $(FUZZ_TARGETS:%=build/sanitize/%)
build-fuzz: $(FUZZ_TARGETS:%=build/fuzz/%)

build/unit/%: UNIT_CC = $(CC) -O2
build/sanitize/%: UNIT_CC = $(CC) -O1 $(SANITIZE) -DFLAKE_FUZZ_MAIN
build/fuzz/%: UNIT_CC = clang -O1 $(SANITIZE) -fsanitize=fuzzer
UNIT_CFLAGS = -std=c11 -g -Wall -Wextra -Isrc -DFLAKE_STANDALONE

# For each of these directories; $(1) is its name.
define unit_rules
build/$(1)/%.o: src/%.c $(wildcard src/*.h)
	@mkdir -p $$(@D)
	$$(UNIT_CC) $$(UNIT_CFLAGS) -c -o $$@ $$<

build/$(1)/%: test/unit/%.c $(patsubst %,build/$(1)/%.o,$(KERNEL) $(FORMATS)) $(wildcard test/unit/*.h)
	$$(UNIT_CC) $$(UNIT_CFLAGS) -o $$@ $$(filter %.c %.o,$$^)

build/$(1)/%: test/fuzz/%.c $(patsubst %,build/$(1)/%.o,$(KERNEL) $(FORMATS)) $(wildcard test/fuzz/*.h)
	$$(UNIT_CC) $$(UNIT_CFLAGS) -o $$@ $$(filter %.c %.o,$$^)
endef
$(foreach directory,unit sanitize fuzz,$(eval $(call unit_rules,$(directory))))

# These install what they need before anything above is used, so they are
# scripts, which call make again.
demo:
	+@test/demo.sh

demo-stop:
	@test/server.sh stop demo

test:
	+@test/run.sh unit sanitize sim package warnings regress jit pgtap tap

test-unit test-sanitize test-sim test-package test-warnings test-regress test-jit test-pgtap test-tap test-mutants: test-%:
	+@test/run.sh $*

VERSIONS = 17 18 19

test-matrix:
	@test/matrix.sh $(VERSIONS)

torture:
	+@test/run.sh torture

fuzz:
	@test/setup.sh clang && test/fuzz/run.sh

valgrind:
	@test/setup.sh valgrind && test/valgrind.sh

lint:
	@test/setup.sh clang clang-tidy cppcheck shellcheck && test/lint.sh

# For PGXN, whose versions have three numbers.
DIST_TREE = HEAD
DIST_DIR = .
dist:
	git archive --format=zip --prefix=flakeid-$(EXTVERSION).0/ -o $(DIST_DIR)/flakeid-$(EXTVERSION).0.zip $(DIST_TREE)

bench:
	+@test/bench/run.sh $(B)

bench-docs:
	+@test/bench/run.sh --docs

clean: clean-private

clean-private:
	@test/server.sh clean
	rm -rf build

.PHONY: all install uninstall installcheck clean build-unit build-sanitize build-fuzz clean-private \
	bench bench-docs demo demo-stop dist fuzz lint valgrind test test-unit test-sanitize test-sim test-package test-warnings \
	test-regress test-jit test-pgtap test-tap test-matrix test-mutants torture
