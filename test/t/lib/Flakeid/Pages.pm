# The ```sql blocks of README.md and of the pages of docs/.
#
# A comment above a block, which readers do not see, tells what is different:
#
#   <!-- test: fails 22003 -->                as it must, with this SQLSTATE, and with the
#                                             message that the statement's comment begins with
#   <!-- test: not run, as it needs ... -->   and why
#   <!-- test: needs ICU -->                   not run where the server was built without,
#   <!-- test: needs pgcrypto -->              where this extension is not installed, or
#   <!-- test: needs 16 -->                    on older majors
#   <!-- test: output varies -->              even where it could be compared
package Flakeid::Pages;

use strict;
use warnings;

use Exporter 'import';
use FindBin;
use PostgreSQL::Test::Utils qw(slurp_file);

our @EXPORT = qw(page_blocks page_has_examples);

my $root = "$FindBin::RealBin/../..";

# What this server has, of what blocks may need.
sub has
{
	my ($node, $what) = @_;

	return $node->pg_version->major >= $what if $what =~ /^\d/;
	return $node->safe_psql('postgres', q(SELECT count(*) FROM pg_collation WHERE collname = 'und-x-icu')) if $what eq 'ICU';
	return $node->safe_psql('postgres', "SELECT count(*) FROM pg_available_extensions WHERE name = '$what'");
}

# The sql blocks of a page: name, sql, output and plan if they are shown, and what the
# comments say (fails, skip, varies, the major that it needs).
sub page_blocks
{
	my ($node, $document) = @_;
	my $text = slurp_file("$root/$document");
	my (@blocks, %notes, $shown_by);

	while ($text !~ /\G\z/gc)
	{
		my $name = "$document:" . (1 + (substr($text, 0, pos($text) // 0) =~ tr/\n//));

		if ($text =~ /\G<!-- test: (.*?)\s*-->\n/gcs)
		{
			my $note = $1;

			if ($note =~ /^fails (\w{5})$/) { $notes{fails} = $1 }
			elsif ($note =~ /^not run, ./) { $notes{skip} = $note }
			elsif ($note =~ /^needs (ICU|pgcrypto|btree_gist|16|18)$/)
			{
				my $needed = $1;

				$notes{skip} = "not run, as it $note" if !has($node, $needed);
				$notes{major} = $needed if $needed =~ /^\d/;
			}
			elsif ($note eq 'output varies') { $notes{varies} = 1 }
			else { die "$name: what is \"$note\"? (No statement may depend on one that readers do not see: show it, or put it into docs/examples.sql.)" }
			next;
		}
		if ($text =~ /\G```sql\n(.*?)^```\n/gcms)
		{
			$shown_by = { name => $name, sql => $1, %notes };
			push @blocks, $shown_by;
			%notes = ();
			next;
		}
		die "$name: no sql block after the comment" if %notes;
		if ($text =~ /\G```\w*\n(.*?)^```\n/gcms)
		{
			$shown_by->{ defined $shown_by->{output} ? 'plan' : 'output' } = $1 if $shown_by;
		}
		else
		{
			$text =~ /\G.*\n?/gc;
			$shown_by = undef;
		}
	}
	return @blocks;
}

# Does a page say in its first lines that docs/examples.sql has its tables?
sub page_has_examples
{
	my ($document) = @_;

	return slurp_file("$root/$document") =~ /\A(?:.*\n){0,7}.*\bexamples\.sql\b/;
}

1;
