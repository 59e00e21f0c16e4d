# flakeid: PostgreSQL extension, built with PGXS
#
#   make, make install     against the PostgreSQL that pg_config names
#   make installcheck      the SQL tests on your own running server (PGHOST,
#                          PGPORT, PGUSER: a superuser), where flakeid.node is
#                          not set, as some make IDs in two databases, and the
#                          TAP tests on servers of their own, half an hour;
#                          TAP_TESTS= without these, three minutes;
#                          PROVE_TESTS=test/t/... some of these
#   make demo, demo-stop   a private server to try flakeid on
#   make test              what a change can break, on private servers, in 4
#                          minutes; by part: test-rules, test-unit, test-sanitize,
#                          test-sim, test-package, test-warnings, test-regress,
#                          test-jit, test-pgtap, test-tap; T=... selects: see
#                          test/README.md
#   make check             the part of it for every day, 60 seconds
#   make test-ecosystem    other people's programs, and other versions
#   make test-all          all of these, as continuous integration does
#   make test-matrix       the same on other majors: VERSIONS="17 18 19"
#   make test-portability  32 bits, big-endian, arm64, musl, clang, macOS;
#                          TARGETS="i386 s390x arm64 musl clang macos"
#   make test-servers      on servers built from source in special ways: T=exec,
#                          assert, injection or 16; see test/servers.sh
#   make test-alerts       the alerts of docs/prometheus, by Prometheus
#   make torture           slower attacks, over an hour on two cores; T=...
#   make test-mutants      do the tests find what they should?
#   make lint              static analysis
#   make indent            the C code laid out as PostgreSQL's: test/indent.sh
#   make fuzz              each fuzz target for FUZZ_SECONDS=60
#   make valgrind          the SQL tests with the server under valgrind
#   make freeze, next      this version is finished, the next one begins: see
#   make release           packaging/README.md; what is handed out, build/release
#   make edition           the SQL edition for managed servers, build/flakeid.sql and its
#                          variants: see docs/managed.md
#   make image             the folders of an image for CloudNativePG, build/image
#   make bench             what flakeid costs, on a private server, in 15 to 30
#                          minutes; B="generators io" selects parts
#   make bench-docs        the same, and its tables and chart into docs/
#   make clean             what was built, and the private servers' programs,
#                          unless one of them is running
#   make help              this
#
# A build in another directory: make -f /path/to/Makefile there.
# PG_CONFIG=/path/to/pg_config chooses another PostgreSQL in all of them but
# test-matrix, test-portability and test-servers; UPGRADE_FROM=/path/to/pg_config of an
# older one adds a test of pg_upgrade.

# The directory of this file, "." unless the build is in another one.
top := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))

