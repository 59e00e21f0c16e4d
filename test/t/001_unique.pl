# No ID is issued twice, and every session's IDs increase: with many concurrent sessions
# that share partitions and metas, roll transactions back and close connections in between.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;

use constant OWN => 300;    # the server's partition
use constant SESSIONS => 8;

# More partitions than a backend keeps leases for, so that every ID takes its own lease
# from a generator that all sessions use; and so many that new generators start all the
# time.
use constant CROWDED => 24;
use constant MANY => 1000;

# Each column of a script's files is one stream: its partition and meta are fixed, so
# its lines must increase.  A stream is named by the arguments of sno_new().
my @streams = ('0', '7', '0, ' . OWN, '255, 4711');

# A session's script: each round runs one transaction, which commits, rolls back or
# fails, and then opens another connection.
sub script
{
	my ($node, $name, $rounds, $rows) = @_;
	my $sql = '';

	foreach my $round (1 .. $rounds)
	{
		my $columns = join ', ', map { "sno_new($_)" } @streams;
		my $file = id_file($node, "$name.$round");

		$sql .= "BEGIN;\nCOPY (SELECT $columns FROM generate_series(1, $rows)) TO '$file';\n";
		$sql .= ("COMMIT;\n", "ROLLBACK;\n", "\\set ON_ERROR_STOP 0\nSELECT 1 / 0;\n\\set ON_ERROR_STOP 1\nCOMMIT;\n")
		  [ $round % 3 ];
		$sql .= "\\c -\n";
	}
	return $sql;
}

# How many IDs the generators say they have handed out, in total.
sub issued
{
	my ($node) = @_;

	return $node->safe_psql('postgres', 'SELECT coalesce(sum(issued), 0) FROM flakeid_generators');
}

sub concurrent
{
	my ($node, $rounds, $rows) = @_;
	my $name = $node->name;
	my $total = SESSIONS * $rounds * $rows;
	my $before = issued($node);
	my %files;

	run_sessions($node, map { script($node, "s$_", $rounds, $rows) } 1 .. SESSIONS);

	foreach my $session (1 .. SESSIONS)
	{
		foreach my $round (1 .. $rounds)
		{
			my $file = id_file($node, "s$session.$round");

			push @{ $files{$_} }, "$file.$_" foreach 1 .. @streams;
		}
	}
	shell('n=$1; shift; for f; do for ((i = 1; i <= n; i++)); do cut -f$i <"$f" >"$f.$i"; done; rm "$f"; done', scalar @streams, map { s/\.1\z//r } @{ $files{1} });
	foreach my $column (1 .. @streams)
	{
		is((grep { !increasing($_) } @{ $files{$column} }),
			0, "$name: IDs of sno_new($streams[$column - 1]) increase in every session");
	}

	# sno_new(0) and sno_new(0, own partition) are one generator
	all_unique("$name: no ID of the own partition twice", 3 * $total, [ map { @{ $files{$_} } } 1 .. 3 ], sorted => 1);
	all_unique("$name: no ID of another partition twice", $total, $files{4}, sorted => 1);
	is(issued($node) - $before, @streams * $total, "$name: the generators have counted every ID");
	unlink map { @$_ } values %files;
	return;
}

# Use many generators in turn, each for so many IDs in a row.
sub in_turn
{
	my ($node, $partitions, $row, $rows) = @_;
	my $name = $node->name;
	my $before = issued($node);
	my @files = map { id_file($node, "t$_") } 1 .. SESSIONS;

	run_sessions($node,
		map { "COPY (SELECT sno_new(0, i / $row % $partitions) FROM generate_series(1, $rows) AS i) TO '$_'" } @files);
	all_unique("$name: no ID twice of $partitions partitions used in turn, $row in a row", SESSIONS * $rows, \@files);
	is(issued($node) - $before, SESSIONS * $rows, "$name: and every one counted");
	unlink @files;
	return;
}

# One session calls the same generator by two names, a few IDs at a time: the rest of
# a lease taken by one name must not be issued after the IDs of the other.
sub two_names
{
	my ($node) = @_;
	my $file = id_file($node, 'names');

	$node->safe_psql('postgres',
		"COPY (SELECT unnest(ARRAY[sno_new(0), sno_new(0, ${\OWN}), sno_new(0, ${\OWN})]) FROM generate_series(1, @{[ whole_or_short(100_000, 30_000) ]})) TO '$file'");
	ok(increasing($file), $node->name . ': the IDs increase, too, in a session that also names its own partition');
	unlink $file;
	return;
}

foreach my $preload (0, 1)
{
	my $node = new_server($preload ? 'preloaded' : 'dynamic', preload => $preload, conf => [ 'flakeid.node = ' . OWN ]);

	# 23 million in all, in make test 3 million
	concurrent($node, 3, $preload ? whole_or_short(10_000, 5_000) : whole_or_short(180_000, 20_000));
	in_turn($node, CROWDED, $_, $preload ? whole_or_short(20_000, 10_000) : whole_or_short(100_000, 10_000)) foreach 1, 5;
	in_turn($node, MANY, 1, $preload ? whole_or_short(20_000, 10_000) : whole_or_short(300_000, 30_000));
	two_names($node);
	$node->stop;
}

done_testing();
