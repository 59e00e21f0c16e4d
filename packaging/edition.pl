# The SQL edition for managed servers, out of src/sql-edition:
#
#   edition.pl DIRECTORY           flakeid.sql, flakeid-13.sql, flakeid-tle.sql and
#                                  flakeid-leave.sql into it
#   edition.pl up SCRIPT VERSION   flakeid--sql.sql and flakeid--sql--VERSION.sql, out of the
#                                  C edition's SCRIPT: how a database moves up to it
#
# The sources are plain CREATE statements, with @schema@ before each name of their own.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use Files;

my $folder = "$FindBin::RealBin/../src/sql-edition";
my @sources = map { source($_) } qw(uuid7 ulid layout typeid follow rowversion horizon);
my ($version) = slurp("$FindBin::RealBin/../META.json") =~ /"version": "([\d.]+)"/ or die "META.json: no version\n";

# A file of statements.  What several bodies need is in a file of its own, FILE.in for %FILE%, because one
# body cannot call another of an edition whose schema may be renamed.
sub source { return slurp("$folder/$_[0].sql") =~ s{^%([A-Z]+)%\n}{slurp("$folder/\L$1\E.in")}gmer }

# The objects that "sql" creates: kind and name, with the types of a function's arguments.
sub objects
{
	my ($sql) = @_;
	my @objects;
	my %seen;

	while ($sql =~ /^\s*CREATE (VIEW|FUNCTION|PROCEDURE) \@schema\@\.(\w+)(?:\(([^)]*)\))?/gm)
	{
		my ($kind, $name, $arguments) = ($1, $2, $3);

		$name .= '(' . types($arguments) . ')' if $kind =~ /^(?:FUNCTION|PROCEDURE)$/;
		push @objects, [ $kind, $name ] if !$seen{$name}++;
	}
	return @objects;
}

# The types of a list of arguments.
sub types { return join ', ', map { s/ DEFAULT .*//r =~ s/^(?:INOUT )?\w+ (?=\w)//r } split /, /, $_[0] }

# A template with the values put in place of %NAME%.
sub filled
{
	my ($template, %values) = @_;

	return slurp("$folder/$template") =~ s/%([A-Z]+)%/$values{$1} \/\/ die "$template: no $1\n"/ger;
}

sub listed { return join ",\n", map { "            ('$_->[0]', '$_->[1]')" } @_ }

# The file that installs "sql"; "before" runs before its checks, "after" when all is made.
sub installer
{
	my ($title, $sql, $before, $after) = @_;

	return filled('install.in', TITLE => $title, BEFORE => $before // '', AFTER => $after // '',
		FUNCTIONS => join(",\n", map { "        '$_->[1]'" } grep { $_->[0] =~ /^(?:FUNCTION|PROCEDURE)$/ } objects($sql)),
		SQL => $sql =~ s/\bCREATE (?=FUNCTION|PROCEDURE|VIEW)/CREATE OR REPLACE /gr);
}

# PostgreSQL 13 has no bodies that are bound when they are created: strings, which cost less in PL/pgSQL.
sub as_strings { return $_[0] =~ s/LANGUAGE sql ([A-Z ]+)\n(\s*)RETURN (.*?);$/LANGUAGE plpgsql $1\n$2SET search_path FROM CURRENT AS \$string\$BEGIN RETURN $3; END\$string\$;/gmsr }

# The C edition's script over what the SQL edition has made.
sub up
{
	my ($script, $to) = @_;
	my $c = slurp($script);
	# A file of which C has nothing stays what it is.
	my $sql = join "\n", grep { my ($first) = grep { $_->[1] =~ /^(?!_).*[(]/ } objects($_); my ($name) = $first->[1] =~ /(\w+)/; $c =~ /^CREATE $first->[0] $name[(]/m } @sources;
	my @objects = objects($sql);

	foreach my $object (@objects)
	{
		my ($kind, $name) = @$object;
		my $bare = $name =~ s/\(.*//r;

		next if $bare =~ /^_/;
		if ($kind eq 'VIEW') { $c =~ s/^CREATE VIEW $bare /CREATE OR REPLACE VIEW $bare /m or die "$script: no view $bare\n" }
		else
		{
			my $types = ($name =~ /\((.*)\)/)[0];
			my $count = 0;

			$c =~ s{^CREATE $kind (?=$bare\(([^)]*)\))}{types($1) eq $types ? do { $count++; "CREATE OR REPLACE $kind " } : "CREATE $kind "}gme;
			die "$script: \L$kind\E $name is there $count times\n" if $count != 1;
		}
	}
	$c =~ s/\A.*?^\\echo [^\n]*\n//ms or die "$script: no \\echo\n";
	$c =~ s{^(?=/\* -+ privileges)}{filled('up_owner.in', OBJECTS => listed(grep({ $_->[1] !~ /^_/ } @objects), reverse grep { $_->[1] =~ /^_/ } @objects))}me or die "$script: no privileges\n";
	spew('flakeid--sql.sql',
		filled('up.in', SQL => $sql =~ s/\@schema\@/_flakeid_edition/gr, OBJECTS => listed(@objects)) . $c
		  . "\nCREATE FUNCTION _flakeid_functions.flakeid_moved_up() RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN '$to';\n");
	spew("flakeid--sql--$to.sql",
		"-- flakeid: the end of the move from the SQL edition, most of which is in flakeid--sql.sql.\n\n"
		  . "\\echo Use \"ALTER EXTENSION flakeid UPDATE\" to load this file. \\quit\n\n"
		  . "DO \$\$\nBEGIN\n    IF _flakeid_functions.flakeid_moved_up() OPERATOR(pg_catalog.<>) '$to' THEN\n"
		  . "        RAISE 'this database has moved to version %, not $to', _flakeid_functions.flakeid_moved_up()\n"
		  . "            USING HINT = pg_catalog.format('ALTER EXTENSION flakeid UPDATE TO %L comes first.', _flakeid_functions.flakeid_moved_up());\n"
		  . "    END IF;\nEND\n\$\$;\nDROP FUNCTION _flakeid_functions.flakeid_moved_up();\n");
	return;
}

if (@ARGV == 3 && $ARGV[0] eq 'up') { up(@ARGV[ 1, 2 ]) }
elsif (@ARGV == 1)
{
	my $sql = join "\n", @sources;
	my $to = $ARGV[0];
	my $objects = listed(objects($sql));

	spew("$to/flakeid.sql", installer("$version, SQL edition, for PostgreSQL 14 and newer", $sql));
	spew("$to/flakeid-13.sql", installer("$version, SQL edition, for PostgreSQL 13", as_strings($sql)));
	spew("$to/flakeid-leave.sql", installer("$version: from the C edition back to the SQL edition.  Run it as the superuser who owns the extension's functions, then DROP EXTENSION flakeid", $sql,
		filled('leave.in', OBJECTS => $objects), filled('leave_owner.in', OBJECTS => $objects)));
	spew("$to/flakeid-tle.sql",
		"-- flakeid $version, SQL edition, for pg_tle: then CREATE EXTENSION flakeid.\n"
		  . "SELECT pgtle.install_extension('flakeid', '" . ($version =~ s/\.\d+$//r) . "', 'time in uuid v7, ULID and bigint keys; uuid v7', \$pg_tle\$\n"
		  . "SET LOCAL search_path = pg_catalog, pg_temp;\n" . $sql =~ s/\@schema\@/\@extschema\@/gr . "\$pg_tle\$);\n");
}
else { die "usage: edition.pl DIRECTORY | up SCRIPT VERSION\n" }
