# The SQL edition: its files, and how its answers differ from those of the C edition.
package Flakeid::Edition;

use strict;
use warnings;

use Exporter 'import';
use FindBin;
use PostgreSQL::Test::Utils;

our @EXPORT = qw(edition_files edition_by_the_page edition_values edition_answers edition_differences);

# The folder with the files of make edition.
sub edition_files
{
	my $dir = PostgreSQL::Test::Utils::tempdir();

	system($^X, "$FindBin::RealBin/../../packaging/edition.pl", $dir) == 0 or die 'no edition';
	return $dir;
}

# Install the SQL edition in database app as docs/managed.md says, by a role.
sub edition_by_the_page
{
	my ($node, $role) = @_;
	my $page = slurp_file("$FindBin::RealBin/../../docs/managed.md");
	my ($install) = $page =~ /^```sh\n(psql .*?)^```\n/ms or die 'no command that installs';
	my ($path) = $page =~ /`(ALTER DATABASE app SET search_path = [^`]*)`/ or die 'no path';
	my $files = edition_files();

	local @ENV{qw(PGHOST PGPORT PGDATABASE PGUSER)} = ($node->host, $node->port, 'app', $role);
	PostgreSQL::Test::Utils::system_or_bail('sh', '-c', "cd '$files' && $install");
	$node->safe_psql('app', $path, extra_params => [ '-U', $role ]);
	return;
}

# What is asked: the rows, and for each function its name and an expression over them, with
# SCHEMA before a function of an edition.
my @questions = (
	[ 'instants', map { [ $_, "SCHEMA.$_(t)" ] } qw(uuid7_min uuid7_max ulid_uuid_min ulid_uuid_max ulid_text_min ulid_text_max ulid_bytea_min ulid_bytea_max) ],
	[ 'uuids', map({ [ $_, "SCHEMA.$_(id)" ] } qw(uuid7_timestamp ulid_timestamp ulid_text)),
		[ 'ulid_timestamp(bytea)', 'SCHEMA.ulid_timestamp(uuid_send(id))' ], [ 'ulid_timestamp(text)', 'SCHEMA.ulid_timestamp(SCHEMA.ulid_text(id))' ],
		[ 'ulid_uuid', 'SCHEMA.ulid_uuid(lower(SCHEMA.ulid_text(id)))' ], [ 'typeid', "SCHEMA.typeid(id, 'user')" ], [ 'typeid_uuid', "SCHEMA.typeid_uuid(SCHEMA.typeid(id, 'a_b'), 'a_b')" ] ],
	[ 'numbers, layouts', [ 'layout_timestamp, own', 'SCHEMA.layout_timestamp(id, epoch, low_bits, unit)' ], [ 'layout_timestamp', 'SCHEMA.layout_timestamp(id, name)' ] ],
	[ 'instants_of_layouts, layouts', map({ [ "$_, own", "SCHEMA.$_(t, epoch, low_bits, unit)" ] } qw(layout_min layout_max)), map({ [ $_, "SCHEMA.$_(t, name)" ] } qw(layout_min layout_max)) ]);

use constant VALUES => qw(instants uuids numbers layouts instants_of_layouts);

# In a database that has the C edition in schema c: create tables with about so many
# instants, uuids and bigints, and layouts.  Returns their names.
sub edition_values
{
	my ($node, $database, $values) = @_;

	$node->safe_psql($database, <<"END");
SET TimeZone = 'UTC';
DO \$\$ BEGIN PERFORM setseed(0.5); END \$\$;
CREATE TABLE instants AS
	SELECT timestamptz '2000-01-01Z' + interval '1 s' * (n * 493827156.4 / $values) AS t FROM generate_series(-$values / 4, $values / 4) AS n
	UNION ALL SELECT t + n * interval '1 us' FROM generate_series(-$values / 40, $values / 40) AS n,
		unnest('{1970-01-01Z,10889-08-02 05:31:50.655999Z,9999-12-31 23:59:59.999999Z}'::timestamptz[]) AS t
	UNION ALL SELECT timestamptz '2000-01-01Z' + ((random() * 2 - 1) * 2.1e11) * interval '1 s' + random() * interval '1 s' FROM generate_series(1, $values / 4)
	UNION ALL SELECT timestamptz '2000-01-01Z' + (random() * 9e12) * interval '1 s' FROM generate_series(1, $values / 4)
	UNION ALL SELECT unnest('{-infinity,infinity,4714-11-24 00:00:00Z BC,4713-11-24 BC,4713-11-24 00:00:00.000001Z BC,294276-12-31 23:59:59.999999Z,294247-01-10 04:00:54.775806Z,294247-01-10 04:00:54.775807Z,294247-01-10 04:00:54.775808Z,0044-03-15 BC,NULL}'::timestamptz[]);
CREATE TABLE uuids AS
	SELECT overlay(gen_random_uuid()::text PLACING CASE n % 3 WHEN 0 THEN '4' WHEN 1 THEN '7' ELSE substr('0123456789abcdef', 1 + n % 16, 1) END FROM 15 FOR 1)::uuid AS id FROM generate_series(1, $values) AS n
	UNION ALL SELECT unnest('{00000000-0000-0000-0000-000000000000,ffffffff-ffff-ffff-ffff-ffffffffffff,00000000-0000-7000-8000-000000000000,ffffffff-ffff-7fff-bfff-ffffffffffff,ffffffff-ffff-7fff-cfff-ffffffffffff,ffffffff-ffff-7fff-7fff-ffffffffffff,00000000-0000-0000-0000-000000000001,ffffffff-ffff-ffff-ffff-fffffffffffe,NULL}'::uuid[]);
CREATE TABLE numbers AS
	SELECT ('x' || left(replace(gen_random_uuid()::text, '-', ''), 12) || right(gen_random_uuid()::text, 4))::bit(64)::bigint >> (random() * 60)::int AS id FROM generate_series(1, $values / 8)
	UNION ALL SELECT unnest('{-9223372036854775808,-9223372036854775807,-1,0,1,9223372036854775806,9223372036854775807,65535,65536,4194303,4194304,NULL}'::bigint[]);
CREATE TABLE layouts AS SELECT name, epoch, low_bits, resolution AS unit FROM c.flakeid_layouts
	UNION ALL VALUES (NULL, timestamptz '2020-01-01Z', 22, interval '1 ms'), (NULL, '1970-01-01Z', 0, '1 us'), (NULL, '9999-12-31 23:59:59.999999Z', 62, '1 us'), (NULL, '1970-01-01Z', 62, '1 s'),
		(NULL, '2009-01-03 18:15:05Z', 4, '1 s'), (NULL, '2015-05-05Z', 0, '00:10'), (NULL, '1970-01-01Z', 1, '1 us'), (NULL, '9999-12-31 23:59:59.999999Z', 0, '1 us'),
		(NULL, '1970-01-01Z', 0, '2562047788:00:54'), (NULL, '2001-02-03Z', 13, '7 us');
CREATE TABLE instants_of_layouts AS SELECT t FROM instants ORDER BY random() LIMIT $values / 8;
END
	return VALUES;
}

# The query for a line of each function: its name, the number of values, and a digest of the
# answers of the edition in a schema.
sub edition_answers
{
	my ($schema) = @_;

	return "SET TimeZone = 'UTC'; SELECT f, count(*), md5(string_agg(coalesce(a, 'NULL'), ',' ORDER BY a COLLATE \"C\")) FROM (" . join("\nUNION ALL ", map {
		my ($from, @functions) = @$_;
		"SELECT f, a FROM $from, LATERAL (VALUES " . join(', ', map { "('$_->[0]', " . $_->[1] =~ s/SCHEMA/$schema/gr . '::text)' } @functions) . ') AS v (f, a)'
	} @questions) . ') AS s GROUP BY f ORDER BY f COLLATE "C"';
}

# In a database that has those tables, and the SQL edition in schema app: compare the editions.
# Returns a line for each function, with whether there were many values, and the number of
# those for which the editions' answers differ.
sub edition_differences
{
	my ($node, $database, $values) = @_;

	edition_values($node, $database, $values);
	return $node->safe_psql($database, "SET TimeZone = 'UTC'; SELECT f, count(*) > $values / 10 AS many, count(*) FILTER (WHERE a IS DISTINCT FROM b) AS differ FROM (" . join("\nUNION ALL ", map {
		my ($from, @functions) = @$_;
		"SELECT f, a, b FROM $from, LATERAL (VALUES " . join(', ', map { my ($name, $call) = @$_; "('$name', " . join(', ', map { $call =~ s/SCHEMA/$_/gr . '::text' } 'app', 'c') . ')' } @functions) . ') AS v (f, a, b)'
	} @questions) . ') AS s GROUP BY f ORDER BY f COLLATE "C"');
}

1;
