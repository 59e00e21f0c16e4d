# The documents are true: every ```sql block of README.md, CONTRIBUTING.md and docs/*.md runs, in
# order, in a fresh database for each document; what the tables of README.md and settings.md say is so;
# a test provokes each message that is quoted; links lead somewhere and the tests that are
# named exist, in all other pages, too; pages are short.  A database is dropped before the next one begins,
# which then has its numbers.
#
# The ``` block after a ```sql block is its output, as psql prints it without row
# counts, and compared when it can be: not when two databases give two answers, as for
# new IDs, where a second one is asked if the first one differs from the document.  One
# more after that is the query's plan.  The server's clock reads the time when the
# documents were written; without a compiler no plan is compared, nor what now() is
# asked for.  A plan is compared without costs, times and memory, and only on the major
# that the documents show: others choose other plans, or print them in another way.
#
# In make test only the blocks of README.md, of pages that have changed since the branch left main (run.sh names
# them in CHANGED), and of a third of the others run.
#
# t/lib/Flakeid/Pages.pm says what a comment above a block may say.  No statement of a page depends on one
# that readers do not see: what is there to be tried with is shown, or stands in docs/examples.sql, which the
# page names in its first lines.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;
use File::Basename qw(dirname);
use IPC::Run ();

use constant NOW => '2026-11-21 09:30:03';
use constant MAJOR => 15;

my $root = "$FindBin::RealBin/../..";
my $node;
# (docs/runbook.md is followed by 038_runbook.pl; here its links count.)
my @documents = map { s{^\Q$root\E/}{}r } glob("$root/README.md $root/CONTRIBUTING.md $root/docs/*.md");

# ---------- reading ----------

