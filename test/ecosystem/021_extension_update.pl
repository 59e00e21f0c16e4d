# ALTER EXTENSION UPDATE yields the same objects, comments and privileges as CREATE
# EXTENSION.  It is tested from each release that has a tag, and with updates of the
# current script made here: a correct one, and wrong ones that show that the comparison sees a
# difference.
use FindBin;
use lib "$FindBin::RealBin/../t/lib";
use Flakeid;
use IPC::Run ();

my $node = new_server('main', extension => 0);
my $extensions = $node->config_data('--sharedir') . '/extension';
my ($version) = slurp_file("$extensions/flakeid.control") =~ /^default_version = '(.*)'/m;
my $script = slurp_file("$extensions/flakeid--$version.sql");
my @written;

plan skip_all => "cannot write into $extensions" unless -w $extensions;

# The contents of a database, by object: a dump for pg_upgrade includes the members of
# the extension, but also OIDs, LSNs and XIDs, which differ.
sub members
{
	my ($database) = @_;
	my ($dump, $errors);

	IPC::Run::run([ $node->installed_command('pg_dump'), '--schema-only', '--binary-upgrade', '--quote-all-identifiers',
		'-d', $node->connstr($database) ], '>', \$dump, '2>', \$errors) or die "pg_dump: $errors";
	$dump =~ s/^\\(un)?restrict .*\n//mg;
	$dump =~ s/'\d+'::"?pg_catalog"?\."?(oid|regclass)/'OID'::$1/g;
	$dump =~ s/'\{[0-9A-F\/,]+\}'(?=::pg_catalog\.pg_lsn)/LSNS/g;
	$dump =~ s/'\{[\d,]+\}'/OIDS/g;
	$dump =~ s/^SET relfrozenxid = .*\n//mg;
	$dump =~ s/^WHERE oid = '\d+';/WHERE oid = OID;/mg;
	$dump =~ s/(ARRAY\[|,)'?\d+'?(?=[,\]])/$1OID/g;
	return [ split /\n+--\n-- Name: /, $dump ];
}

# The objects that only one of them has.
sub difference
{
	my ($one, $other) = @_;
	my %count;

	$count{$_}++ foreach @$one;
	$count{$_}-- foreach @$other;
	return join "\n", grep { $count{$_} } sort keys %count;
}

# A database with the extension newly created, or updated from an old version.
sub installed
{
	my ($database, $from, $to) = @_;

	$node->safe_psql('postgres', "CREATE DATABASE $database");
	$node->safe_psql($database, 'CREATE EXTENSION flakeid VERSION ' . "'$from'" . ($from eq $to ? '' : "; ALTER EXTENSION flakeid UPDATE TO '$to'"));
	return members($database);
}

# The SQL of an old version with the new library: rows of every type, partitions, marks
# and the views; then the update, after which everything is unchanged and continues.
sub in_use
{
	my ($from, $to) = @_;
	my $database = 'used_' . $from =~ tr/./_/r;
	my $rows = 'SELECT * FROM used ORDER BY sno; SELECT tableoid::regclass, * FROM reading ORDER BY id; SELECT lower_at, upper_at FROM flakeid_partitions(\'reading\') ORDER BY lower_at';
	my ($before, $newest);

	$node->safe_psql('postgres', "CREATE DATABASE $database");
	$node->safe_psql($database, qq(
		CREATE EXTENSION flakeid VERSION '$from';
		CREATE TABLE used (sno sno PRIMARY KEY DEFAULT sno_new(0), flax flax DEFAULT flax_new(), siq siq DEFAULT siq_new('message'),
			uid64 uid64 DEFAULT uid64_new(), uid96 uid96 DEFAULT uid96_new(), snowflake snowflake DEFAULT snowflake_new(), ulid ulid DEFAULT ulid_new(), ksuid ksuid DEFAULT ksuid_new(),
			uuid uuid DEFAULT uuid7_new(), n int);
		CREATE VIEW recent AS SELECT * FROM used WHERE sno > timestamptz '2020-01-01' AND uuid7_timestamp(uuid) > '2020-01-01';
		INSERT INTO used (n) SELECT generate_series(1, 1000);
		CREATE TABLE reading (id sno DEFAULT sno_new(1), n int) PARTITION BY RANGE (id);
		CALL flakeid_maintain('reading', '1 month');
		INSERT INTO reading (n) SELECT generate_series(1, 100);));
	foreach my $view (split /\n/, $node->safe_psql($database, q(SELECT c.oid::regclass FROM pg_class c JOIN pg_depend d ON d.objid = c.oid AND d.deptype = 'e' WHERE c.relkind = 'v')))
	{
		$node->psql($database, "SELECT * FROM $view") == 0 or fail "$from with the library of $to: $view";
	}
	is($node->safe_psql($database, 'SELECT count(*) FROM recent'), '1000', "$from with the library of $to");
	$before = $node->safe_psql($database, $rows);
	$newest = $node->safe_psql($database, 'SELECT max(sno) FROM used');
	$node->safe_psql($database, "ALTER EXTENSION flakeid UPDATE TO '$to'");
	is($node->safe_psql($database, $rows), $before, "$from updated: every row as it was");
	is($node->safe_psql($database, "INSERT INTO used (n) VALUES (1001) RETURNING sno > '$newest', length(ulid::text)"), 't|26', "$from updated: and more after them");
	is($node->safe_psql($database, q(CALL flakeid_maintain('reading', '1 month'); SELECT count(*) FROM flakeid_partitions('reading', '1 month') WHERE action IS NOT NULL)), '0',
		"$from updated: partitions are kept");
	return;
}

