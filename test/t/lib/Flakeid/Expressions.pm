# Objects with the expressions whose operator has no name to qualify.
package Flakeid::Expressions;

use strict;
use warnings;

use Exporter 'import';

our @EXPORT = qw(
  expressions_of lists_of_expressions
);

# Expressions about columns a and b of one type: IS DISTINCT FROM, NULLIF, CASE with a value,
# a comparison of rows.  Each is true or false, never NULL.
sub unnamed
{
	my ($a, $b) = @_;

	return ("$a IS DISTINCT FROM $b", "NULLIF($a, $b) IS NULL", "CASE $a WHEN $b THEN true ELSE false END", "($a, 1) >= ($b, 2) IS TRUE");
}

# SQL that creates, in schema app, for a type in a schema a table of 200 rows, a trigger, a rule,
# a policy, views, a materialized view, generated columns, checks, an index, a domain and
# partitions, all with each of these expressions and with JOIN USING where a query can be.
sub expressions_of
{
	my ($home, $type, $new) = @_;
	my $t = "app.t_$type";
	my $same = join ' AND ', map { "($_) IN (true, false)" } unnamed('id', 'parent');
	my $joined = "EXISTS (SELECT FROM $t AS one JOIN $t AS two USING (id))";
	my $n = 0;
	my $ordered = $type ne 'uid96';
	my $sql = "CREATE TABLE $t (id $home.$type PRIMARY KEY DEFAULT $home.$new, parent $home.$type REFERENCES $t, n int NOT NULL DEFAULT 0";

	$sql .= ", g_" . $n++ . " boolean GENERATED ALWAYS AS ($_) STORED" foreach unnamed('id', 'parent');
	$sql .= ", CHECK ($_)" foreach $same, $ordered ? "((id, n) >= (timestamptz '2000-01-01 Z', 0)) IN (true, false)" : ();
	$sql .= ");
		CREATE DOMAIN app.d_$type AS $home.$type CHECK (VALUE IS DISTINCT FROM $home.${type}_min('-infinity'));
		CREATE INDEX ON $t ((NULLIF(id, parent))) WHERE id IS DISTINCT FROM parent;
		CREATE FUNCTION app.f_$type() RETURNS trigger LANGUAGE plpgsql AS \$\$ BEGIN NEW.n := NEW.n + 1; RETURN NEW; END \$\$;
		ALTER TABLE $t ENABLE ROW LEVEL SECURITY;
		CREATE TABLE app.p_$type (id $home.$type, n int) PARTITION BY RANGE (id);
		CREATE TABLE app.p_${type}_1 PARTITION OF app.p_$type FOR VALUES FROM (MINVALUE) TO ($home.${type}_min('2020-01-01 Z'));
		CREATE TABLE app.p_${type}_2 PARTITION OF app.p_$type FOR VALUES FROM ($home.${type}_min('2020-01-01 Z')) TO (MAXVALUE);
		INSERT INTO $t SELECT FROM pg_catalog.generate_series(1, 200);
		UPDATE $t SET parent = one.id FROM (SELECT id FROM $t LIMIT 1) AS one WHERE $t.ctid::text LIKE '%1)';
		INSERT INTO app.p_$type SELECT id, n FROM $t;
		CREATE VIEW app.v_${type}_join AS SELECT id, two.n FROM $t AS one JOIN $t AS two USING (id);
		CREATE MATERIALIZED VIEW app.m_${type}_join AS SELECT id, two.n FROM $t AS one JOIN $t AS two USING (id);
		CREATE RULE r_join AS ON UPDATE TO $t WHERE $joined DO ALSO NOTHING;
		CREATE POLICY p_join ON $t USING ($joined);\n";
	$n = 0;
	foreach (unnamed('id', 'parent'))
	{
		$sql .= "CREATE VIEW app.v_${type}_$n AS SELECT id, $_ AS x FROM $t WHERE $_;
			CREATE MATERIALIZED VIEW app.m_${type}_$n AS SELECT id, $_ AS x FROM $t;
			CREATE POLICY p_$n ON $t USING ($_);\n";
		$n++;
	}
	$n = 0;
	foreach (unnamed('OLD.id', 'NEW.parent'))
	{
		$sql .= "CREATE TRIGGER t_$n BEFORE UPDATE ON $t FOR EACH ROW WHEN ($_) EXECUTE FUNCTION app.f_$type();
			CREATE RULE r_$n AS ON UPDATE TO $t WHERE $_ DO ALSO NOTHING;\n";
		$n++;
	}
	$sql .= "CREATE VIEW app.v_${type}_time AS SELECT id FROM $t WHERE id >= timestamptz '2000-01-01 Z' AND id <= timestamptz '9999-01-01 Z' AND id <@ tstzrange('2000-01-01 Z', '9999-01-01 Z')
			AND (id, n) >= (timestamptz '2000-01-01 Z', 0) AND $home.${type}_timestamp(id) > timestamptz '2000-01-01 Z';\n" if $ordered;
	return $sql;
}

# A query whose answer lists these objects, as the server writes them, and their rows.
sub lists_of_expressions
{
	return q(
		SET search_path = '';
		SELECT tgname, pg_catalog.pg_get_triggerdef(oid) FROM pg_catalog.pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2;
		SELECT tablename, rulename, definition FROM pg_catalog.pg_rules WHERE schemaname = 'app' ORDER BY 1, 2;
		SELECT tablename, policyname, qual FROM pg_catalog.pg_policies ORDER BY 1, 2;
		SELECT viewname, definition FROM pg_catalog.pg_views WHERE schemaname = 'app' ORDER BY 1;
		SELECT matviewname, definition FROM pg_catalog.pg_matviews WHERE schemaname = 'app' ORDER BY 1;
		SELECT indexname, indexdef FROM pg_catalog.pg_indexes WHERE schemaname = 'app' ORDER BY 1;
		SELECT conname, pg_catalog.pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint WHERE connamespace = 'app'::pg_catalog.regnamespace AND contype IN ('c', 'f') ORDER BY conrelid::pg_catalog.regclass::pg_catalog.text, 1;
		SELECT adrelid::pg_catalog.regclass, adnum, pg_catalog.pg_get_expr(adbin, adrelid) FROM pg_catalog.pg_attrdef WHERE adrelid::pg_catalog.regclass::pg_catalog.text LIKE 'app.%' ORDER BY adrelid::pg_catalog.regclass::pg_catalog.text, 2;
		SELECT oid::pg_catalog.regclass, pg_catalog.pg_get_expr(relpartbound, oid) FROM pg_catalog.pg_class WHERE relispartition AND relkind = 'r' ORDER BY relname;
		SELECT pg_catalog.format('SELECT %L, pg_catalog.count(*), pg_catalog.md5(pg_catalog.string_agg(t::pg_catalog.text, $$,$$ ORDER BY t::pg_catalog.text COLLATE "C")) FROM app.%I AS t', relname, relname)
			FROM pg_catalog.pg_class WHERE relnamespace = 'app'::pg_catalog.regnamespace AND relkind IN ('r', 'v', 'm') ORDER BY relname
		\gexec
	);
}

1;
