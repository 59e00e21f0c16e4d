# Writers and readers of feeds under load.
package Flakeid::Feeds;

use strict;
use warnings;

use Exporter 'import';
use IPC::Run ();
use PostgreSQL::Test::Utils;
use Test::More;

our @EXPORT = qw(start_writers left_prepared finish_prepared expect_all_read tables_copied);

my $starts = 0;

# Start writers for some seconds: pgbench with scripts, [ weight, text ], in which :start and
# :client_id together are new each time.
sub start_writers
{
	my ($node, $clients, $seconds, @scripts) = @_;
	my $base = PostgreSQL::Test::Utils::tempdir() . '/writers';

	append_to_file("$base.$_.sql", "$scripts[$_][1]\n") foreach 0 .. $#scripts;
	$starts++;
	return {
		err => "$base.err",
		run => IPC::Run::start([ $node->installed_command('pgbench'), '-n', '-c', $clients, '-T', $seconds, '-D', "start=$starts",
				(map { ('-f', "$base.$_.sql\@$scripts[$_][0]") } 0 .. $#scripts), $node->connstr('postgres') ], '>', '/dev/null', '2>', "$base.err")
	};
}

# The transactions that writers have left prepared.
sub left_prepared
{
	my ($node) = @_;

	return split /\n/, $node->safe_psql('postgres', 'SELECT gid FROM pg_prepared_xacts');
}

sub finish_prepared
{
	my ($node, @gids) = @_;

	$node->safe_psql('postgres', (int(rand 2) ? 'COMMIT' : 'ROLLBACK') . " PREPARED '$_'") foreach @gids;
	return;
}

# A reader has got every row of a table, by a column, and none twice; the one named naive, which
# asks for no horizon, must have missed some.
sub expect_all_read
{
	my ($node, $reader, $table, $column) = @_;
	my ($rows, $missed, $twice) = split /\|/, $node->safe_psql('postgres', "SELECT (SELECT count(*) FROM $table),
		(SELECT count(*) FROM (SELECT $column FROM $table EXCEPT SELECT $column FROM got_$reader) AS missed), (SELECT count(*) - count(DISTINCT $column) FROM got_$reader)");

	diag("$reader: missed $missed of $rows rows");
	if ($reader eq 'naive')
	{
		cmp_ok($missed, '>', 0, "without the horizon: missed $missed of $rows rows");
	}
	else
	{
		is($missed, '0', "$reader: none of $rows rows is missed");
		is($twice, '0', "$reader: ... or read twice");
	}
	return;
}

# Wait until a database's subscriptions have copied all their tables.  Only state r will do:
# wait_for_subscription_sync() returns in state s, too, in which there is no horizon yet.
sub tables_copied
{
	my ($node, $database) = @_;

	return $node->poll_query_until($database, q(SELECT bool_and(srsubstate = 'r') FROM pg_subscription_rel));
}

1;
