# The marks of a database.
package Flakeid::Marks;

use strict;
use warnings;

use Exporter 'import';
use Test::More;

our @EXPORT = qw(
  MARK MARKED MARKS row_until raise_marks marks marks_kept below
);

# The table of the marks, and the mark in a row of it.
use constant MARK => '_flakeid.mark';
use constant MARKED => '(ARRAY[to_1, to_2, to_3, to_4, to_5, to_6])[current]';

# The query for the marks by kind: the timelines of sno, all others.
use constant MARKS => 'SELECT max(' . MARKED . ') FROM ' . MARK . ' GROUP BY kind ORDER BY kind';

# The columns after the kind, for a row that says that everything until an instant was issued.
sub row_until
{
	my ($instant) = @_;

	return join ', ', 1, "'-infinity'", $instant, ("'-infinity'") x 10;
}

# The statement that raises these marks by hand, as a restored dump does.
sub raise_marks
{
	my ($instant, @kinds) = @_;
	my $kinds = join ', ', @kinds ? @kinds : (0 .. 2);

	return 'INSERT INTO ' . MARK . ' SELECT kind, ' . row_until($instant) . " FROM unnest(ARRAY[$kinds]) AS kind";
}

# The marks by kind, of a database.
sub marks
{
	my ($node, $database) = @_;

	return split /\n/, $node->safe_psql($database || 'postgres', MARKS);
}

# One test: is no mark lower than it was?
sub marks_kept
{
	my ($name, $node, $database, $before) = @_;
	my @now = marks($node, $database);
	my $pairs = join ', ', map { "('$now[$_]'::timestamptz, '$before->[$_]'::timestamptz)" } 0 .. $#now;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return is($node->safe_psql('postgres', "SELECT bool_and(now >= before) FROM (VALUES $pairs) AS m (now, before)"),
		't', "$name: no mark is lower than @$before");
}

# Which of these IDs, by name, are below their mark?
sub below
{
	my ($node, $marks, %ids) = @_;
	my @rows;

	foreach my $name (sort keys %ids)
	{
		my ($type) = $name =~ /^(\w+)/;
		my $id = "('$ids{$name}'::bytea)::$type";

		push @rows, "('$name', ($id)::timestamptz, " . ($type eq 'sno' ? "sno_tick_tock($id)::int" : 2) . ')';
	}
	return $node->safe_psql('postgres',
		    "SELECT name, at FROM (VALUES " . join(', ', @rows) . ") AS id (name, at, kind)"
		  . ' JOIN (VALUES ' . join(', ', map { "($_, '$marks->[$_]'::timestamptz)" } 0 .. $#$marks) . ") AS m (kind, mark) USING (kind)"
		  . ' WHERE at < mark');
}

1;
