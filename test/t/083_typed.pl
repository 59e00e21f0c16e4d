# A newcomer types what the pages show, from the top, in one session of psql, into an empty database with the
# extension (and with docs/examples.sql, where the page says so): the only errors are those that the page shows.
# Typed again, by a role without rights, or without a search_path, they fail as they may, but by no internal error;
# README.md changes nothing then, nor where its names exist, and can be typed into the psql of another major.
# And test/lost-rows.sh, which a newcomer runs on a server that has other things to do.
#
# In make test only README.md and docs/approve.md are typed; 008_docs.pl runs the statements of all pages, too,
# each block in a session of its own, and looks at what they print.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;
use IPC::Run ();

my $root = "$FindBin::RealBin/../..";
my $node = new_server('typed', extension => 0, init => { allows_streaming => 1 });
my @pages = map { s{^\Q$root\E/}{}r } glob("$root/README.md $root/docs/*.md");

$node->safe_psql('postgres', 'CREATE ROLE newcomer LOGIN');
@pages = grep { /README|approve/ } @pages if $ENV{SHORT};

sub database
{
	my ($name, @sql) = @_;

	$node->safe_psql('postgres', "CREATE DATABASE $name");
	$node->safe_psql($name, $_) foreach 'CREATE EXTENSION flakeid', @sql;
	return $name;
}