# A format is src/types/FORMAT.c and FORMAT.sql; uuid7 has no type of its own.
FORMATS := $(shell sed -n 's/^FLAKE_FORMAT(.*, \(.*\))/\1/p' '$(top)/src/types/formatlist.h') uuid7
# The folders, from the ground up: a file uses only its own folder and those before it.
ROOMS = kernel server session mark horizon generate types planner operation
SOURCES = $(patsubst $(top)/src/%.c,%,$(foreach room,$(ROOMS),$(sort $(wildcard $(top)/src/$(room)/*.c))))

# The pairs in sql/ and expected/, in the order they run.
REGRESS = contract sno flax snowflake siq uid ulid edition ksuid errors sort plan generate dump time brin estimates estimates_core partition instant order backfill guess typeid text_layouts exists changes core_time join
# Whatever the server's own: names are not of ASCII alone.
REGRESS_OPTS = --encoding=UTF8 --no-locale

# make installcheck runs the TAP tests, too.
TAP_TESTS = 1

EXTENSION = flakeid
EXTVERSION := $(shell sed -n "s/^default_version *= *'\(.*\)'/\1/p" '$(top)/flakeid.control')
RELEASE := $(shell sed -n '/"version"/{s/.*: *"\(.*\)".*/\1/p;q;}' '$(top)/META.json')
MODULE_big = flakeid
OBJS = $(SOURCES:%=src/%.o)
EXTENSION_SQL = $(EXTENSION)--$(EXTVERSION).sql
# from the SQL edition to this one
MOVE_SQL = $(EXTENSION)--sql.sql $(EXTENSION)--sql--$(EXTVERSION).sql
DATA_built = $(EXTENSION_SQL) $(MOVE_SQL)
# also those of versions that were checked out before
EXTRA_CLEAN = $(EXTENSION)--*.sql
DATA = $(patsubst $(top)/%,%,$(wildcard $(top)/src/$(EXTENSION)--*--*.sql))

PG_CONFIG ?= pg_config
INCLUDEDIR_SERVER := $(shell $(PG_CONFIG) --includedir-server 2>/dev/null)

# PostgreSQL's headers do not pass -Wextra; as system headers they need not.
PG_CPPFLAGS = -I$(top)/src -isystem $(INCLUDEDIR_SERVER) -DFLAKE_VERSION='"$(EXTVERSION)"' -DFLAKE_RELEASE='"$(RELEASE)"'
PG_CFLAGS = -Wextra
# No bitcode: our symbols are hidden, and JIT compilation that inlines a function
# which calls another one of ours ends the session (unresolved symbol).
override with_llvm = no

.DELETE_ON_ERROR:

all:

# Client packages bring pg_config and PGXS without the headers, so the headers
# are what tells whether a server extension can be built.  PGXS has a "check" of its
# own, which only says that there is none; ours calls make again, and needs no PGXS.
ifeq ($(MAKECMDGOALS),check)
else ifneq ($(wildcard $(INCLUDEDIR_SERVER)/postgres.h),)
PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)
else
# What was built by another pg_config, make clean removes without any.
clean:
	rm -rf $(OBJS) $(OBJS:.o=.bc) $(MODULE_big).so $(EXTRA_CLEAN) results regression.diffs regression.out

all install uninstall installcheck:
	@echo "flakeid: no PostgreSQL server headers found by $(PG_CONFIG);" >&2
	@echo "install them (Debian: postgresql-server-dev-NN, NN being the server's major version)" >&2
	@echo "or name another pg_config: make PG_CONFIG=/path/to/pg_config" >&2
	@false
endif

# make install prefix=DIR is for extension_control_path and dynamic_library_path of
# PostgreSQL 18, with the folders that its manual names. PGXS knows them only where
# PostgreSQL was configured by a prefix, too: Debian configures each folder, and make
# install would write into the system's.
ifeq ($(origin prefix),command line)
append := $(if $(findstring pgsql,$(prefix))$(findstring postgres,$(prefix)),,/postgresql)
override datadir := $(prefix)/share$(append)
override pkglibdir := $(prefix)/lib$(append)
endif

# Every header for every object: a full build takes seconds. What was compiled for
# another PostgreSQL, which its directory of headers tells, is compiled again.
headers_written = yes
ifneq ($(shell cat build/headers 2>/dev/null),$(INCLUDEDIR_SERVER))
headers_written := $(shell { mkdir -p build && echo '$(INCLUDEDIR_SERVER)' >build/headers && echo yes; } 2>/dev/null)
endif
unwritable:
	@echo "flakeid: $(CURDIR) is not yours to write; build in another directory:" >&2
	@echo "make -f '$(abspath $(top))/Makefile'" >&2
	@false
# In another directory only the sources are looked for here, not what may have been
# built here before.
ifneq ($(top),.)
$(shell mkdir -p $(addprefix src/,$(ROOMS)))
override VPATH =
vpath %.c $(top)
vpath %.control $(top)
endif
$(OBJS): $(wildcard $(top)/src/*/*.h) $(if $(headers_written),build/headers,unwritable)
# what tells the version
src/operation/module.o: $(top)/flakeid.control $(top)/META.json

# The SQL script: src/*/*.sql in this order. Before a type's file come the templates that the
# file names, which hold what types have in common. The file also has the words to put into
# them, in lines such as "-- @BYTES@ 10"; @T@ is the type. In each file, each.awk then writes
# the statements that begin with @EACH once for each comparison.
SQL = head $(FORMATS) instant typeid mark views numbers versions feeds partitions maintain backfill guess doctor last
TEMPLATES = type time horizon
sql_of = $(wildcard $(foreach part,$(1),$(ROOMS:%=$(top)/src/%/$(part).sql)))
$(EXTENSION_SQL): $(call sql_of,$(SQL) $(TEMPLATES)) $(top)/src/types/formatlist.h $(top)/src/types/each.awk $(top)/flakeid.control $(top)/Makefile
	@mkdir -p build
	for own in $(call sql_of,$(SQL)); do \
		part=$$(basename "$$own" .sql); \
		words=$$(sed -n 's/^-- \(@[A-Z]*@\) *\(.*\)/s~\1~\2~g/p' "$$own") && \
		for template in $$(sed -n 's/^-- @TEMPLATES@ *//p' "$$own"); do \
			sed -e '/^-- @/d' -e "$$words" -e "s/@T@/$$part/g" '$(top)/src/types'/$$template.sql || exit; \
		done && \
		sed '/^-- @/d' "$$own" || exit; \
	done >build/script.sql
	awk -f '$(top)/src/types/each.awk' build/script.sql >$@
	@if grep -n '@[A-Z]*@' $@; then echo "$@: a type's file has no word for these" >&2; exit 1; fi

# The SQL edition, for servers that take no C: see docs/managed.md.
EDITION = $(wildcard $(top)/src/sql-edition/*) $(top)/packaging/edition.pl $(top)/packaging/Files.pm $(top)/META.json
edition: build/flakeid.sql
build/flakeid.sql: $(EDITION)
	@mkdir -p build
	perl '$(top)/packaging/edition.pl' build

$(EXTENSION)--sql.sql: $(EXTENSION_SQL) $(EDITION)
	perl '$(top)/packaging/edition.pl' up $(EXTENSION_SQL) $(EXTVERSION)
$(EXTENSION)--sql--$(EXTVERSION).sql: $(EXTENSION)--sql.sql
	touch $@

help:
	@sed -n '1,/^$$/s/^# \{0,1\}//p' '$(top)/Makefile'

# What a version is, and what is handed out of it. META.json has the version; PGXN's have
# three numbers, the first two of which are default_version.
freeze: $(EXTENSION_SQL)
	@perl '$(top)/packaging/version.pl' freeze

next:
	@perl '$(top)/packaging/version.pl' next '$(V)'

release:
	+@'$(top)/packaging/release.sh'

# What CloudNativePG mounts below /extensions/flakeid.
IMAGE = $(CURDIR)/build/image
image: all
	@test -n '$(IMAGE)' && { test -d '$(IMAGE)/licenses/flakeid' || rmdir '$(IMAGE)' 2>/dev/null || test ! -e '$(IMAGE)'; } || { \
		echo "flakeid: '$(IMAGE)' is no older image, so it is not replaced; IMAGE is a directory to be made" >&2; false; }
	rm -rf '$(IMAGE)'
	umask 022 && mkdir -p '$(IMAGE)/licenses/flakeid' && $(INSTALL_DATA) '$(top)/LICENSE' '$(IMAGE)/licenses/flakeid/'
	umask 022 && $(MAKE) -s -f '$(firstword $(MAKEFILE_LIST))' install DESTDIR= datadir='$(IMAGE)/share' pkglibdir='$(IMAGE)/lib'

clean: clean-private

clean-private:
	@'$(top)/test/server.sh' clean
	rm -rf build

.PHONY: all install uninstall installcheck unwritable edition freeze next release image clean clean-private help

include $(top)/test/Makefile