# Rows of the markdown table with these words in its head, as lists of cells.
sub table
{
	my ($text, @head) = @_;
	my $line = '\| *' . join(' *\| *', map { quotemeta } @head) . '\b.*\n';

	$text =~ /^$line\|[-|]+\n((?:\|.*\n)+)/m or die "no table @head";
	return map { [ split /\s*\|\s*/, s/^\|\s*//r ] } split /\n/, $1;
}

# What a heading's link is called: as GitHub does it.
sub anchor
{
	my ($heading) = @_;
	my $anchor = lc $heading;

	$anchor =~ s/[^\w\- ]//g;
	return $anchor =~ tr/ /-/r;
}

# ---------- running ----------

# What psql prints for a script, without spaces at the ends of lines, and its errors.
sub psql
{
	my ($database, $sql) = @_;
	my ($out, $err) = ('', '');

	IPC::Run::run(
		[ $node->installed_command('psql'), '-Xq', '-P', 'footer=off',
			'-v', 'ON_ERROR_STOP=1', '-v', 'VERBOSITY=verbose', '-d', $node->connstr($database), '-f', '-' ],
		'<', \$sql, '>', \$out, '2>', \$err);
	return (tidy($out), $err);
}

sub tidy
{
	my ($text) = @_;

	$text =~ s/[ \t]+$//mg;
	$text =~ s/\A\n+|\n+\z//g;
	return $text;
}

# What a plan says that is the same every time, here and in the documents.
sub masked
{
	my ($text) = @_;

	$text =~ s/^ +QUERY PLAN\n-+\n//mg;
	$text =~ s/ +\(cost=[^)]*\)//g;
	$text =~ s/\(actual time=\S+ /(actual /g;
	$text =~ s/(Rows Removed by Index Recheck: )\d+/$1.../g;    # a page has more rows where addresses have 32 bits
	$text =~ s/^ *(?:Planning Time|Execution Time|Batches|Buffers|Planning): .*\n?//mg;
	return tidy($text);
}

# Can the output of a block be compared here, or that of these statements?  A plan is that of MAJOR, or of
# the major that the block needs.
sub comparable
{
	my ($block, $sql) = (@_, $_[0]{sql});

	return 1 if $sql !~ /\b(?:EXPLAIN\b|now\(\))/;
	return clock_available() && ($sql !~ /\bEXPLAIN\b/ || $node->pg_version->major == ($block->{major} // MAJOR));
}

# Run a block in a database, and keep what it says.
sub run
{
	my ($block, $database) = @_;
	my $sql = $block->{sql};
	my ($out, $err);

	# docs/orm.md's own database
	$sql =~ s/\bDATABASE app\b/DATABASE $database/;
	# the server says of these whether they read the table
	$block->{not_null} = $sql =~ s/^(ALTER TABLE [^;]*\bSET NOT NULL\b[^;]*;)/SET client_min_messages = debug1;\n$1\nRESET client_min_messages;/gm;
	($out, $err) = psql($database, $sql);
	push @{ $block->{out} }, masked($out);
	push @{ $block->{reads} }, join "\n", $err =~ /(verifying table .*|existing constraints .* are sufficient)/g;
	push @{ $block->{err} }, join "\n", $err =~ /^psql:.*?((?:ERROR|FATAL|PANIC):.*)/mg;
	$block->{planned} //= (psql($database, "EXPLAIN (COSTS OFF) $block->{sql}"))[0] if defined $block->{plan};
	return;
}

# Should this output be the document's?
sub compared
{
	my ($block) = @_;

	return defined $block->{output} && !$block->{varies} && comparable($block);
}

# Is it another one, in the first database?
sub differs
{
	my ($block) = @_;

	return compared($block) && $block->{out}[0] ne masked($block->{output});
}

# What it said in both databases.
sub check
{
	my ($block) = @_;
	my $name = $block->{name};
	my @out = @{ $block->{out} };
	my @err = @{ $block->{err} };

	if ($block->{fails})
	{
		my ($comment) = $block->{sql} =~ /; +-- (.*)/;
		my $message = $err[0] =~ s/^ERROR:  \w+: //r;

		like($err[0], qr/^ERROR:  $block->{fails}: .*\z/, "$name fails as it should");
		like($comment, qr/^\Q$message\E(?:;|$)/, "$name has this message") if defined $comment;
		return;
	}
	is($err[0], '', "$name runs");
	like($block->{reads}[0], qr/\A(?:existing constraints .* are sufficient\n?){$block->{not_null}}\z/, "$name: SET NOT NULL reads no table")
	  if $block->{not_null};
	is($out[0], masked($block->{output}), "$name has this output")
	  if compared($block) && (@out == 1 || $out[0] eq $out[1]);
	is(masked($block->{planned}), masked($block->{plan}), "$name has this plan")
	  if defined $block->{plan} && comparable($block, "EXPLAIN $block->{sql}");
	return;
}

# The examples are of a server with these names.
$node = new_server('docs', init => { allows_streaming => 1 },
	extension => 0,
	clock => clock_available(),
	conf => [ "flakeid.siq_domain = 'example.com'", "flakeid.uid_node = 'uid\@127.0.0.1'" ],
	server => [ "timezone = 'UTC'" ]);
if (clock_available())
{
	$node->stop;
	set_clock($node, NOW);
	start_server($node);
}

foreach my $document (grep { !$ENV{SHORT} || ($ENV{CHANGED} // '') =~ /^\Q$_\E$/m || /^README/ || rand() < 1 / 3 } @documents)
{
	my @blocks = page_blocks($node, $document);
	my @databases = map { lc($document =~ s/\W/_/gr) . $_ } 1, 2;

	next if !@blocks || $document eq 'docs/runbook.md';
	foreach my $database (@databases)
	{
		# where the first one says what the document says, a second one can say nothing new
		last if $database eq $databases[1] && !grep { !$_->{skip} && !$_->{fails} && differs($_) } @blocks;
		$node->safe_psql('postgres', "CREATE DATABASE $database");

		# most documents need not say it; the second time later, so that new IDs are others
		$node->safe_psql($database, 'CREATE EXTENSION flakeid' . ($database eq $databases[1] ? q(; SELECT flakeid_advance(now() + interval '2 s')) : ''))
		  unless grep { !$_->{skip} && $_->{sql} =~ /CREATE EXTENSION flakeid/ } @blocks;
		$node->safe_psql($database, slurp_file("$root/docs/examples.sql")) if page_has_examples($document);
		run($_, $database) foreach grep { !$_->{skip} } @blocks;
		$node->safe_psql('postgres', "DROP DATABASE $database");
	}
	foreach my $block (@blocks)
	{
	  SKIP:
		{
			skip "$block->{name}: $block->{skip}", 1 if $block->{skip};
			check($block);
		}
	}
}
$node->safe_psql('postgres', 'CREATE EXTENSION flakeid');

# ---------- tables of types, settings and views ----------

my $page = slurp_file("$root/docs/settings.md");
my $readme = slurp_file("$root/README.md");

# '' is written for the empty text; a row may hold several settings
my @settings = map {
	my ($names, $defaults) = @$_[ 0, 1 ];
	my @defaults = map { $_ eq "''" ? '' : $_ } split /, /, $defaults;

	map { "$_=" . shift @defaults } $names =~ /`([^`]+)`/g;
} table($page, 'setting', 'default');
is( join("\n", sort @settings),
	$node->safe_psql('postgres', q(
		SELECT FROM flakeid_clock; -- loads the library
		SELECT name || '=' || CASE unit WHEN 'ms' THEN boot_val::int / 1000 || 's' ELSE boot_val END FROM pg_settings WHERE name LIKE 'flakeid.%' ORDER BY name COLLATE "C")) =~ s/^\n//r,
	'settings.md has every setting with its default');

is( join("\n", sort map { $_->[0] =~ /`(\w+)`/ } table($page, 'view')),
	$node->safe_psql('postgres', q(
		SELECT c.relname FROM pg_class c
		JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'
		WHERE c.relkind = 'v' ORDER BY c.relname COLLATE "C")),
	'settings.md has every view');

is( join("\n", sort map { join ' ', $_->[0] =~ /`(\w+)`/, @$_[ 1, 3, 4 ] } table($readme, 'type', 'bytes', 'text', 'from', 'until')),
	$node->safe_psql('postgres', q(
		SELECT concat_ws(' ', name, bytes, extract(year FROM epoch), extract(year FROM last_timestamp)) FROM (
			SELECT name, bytes, epoch, last_timestamp FROM flakeid_formats
			UNION ALL SELECT typname, typlen, uuid7_timestamp('00000000-0000-7000-8000-000000000000'), uuid7_timestamp('ffffffff-ffff-7fff-bfff-ffffffffffff')
			FROM pg_type WHERE typname = 'uuid') AS types ORDER BY name COLLATE "C")),
	'README.md has every type, with its bytes, first and last year');

# ---------- the libraries' tables ----------

# What the right column of a table "library | here" names is there: functions, views and
# their columns, types, settings.
$node->safe_psql('postgres', 'CREATE VIEW known AS
	SELECT proname AS name FROM pg_proc UNION SELECT relname FROM pg_class UNION SELECT attname FROM pg_attribute UNION
	SELECT typname FROM pg_type UNION SELECT replace(name, $$flakeid.$$, $$$$) FROM pg_settings');
foreach my $document (@documents)
{
	my ($rows) = slurp_file("$root/$document") =~ /^\|[^|\n]*\| here \|\n\|[-|]+\n((?:\|.*\n)+)/m or next;
	my %named = map { $_ => 1 } map { /\b((?:flakeid|sno|flax|siq|uid|uid64|uid96|snowflake|ulid|ksuid|uuid7)_\w+)/g }
	  map { /`([^`]+)`/g } map { (split /\|/)[2] } split /\n/, $rows;

	cmp_ok(scalar keys %named, '>', 0, "$document: names are found");
	is($node->safe_psql('postgres', "LOAD 'flakeid'; SELECT name FROM unnest('{" . join(',', sort keys %named) . "}'::text[]) AS name
		WHERE name NOT IN (SELECT known.name FROM known)"), '', "$document: what is said to be here is");
}

# ---------- what PostgreSQL says ----------

# Its messages that documents quote, where no other test provokes them.
$node->safe_psql('postgres', 'CREATE DATABASE messages');
$node->safe_psql('messages', 'CREATE SCHEMA flakeid; CREATE EXTENSION flakeid SCHEMA flakeid');

sub error_of
{
	my ($sql) = @_;

	return (psql('messages', $sql))[1];
}

like(error_of('CREATE TABLE event (id sno)'), qr/ERROR:  42704: type "sno" does not exist/, 'a schema that is not in search_path');
like(error_of('DROP VIEW flakeid.flakeid_clock'), qr/ERROR:  2BP01: cannot drop view flakeid\.flakeid_clock because extension flakeid requires it/, 'an object of the extension');
like(error_of(q(SET search_path = flakeid; SELECT sno_zero() = varchar 'a')), qr/ERROR:  42883: operator does not exist: sno = character varying/, 'an ID and a string that has a type');
like(error_of('SET search_path = flakeid; SELECT id, id::timestamptz FROM sno_zero() AS id ORDER BY id'), qr/ERROR:  42702: ORDER BY "id" is ambiguous/, 'an ID and its time');
like(error_of('BEGIN; CREATE INDEX CONCURRENTLY ON pg_class (oid)'), qr/ERROR:  25001: CREATE INDEX CONCURRENTLY cannot run inside a transaction block/, 'an index, in a transaction');

# ---------- the functions of the extension's schema ----------

# A page explains each of them, which is called or written as code there. What pages call is
# one of them; architecture.md, which names functions of the source, is not meant.
{
	my @there = split /\n/, $node->safe_psql('messages', q(SELECT p.proname FROM pg_proc AS p JOIN pg_depend AS d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
		JOIN pg_extension AS x ON x.oid = d.refobjid WHERE d.refclassid = 'pg_extension'::regclass AND x.extname = 'flakeid' AND p.pronamespace = x.extnamespace ORDER BY 1));
	my %there = map { $_ => 1 } @there;
	my %text = map { $_ => slurp_file("$root/$_") } grep { !m{^CONTRIBUTING|/(?:architecture|new-format)\.md$} } @documents;
	my $pages = join "\n", values %text;
	my %named = map { $_ => 1 } $pages =~ /(?<![\w.\@])([a-z]\w+)(?=\(|`)/g;
	my %made = map { $_ => 1 } $pages =~ /CREATE (?:OR REPLACE )?FUNCTION (\w+)/g;
	my %called = map { $_ => 1 } ($pages . slurp_file("$root/llms.txt")) =~ /(?<![\w.\@\/])((?:sno|flax|siq|snowflake|uid64|uid96|ulid|ksuid|uuid7|layout|uid|flakeid)_\w+)\(/g;

	cmp_ok(scalar @there, '>', 100, 'functions in the extension\'s schema');
	cmp_ok(scalar @there, '<=', 205, '... no more than the pages can explain');
	is(join(' ', grep { !$named{$_} } sort keys %there), '', '... each of which a page explains');
	is(join(' ', grep { !$there{$_} && !$made{$_} && $_ ne 'snowflake_column' } sort keys %called), '', '... and which are all that pages call');
}

$node->stop;

# ---------- messages ----------

# The messages that a page quotes: in blocks, the lines that begin as psql's and the log's do,
# with any name or value in quotes; in the text, code that is two words, or has three in a
# row, unless it is a command.
sub quoted
{
	my ($text) = @_;
	my (@lines, @spans);

	push @lines, map { s/"[^"]*"/"..."/gr =~ s/ \(SQLSTATE \w+\)$//r } $1 =~ /^ *(?:ERROR|FATAL|WARNING|NOTICE|LOG|DETAIL|HINT|CONTEXT): +(.*)/mg
	  while $text =~ /^( *```.*?^ *```)$/gms;
	$text =~ s/^ *```.*?^ *```$//gms;
	push @spans, $2 =~ s/\s+/ /gr while $text =~ /(`+)(.+?)\1(?!`)/gs;
	return @lines, grep { !/^(?:chronyc|git|make|prisma|sno|sudo) |&&/ && s/"[^"]*"|\.\.\./x/gr =~ /^[a-z]{3,} [a-z]+$|(?<![^ (])[a-z]+ [a-z]+ [a-z][a-z._]*(?![\w(])/ } @spans;
}

# What the assertions of a TAP test name: their regular expressions, but none with an
# alternative, which may be what matches, and what is() expects.  One expression has a name.
sub asserted
{
	my ($test) = @_;
	my @texts;

	foreach my $statement (grep { !/\bunlike\(/ } split /;\n/, $test =~ s/^\s*#.*\n//mgr =~ s/\$too_far_behind\b/the clock is too far behind/gr)
	{
		push @texts, map { s/\\(\W)/$1/gr } grep { !/(?<!\\)\|/ } $statement =~ m{\bqr/((?:[^/\\]|\\.)+)/}gs;
		push @texts, grep { defined } $statement =~ /\bis\(.*,\s*(?:'([^']*)'|q\(([^)]*)\)),\s*(?:'[^']*'|"[^"]*")\s*\)/s;
	}
	return @texts;
}

# What the SQL tests print, without the statements that they repeat.
sub printed
{
	my ($expected) = @_;
	my %statement = map { $_ => 1 } split /\n/, slurp_file($expected =~ s{expected/([a-z_0-9]+?)(?:_\d)?\.out$}{sql/$1.sql}r);

	return grep { !$statement{$_} } split /\n/, slurp_file($expected);
}

# A test provokes a message if it compares the message with what the server says.  It is not
# enough that the source has the words: nothing may ever report them.
my $provoked = join "\n",
  (map { printed($_) } glob "$root/expected/*.out"),
  (slurp_file("$root/docs/runbook.md") =~ /^```\n((?:ERROR|WARNING|LOG):.*?)^```$/gms),    # which 038_runbook.pl provokes
  (map { asserted(slurp_file($_)) } glob "$root/test/t/*.pl $root/test/ecosystem/*.pl");

# The quoted messages that no test provokes.  "..." and a number stand for anything, $type
# in a test for any type.
sub unprovoked
{
	my ($text) = @_;

	return grep {
		my $message = join '.+?', map { quotemeta } split /\.\.\.(?!\.)|\b\d+\b/, $_, -1;

		$message =~ s/\b(sno|flax|siq|uid64|uid96|snowflake|ulid|ksuid|uuid7)\b/(?:$1|\\\$type)/g;
		$provoked !~ /$message/;
	} quoted($text);
}

foreach my $document (@documents)
{
	is(join("\n", unprovoked(slurp_file("$root/$document"))), '', "$document: a test provokes each message");
}
is(join("\n", unprovoked("Then `the clock is too far beyond the ulid IDs` is reported.\n```\nERROR:  no such thing is ever said\n```\n")),
	"no such thing is ever said\nthe clock is too far beyond the ulid IDs", 'a message that is made up is found');

# ---------- lengths ----------

# A page that grows says something twice.
sub lines_of
{
	return scalar map { slurp_file("$root/$_") =~ /\n/g } @_;
}
cmp_ok(lines_of(grep { m{^docs/} } @documents), '<=', 5500, 'the pages of docs/ have at most so many lines together');
cmp_ok(lines_of('README.md'), '<=', 150, 'README.md is short');
cmp_ok(lines_of('docs/approve.md'), '<=', 120, 'docs/approve.md is short');

# ---------- links ----------

# The documents and the anchors they have, and where their links lead; tests that are named.
my @pages = (@documents, map { s{^\Q$root\E/}{}r } glob("$root/CHANGELOG.md $root/SECURITY.md $root/packaging/*.md $root/test/*.md $root/test/*/*.md"));
my (%anchors, %linked, @lost, @unknown);

sub anchors
{
	my ($document) = @_;

	return $anchors{$document} //= { map { anchor($_) => 1 }
		(slurp_file("$root/$document") =~ s/^```.*?^```$//gmsr) =~ /^#+ +(.*?)\s*$/mg };
}

foreach my $document (@pages)
{
	my $text = slurp_file("$root/$document") =~ s/^```.*?^```$//gmsr;

	# by path, or several of a folder by name
	push @unknown, map { "$document: $_" } grep { m{/} ? !-e "$root/$_" : !-e "$root/test/t/$_" && !-e "$root/test/ecosystem/$_" }
	  $text =~ /`((?:test\/(?:t|ecosystem)\/)?\d{3}_\w+\.pl)`/g;
	foreach my $link ($text =~ /\]\(([^)\s]+)\)/g)
	{
		my ($path, $anchor) = $link =~ /^([^#]*)#?(.*)$/;

		next if $link =~ m{^https?://};
		$path = $path eq '' ? $document : dirname($document) . "/$path";
		1 while $path =~ s{(^|/)(?:\./|(?!\.\.?/)[^/]+/\.\./)}{$1};
		$linked{$path} = 1;
		push @lost, "$document: $link"
		  unless -e "$root/$path" && ($anchor eq '' || anchors($path)->{$anchor});
	}
}
is(join("\n", @lost), '', 'every link leads somewhere');
is(join("\n", grep { $_ ne 'README.md' && !$linked{$_} } @pages), '', 'a link leads to every document');
is(join("\n", @unknown), '', 'every test that is named is there');

# ---------- what the pages about the source name ----------

# Functions, files and members, such as `take_lease()`, generate.c and `mark_floor`; but those of others.
my %source = map { s{.*/}{}r => slurp_file($_) } glob("$root/src/*/*.c $root/src/*/*.h $root/src/*/*.sql $root/test/unit/*.c $root/test/bench/*.c");
my $others = qr/^(?:(?:flake_)?xid|sno_(?:in|out)$|(?:format|nextval|extract|memcmp|synchronous_commit|standard_conforming_strings)$)/;

foreach my $document (qw(docs/architecture.md docs/new-format.md CONTRIBUTING.md), map { s{^\Q$root\E/}{}r } glob("$root/src/*/README.md"))
{
	my $page = slurp_file("$root/$document") =~ s/^```.*?^```$//gmsr;

	is( join(' ', grep { my $name = $_; $name !~ $others && !grep { /(?:^|FUNCTION |define )\Q$name\E ?\(|(?:FUNCTION|PROCEDURE) _flakeid_functions\.\Q$name\E_as_(?:owner|caller)\(/m } values %source }
			$page =~ /`([a-z]\w+)\([^`]*\)`/g),
		'', "$document: the functions that it names exist");
	is( join(' ', grep { my $name = $_; $name !~ $others && !grep { /\b\Q$name\E\b/ } values %source } $page =~ /`([a-z]\w*_\w+)`/g),
		'', "$document: and so do the members");
	is( join(' ', grep { $_ !~ $others && !$source{$_} } $page =~ m{(?<![\w/.-])([a-z]\w*\.[ch])\b}g),
		'', "$document: and so do the files");
}

done_testing();
