# Report bench.pl's results: report.pl FILE prints the tables and the bars.  With a directory
# after FILE it writes the tables into the directory's performance.md, between
# <!-- bench: PART --> and <!-- end -->, and a copy of FILE and two charts next to it.  The
# page has fewer tables and rows: the bars that are missed; sessions, once for a call; keys, once.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../../packaging";

use Files;
use JSON::PP;

my ($file, $docs) = @ARGV;
my $found = decode_json(slurp($file));

# Three significant digits.
sub cell
{
	my ($value) = @_;

	return '' unless defined $value;
	return $value unless $value =~ /^-?[\d.]+(e[-+]?\d+)?$/i;
	return $value == int $value ? $value : sprintf($value < 0.1 ? '%.3f' : $value < 10 ? '%.2f' : $value < 100 ? '%.1f' : '%.0f', $value);
}

# As Markdown, with columns aligned on a terminal, too.
sub markdown
{
	my ($head, @rows) = @_;
	my @cells = ($head, map { [ map { cell($_) } @$_ ] } @rows);
	my @width = map { my $n = $_; (sort { $b <=> $a } map { length $_->[$n] } @cells)[0] } 0 .. $#$head;
	my @lines = map {
		my $row = $_;
		'| ' . join(' | ', map { sprintf($_ == 0 ? '%-*s' : '%*s', $width[$_], $row->[$_]) } 0 .. $#width) . ' |'
	} @cells;

	splice @lines, 1, 0, '|' . join('|', map { '-' x ($width[$_] + 1) . ($_ == 0 ? '-' : ':') } 0 .. $#width) . '|';
	return join("\n", @lines) . "\n";
}

# The bars that are the same for several types or calls are one row, with the ratio that is
# closest to its limit; a missed one has a row of its own.
sub bars
{
	my ($keep) = @_;
	my $type = qr/(?:sno|snowflake|uid64|uid96|siq|flax|ulid|ksuid|uuid7)/;
	my (%kind, @kinds);

	foreach my $bar (grep { $keep->($_) } @{ $found->{bars} })
	{
		my $name = $bar->{met} ? $bar->{bar} =~ s/`${type}_new\([^)]*\)`/`T_new()`/r =~ s/^(?:$type(?: text| uuid)?|bigint): /T: /r : $bar->{bar};
		my $kind = $kind{"$name $bar->{limit}"} //= do { push @kinds, { %$bar, bar => $name, bars => 0 }; $kinds[-1] };

		$kind->{bars}++;
		$kind->{ratio} = $bar->{ratio} if $bar->{limit} =~ /^>/ ? $bar->{ratio} < $kind->{ratio} : $bar->{ratio} > $kind->{ratio};
	}
	return markdown([ 'bar', 'bars', 'worst ratio', 'limit', '' ], map { [ @$_{qw(bar bars ratio limit)}, $_->{met} ? 'met' : '**missed**' ] } @kinds);
}

# What fewer rows say as well: a table's head and its rows, or nothing.
sub shorter
{
	my ($table) = @_;
	my ($head, $rows) = @$table{qw(head rows)};

	return if $table->{title} =~ /^Planning a query of one day$/;
	return [ 'condition', map { ("timestamptz$_", "IDs$_") } '', ', a fifth more' ],
	  map { my $fresh = $_; [ @$fresh[ 0, 2, 3 ], map { @$_[ 2, 3 ] } grep { $_->[0] eq $fresh->[0] && $_->[1] ne 'fresh' } @$rows ] }
	  grep { $_->[1] eq 'fresh' } @$rows if $head->[0] eq 'condition';

	if ($table->{part} eq 'sessions')
	{
		my %rate = map { ("$_->[0] $_->[1]" => $_->[2]) } @$rows;
		my @one = grep { $_->[1] == 1 } @$rows;
		my %most = map { ($_->[0] => $_) } @$rows;    # the last one of a call has most sessions
		my @counts = map { $_->[1] } grep { $_->[0] eq $one[0][0] } @$rows;

		return [ 'call', (map { "million a second by $_" } @counts), 'p50', 'p99', "p99 of $counts[-1]", 'p99.9', "p99.9 of $counts[-1]" ],
		  map { my $row = $_; my $last = $most{ $row->[0] }; [ $row->[0], (map { $rate{"$row->[0] $_"} } @counts), $row->[4], $row->[5], $last->[5], $row->[6], $last->[6] ] } @one;
	}
	if ("@$head" eq 'rows column windows above 1.2 median worst')
	{
		my (%worst, %above, @kinds, @columns);

		foreach my $row (@$rows)
		{
			push @kinds, $row->[0] unless grep { $_ eq $row->[0] } @kinds;
			push @columns, $row->[1] unless grep { $_ eq $row->[1] } @columns;
			$above{ $row->[0] } += $row->[3];
			$worst{"$row->[0] $row->[1]"} = $row->[5];
		}
		return [ 'rows', 'windows', 'above 1.2', map { "$_, worst" } @columns ],
		  map { my $kind = $_; [ $kind, $rows->[0][2] * @columns, $above{$kind}, map { $worst{"$kind $_"} } @columns ] } @kinds;
	}
	return $head, @$rows;
}

my %text = (
	bars => bars(sub { 1 }),
	run => "`src/` as of commit $found->{commit}, $found->{date}; $found->{server}; $found->{machine}; "
	  . "load average $found->{load}; $found->{seconds} s"
	  . ($found->{size} == 1 ? '' : ", at size $found->{size}, which measures nothing") . ".\n");
my @parts;

# The two tables of concurrent writers have the same keys: a row of the first goes on with that of the second.
my ($each, $hundred) = grep { $_->{part} eq 'writers' } @{ $found->{tables} };

if ($hundred)
{
	my %row = map { $_->[0] => $_ } @{ $hundred->{rows} };

	$each = {
		part => 'writers',
		title => "$each->{title} / $hundred->{title}",
		head => [ 'key', map { ("time / bigserial's$_", "key / filled in order$_", "WAL MB$_") } '', ', 100' ],
		rows => [ map { [ $_->[0], map { @$_[ 1, 4, 5 ] } $_, $row{ $_->[0] } ] } @{ $each->{rows} } ] };
}
foreach my $table ((map { $_->{part} eq 'writers' ? () : $_ } @{ $found->{tables} }), $each // ())
{
	my @table = shorter($table) or next;

	push @parts, $table->{part} unless $text{ $table->{part} };
	$text{ $table->{part} } .= ($text{ $table->{part} } ? "\n" : '') . ($table->{title} =~ s/, and an ID's .*//r) . ":\n\n" . markdown(@table);    # shorter() leaves those columns out
}
print map { "\n$text{$_}" } @parts, 'bars', 'run';
my @missed = grep { !$_->{met} } @{ $found->{bars} };
printf "\n%d of %d bars met\n", @{ $found->{bars} } - @missed, scalar @{ $found->{bars} };
exit unless $docs;
$text{bars} = sprintf("%d of %d bars are met. These are missed:\n\n", @{ $found->{bars} } - @missed, scalar @{ $found->{bars} }) . bars(sub { !$_[0]{met} });

# ---------- into the documents ----------

my $page = slurp("$docs/performance.md");

$page =~ s{(<!-- bench: (\w+) -->\n).*?(<!-- end -->)}{$1 . "\n" . ($text{$2} // die "no part $2 in $file") . "\n" . $3}gse;
spew("$docs/performance.md", $page);
spew("$docs/bench.json", slurp($file));
chart("$docs/cost.svg", 230, costs());
chart("$docs/bench.svg", 300, calls());

sub rows_of
{
	my ($part) = @_;

	return map { @{ $_->{rows} } } grep { $_->{part} eq $part } @{ $found->{tables} };
}

# The first chart: keys that users choose between, in time and space.
sub costs
{
	my %ns = map { $_->[0] =~ s/`|\(.*|bench_(?=uuidv7)//gr => $_->[1] } reverse rows_of('generators');
	my %insert = map { $_->[0] => $_ } rows_of('insert');
	my %range = map { $_->[0] => $_ } rows_of('ranges');
	my %call = (sno => 'sno_new', snowflake => 'snowflake_new', 'uuid7_new()' => 'uuid7_new',
		bigserial => 'nextval', 'uuid v7' => 'uuidv7', 'uuid v4' => 'gen_random_uuid');
	my @keys = ('sno', 'snowflake', 'uuid7_new()', 'bigserial', 'uuid v7', 'uuid v4');

	return (
		[ 'Nanoseconds to make one', '%.0f', map { [ $_, $ns{ $call{$_} } ] } @keys ],
		[ 'A million rows inserted', '%.2f', map { [ $_, $insert{$_}[1] ] } @keys ],
		[ 'Table and indexes, MB', '%.0f', map {
				[ $_, $insert{$_}[2] + $insert{$_}[3] ],
				$_ eq 'bigserial' ? [ '+ created_at', $range{'table, MB'}[3] + $range{'indexes, MB'}[3] ] : ()
			} @keys ]);
}

# The second: all generators, and the cost of an INSERT.
sub calls
{
	my %ns = map { $_->[0] =~ s/`|\(.*//gr => $_->[1] } reverse rows_of('generators');

	return (
		[ 'Nanoseconds to make one ID', '%.0f', map { [ $_, $ns{$_} ] } grep { $ns{$_} }
			  qw(sno_new snowflake_new uid64_new uid96_new siq_new flax_new ulid_new uuid7_new ksuid_new nextval uuidv7 gen_random_uuid) ],
		[ "INSERT of a million rows / bigserial's time", '%.2f', map { [ @$_[ 0, 1 ] ] } rows_of('insert') ]);
}

# Bars from the top down, each with its value, flakeid's in another colour; a panel consists of
# its title, the format of the values, and the bars.
sub chart
{
	my ($svg, $height, @panels) = @_;
	my $columns = @panels;
	my $gnuplot;

	open $gnuplot, '|-', 'gnuplot' or die "gnuplot: $!";
	print $gnuplot <<"END";
set terminal svg noenhanced size 900,$height font 'sans-serif,13' background 'white'
set output '$svg'
set multiplot layout 1,$columns
set yrange [] reverse
unset key
unset border
unset xtics
set ytics scale 0
set style fill solid
END
	panel($gnuplot, @$_) foreach @panels;
	close $gnuplot or die 'gnuplot failed';
	spew($svg, slurp($svg) =~ s/[ \t]+$//mgr);
	return;
}

sub panel
{
	my ($gnuplot, $title, $format, @rows) = @_;
	my $longest = (sort { $b <=> $a } map { $_->[1] } @rows)[0];

	print $gnuplot "set title \"$title\"\nset xrange [0:1.15 * $longest]\n\$data << EOD\n",
	  (map { qq("$rows[$_][0]" $_ $rows[$_][1] ) . ($rows[$_][0] =~ /^(sno|siq|uid|flax|ulid|uuid7|ksuid)/ ? '0x2a6f97' : '0xb0b0b0') . "\n" } 0 .. $#rows),
	  "EOD\n", 'plot $data using (0):2:(0):3:($2-0.35):($2+0.35):4:ytic(1) with boxxyerror linecolor rgb variable, ',
	  qq(\$data using 3:2:(sprintf("$format", \$3)) with labels left offset 0.5,0\n);
	return;
}