# Type blocks in one session.  Return the SQLSTATE and message of each error, with the block's name.
sub typed
{
	my ($database, $options, @blocks) = @_;
	my $sql = join "\n", map { "\\warn \@$_->{name}\n$_->{sql}" } @blocks;
	my ($out, $err, $at, @errors);

	$sql =~ s/\bDATABASE app\b/DATABASE $database/g;
	{
		local $ENV{PGOPTIONS} = $options->{options} // '';
		IPC::Run::run([ $options->{psql} // $node->installed_command('psql'), '-Xq', '-v', 'VERBOSITY=verbose', '-d', $node->connstr($database), '-U', $options->{role} // $node->safe_psql('postgres', 'SELECT current_user') ],
			'<', \$sql, '>', \$out, '2>', \$err);
	}
	foreach (split /\n/, $err)
	{
		$at = $1 if /^@(.+)/;
		push @errors, "$at: $1" if /(?:ERROR|FATAL): +(.*)/;
	}
	return @errors;
}

# The numbers of rows of the tables of a database, which a page must not change where it is not meant.
sub rows
{
	my ($database) = @_;

	return $node->safe_psql($database, q(SELECT format('SELECT %L, count(*), (SELECT count(*) FROM pg_trigger WHERE tgrelid = %L::regclass) FROM %s', oid::regclass, oid::regclass, oid::regclass)
		FROM pg_class WHERE relkind IN ('r', 'v') AND relnamespace = 'public'::regnamespace AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e') ORDER BY 1 \gexec));
}

# ---------- page after page ----------

foreach my $page (@pages)
{
	my @blocks = grep { !$_->{skip} || $_->{skip} =~ /083_typed/ } page_blocks($node, $page);
	my $database = lc($page =~ s/\W/_/gr);
	my @shown = map { $_->{fails} ? "$_->{name}: $_->{fails}" : () } @blocks;

	next if !@blocks || $page eq 'docs/runbook.md';
	$node->safe_psql('postgres', "CREATE DATABASE $database");
	$node->safe_psql($database, 'CREATE EXTENSION flakeid') unless grep { $_->{sql} =~ /CREATE EXTENSION flakeid/ } @blocks;
	$node->safe_psql($database, slurp_file("$root/docs/examples.sql")) if page_has_examples($page);
	is(join("\n", map { s/^(\S+: \w{5}): .*/$1/r =~ s/^(\S+: \w{5}).*/$1/r } typed($database, {}, @blocks)), join("\n", @shown), "$page: as typed, with the errors that it shows");
	foreach my $options ($ENV{SHORT} ? () : ({}, { role => 'newcomer', options => '-c search_path=public' }, { options => '-c search_path=' }))
	{
		my $name = join ' ', 'again', %$options;

		is(join("\n", grep { /: XX|FATAL|PANIC/ } typed($database, $options, @blocks)), '', "$page: $name: no internal error");
	}
	$node->safe_psql('postgres', "DROP DATABASE $database");
}

# ---------- README.md, in less friendly databases ----------

{
	my @readme = grep { !$_->{skip} } page_blocks($node, 'README.md');
	my $database = database('twice');
	my ($before, @errors);

	is(join("\n", typed($database, {}, @readme)), '', 'README.md, once');
	$before = rows($database);
	@errors = typed($database, {}, @readme);
	is(join(' ', grep { !/: (?:42P07|42701|25P02): / } @errors), '', '... and again: only "already exists", which aborts each block');
	is(scalar(grep { /: 42P07: / } @errors), 3, '... with its table');
	is(rows($database), $before, '... and nothing has changed');

	# where this machine has others
	foreach my $psql (grep { `$_ --version` !~ / ${\$node->pg_version->major}\b/ } glob '/usr/lib/postgresql/*/bin/psql')
	{
		$database = database('other_' . ($psql =~ /(\d+)/)[0]);
		is(join("\n", typed($database, { psql => $psql }, @readme)), '', "README.md, by $psql");
	}

	$database = database('nobody');
	$before = rows($database);
	@errors = typed($database, { role => 'newcomer', options => '-c search_path=public' }, @readme);
	is(join(' ', grep { !/: (?:42501|25P02|42P01): / } @errors), '', 'a role that may create nothing: it is denied, and what is not there does not exist');
	is(rows($database), $before, '... and there is nothing');

	$database = database('pathless');
	@errors = typed($database, { options => '-c search_path=' }, @readme);
	is(join(' ', grep { !/: (?:3F000|42704|25P02|42P01): / } @errors), '', 'no search_path: no schema, type, function or table is found');
	is(rows($database), '', '... and there is nothing');

	$database = database('taken',
		"CREATE TABLE orders (id uuid PRIMARY KEY, total numeric, created_at timestamptz DEFAULT now()); INSERT INTO orders VALUES (gen_random_uuid(), 1);
		CREATE TABLE outbox (id bigserial PRIMARY KEY, body text NOT NULL); INSERT INTO outbox (body) VALUES ('theirs');
		CREATE TABLE message (text text); INSERT INTO message VALUES ('theirs')");
	$before = rows($database);
	@errors = typed($database, {}, @readme);
	like(join("\n", @errors), qr/42P07: relation "$_" already exists/, "a table $_ that is there: says so") foreach qw(message orders outbox);
	is(rows($database), $before, '... and nothing has changed: rows, triggers, views');
	is($node->safe_psql($database, "INSERT INTO outbox (body) VALUES ('mine') RETURNING id"), '2', '... and it works as before');
	(undef, undef, my $err) = $node->psql($database, slurp_file("$root/docs/examples.sql"));
	like($err, qr/relation "orders" already exists/, 'examples.sql stops where a name is taken');
	is($node->safe_psql($database, "SELECT to_regclass('statuses')"), '', '... and makes nothing');
}

# ---------- test/lost-rows.sh ----------

my $edition = '';

sub lost_rows
{
	my ($database, @arguments) = @_;
	my ($out, $err) = ('', '');
	local %ENV = (%ENV, EDITION => $edition, PGHOST => $node->host, PGPORT => $node->port, PGDATABASE => $database, PATH => dirname_of_psql() . ":$ENV{PATH}");

	IPC::Run::run([ "$root/test/lost-rows.sh", @arguments ], '<', '/dev/null', '>', \$out, '2>', \$err);
	return ($out, $err, $? >> 8);
}

sub dirname_of_psql
{
	return $node->installed_command('psql') =~ s{/?psql$}{}r || '.';
}

{
	my ($out, $err, $rc) = lost_rows('twice', 400);

	is("$rc $err", '0 ', 'lost-rows.sh');
	like($out, qr/^ id > last +\| +\d+ \|/m, '... counts what a reader loses');
	like($out, qr/^ \Q$_\E +\| +0 \|/m, "... and that another loses nothing: $_") foreach 'xid8 below pg_snapshot_xmin()', 'the horizon';
	is($node->safe_psql('twice', "SELECT to_regnamespace('lost_rows')"), '', '... and leaves nothing');

	$node->safe_psql('postgres', 'CREATE DATABASE plain');
	($out, $err, $rc) = lost_rows('plain', 100);
	is("$rc $err", '0 ', 'lost-rows.sh without the extension');
	like($out, qr/^ id > last +\|/m, '... has the ways that lose rows');
	unlike($out, qr/^ the horizon +\|/m, '... and no horizon');

	$edition = PostgreSQL::Test::Utils::tempdir;
	PostgreSQL::Test::Utils::system_or_bail($^X, "$root/packaging/edition.pl", $edition);
	$edition .= '/flakeid.sql';
	foreach my $database ('plain', 'twice')
	{
		($out, $err, $rc) = lost_rows($database, 200);
		is("$rc $err", '0 ', "lost-rows.sh with the SQL edition: $database");
		like($out, qr/^ the horizon in SQL +\| +0 \|/m, '... whose readers lose nothing');
	}

	$node->safe_psql('plain', 'CREATE SCHEMA lost_rows; CREATE TABLE lost_rows.theirs ()');
	($out, $err, $rc) = lost_rows('plain', 100);
	isnt($rc, 0, 'a schema of its name');
	like($err, qr/schema "lost_rows" already exists/, '... stops it');
	is($node->safe_psql('plain', "SELECT to_regclass('lost_rows.theirs')"), 'lost_rows.theirs', '... and stays');

	is((lost_rows('plain', $_))[2], 2, "lost-rows.sh '$_' is refused") foreach '0', '-1', '100001', '1e3', '1; DROP', '99999999999999999999';
}

$node->stop;
done_testing();