sub provide
{
	my ($file, $text) = @_;

	open my $out, '>', "$extensions/$file" or die "$file: $!";
	print $out $text;
	close $out or die "$file: $!";
	push @written, "$extensions/$file";
	return;
}

END { unlink @written if @written }

# ---------- the releases ----------

my $new = installed('new', $version, $version);

cmp_ok((grep { /^ALTER EXTENSION "flakeid" ADD /m } @$new), '>', 500, 'the members are seen');
# (the conditions of tables to dump are an array of texts, not of names)
is((grep { s/'\{[^']*\}'//gr =~ /[(,.]""/ } @$new), 0, 'every name can be read again by pg_upgrade');

my %released = released_scripts();
foreach my $old (sort keys %released)
{
	my $text = slurp_file($released{$old});

	if ($old eq $version)
	{
		is($script, $text, "$old is as it was released");
		next;
	}
	provide("flakeid--$old.sql", $text);
	is(difference(installed('from_' . $old =~ tr/./_/r, $old, $version), $new), '', "$old updated is $version");
	in_use($old, $version);
}

# ---------- the comparison itself ----------

my $added = q(
CREATE FUNCTION @extschema@.flakeid_added(id @extschema@.sno, n int DEFAULT 1) RETURNS int LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS 'SELECT n';
COMMENT ON FUNCTION @extschema@.flakeid_added(@extschema@.sno, int) IS 'added';
REVOKE ALL ON FUNCTION @extschema@.flakeid_added(@extschema@.sno, int) FROM PUBLIC;
CREATE OPERATOR pg_catalog.<<| (LEFTARG = @extschema@.sno, RIGHTARG = @extschema@.sno, FUNCTION = _flakeid_functions.sno_lt, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
CREATE TABLE @extschema@.flakeid_added_table (id @extschema@.sno, mark timestamptz NOT NULL);
SELECT pg_extension_config_dump('@extschema@.flakeid_added_table', 'WHERE mark IS NOT NULL');
CREATE TYPE @extschema@.flakeid_added_type AS ENUM ('one', 'two');
COMMENT ON TYPE @extschema@.sno IS 'changed';
GRANT INSERT ON _flakeid.mark TO pg_monitor;
);
my %wrong = (
	'a default' => sub { s/DEFAULT 1/DEFAULT 2/ },
	'volatility' => sub { s/IMMUTABLE/STABLE/ },
	'an operator' => sub { s/^CREATE OPERATOR .*\n//m },
	'an estimator' => sub { s/scalarltsel/scalargtsel/ },
	'a comment' => sub { s/'changed'/'another'/ },
	'a privilege taken' => sub { s/^REVOKE .*\n//m },
	'a privilege given' => sub { s/^GRANT .*\n//m },
	'a column' => sub { s/ NOT NULL\)/)/ },
	'a label' => sub { s/, 'two'// },
	'what a dump keeps' => sub { s/WHERE mark IS NOT NULL// },
	'a member' => sub { s/\z/ALTER EXTENSION flakeid DROP TYPE \@extschema\@.flakeid_added_type;\n/ });
my $n = 0;
my $right;

provide("flakeid--$version.test.sql", $script . $added);
provide("flakeid--$version--$version.test.sql", $added);
$right = installed('test', "$version.test", "$version.test");
isnt(difference($right, $new), '', 'a new version differs from the one before');
is(difference(installed('updated', $version, "$version.test"), $right), '', 'and an update to it does not');
in_use($version, "$version.test");

foreach my $what (sort keys %wrong)
{
	my $text = $added;

	$wrong{$what}->() for $text;
	isnt($text, $added, "$what: is made wrong");
	provide("flakeid--$version--$version.test.sql", $text);
	isnt(difference(installed('wrong' . ++$n, $version, "$version.test"), $right), '', "$what: is seen");
}

$node->stop;
done_testing();
