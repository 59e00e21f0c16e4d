#!/usr/bin/perl
# Prove that the simulation finds what it should: build each entry of the file
# "mutants" and run schedules of all kinds until one fails. TAP; arguments select
# entries by a piece of their sentence. SIM_MUTANT_SCHEDULES of each kind (20000)
# are run at most. All of it works on a copy, so the sources may change meanwhile.
use strict;
use warnings;
use File::Temp qw(tempdir);

my $checkout = $0 =~ s{[^/]*$}{../..}r;
my $dir = tempdir('flakeid-sim-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $sim = 'test/sim';
my $out = 'out';
my $schedules = $ENV{SIM_MUTANT_SCHEDULES} || 20000;

sub slurp { my ($path) = @_; open my $in, '<', $path or die "$path: $!\n"; local $/; return <$in> }

system("mkdir $dir/test && cp -r $checkout/src $dir/ && cp -r $checkout/$sim $dir/test/") == 0 or die;
chdir $dir or die;
END { chdir '/' }
$SIG{INT} = $SIG{TERM} = sub { exit 1 };    # so that the copy goes
system("$sim/build.sh $out") == 0 or die;
my $kinds = () = `$out/sim -k`;

# The entries: a line about it, the file, texts with what replaces them.
my @mutants;
my ($old, $new);
for (split /^/m, slurp("$sim/mutants"))
{
	if (defined $new) { /^>>>>$/ ? push(@{$mutants[-1]{edits}}, [$old, $new]) && undef($new) : ($new .= $_) }
	elsif (defined $old) { if (/^====$/) { $new = '' } else { $old .= $_ } next }
	elsif (/^(mutant|harmless): (.*)/) { push @mutants, {harmless => $1 eq 'harmless', about => $2, edits => []} }
	elsif (/^kind: (.*)/) { $mutants[-1]{kind} = $1 }
	elsif (/^because: (.*)/) { $mutants[-1]{because} = $1 }
	elsif (/^in (\S+)$/) { $mutants[-1]{file} = $1 }
	elsif (/^<<<<$/) { $old = ''; next }
	elsif (!/^(#.*)?$/) { die "$sim/mutants:$.: what is this? $_" }
	$old = undef if !defined $new;
}

my ($tests, $failed) = (0, 0);
sub result
{
	my ($good, $about, @more) = @_;
	$failed++ unless $good;
	print $good ? 'ok ' : 'not ok ', ++$tests, " - $about\n", map { "# $_\n" } @more;
}

$| = 1;
for my $mutant (@mutants)
{
	next if @ARGV && !grep { index($mutant->{about}, $_) >= 0 } @ARGV;

	my $code = slurp("src/$mutant->{file}");
	my @stale;
	for my $edit (@{$mutant->{edits}})
	{
		my $times = () = $code =~ /\Q$edit->[0]\E/g;
		push @stale, "found $times times in src/$mutant->{file}: $edit->[0]" if $times != 1;
		$code =~ s/\Q$edit->[0]\E/$edit->[1]/;
	}
	if (@stale) { result(0, "stale: $mutant->{about}", map { split /\n/ } @stale); next }

	system('rm -rf from mutant && mkdir from && cp src/*.c src/*.h from/') == 0 or die;
	open my $file, '>', "from/$mutant->{file}" or die;
	print $file $code;
	close $file;
	if (system("$sim/build.sh mutant from >log 2>&1") != 0)
	{
		result(0, "does not compile: $mutant->{about}", split /\n/, slurp('log'));
		next;
	}
	my $most = $schedules * ($mutant->{kind} ? $kinds : 1);
	my $found = `timeout 300 $out/sim -l mutant/flake.so -m $most @{[$mutant->{kind} // '']}`;
	my $status = $?;
	chomp $found;
	$found = 'it never ends' if $status >> 8 == 124;
	$found = 'it dies by signal ' . ($status & 127) if $status & 127;
	if ($status >> 8 > 1 && $status >> 8 != 124)
	{
		result(0, "does not run: $mutant->{about}", $found);
		next;
	}
	my ($kind, $seed) = $found =~ /^kind (\S+) seed (\d+)/;
	if (defined $seed && system("$out/sim $kind $seed >log 2>&1") != 0)
	{
		result(0, $mutant->{about}, $found, 'but so fails what is no mutant');
		next;
	}
	if ($mutant->{harmless})
	{
		result($found eq '', "harmless: $mutant->{about}", $found eq '' ? $mutant->{because} : "but $found");
	}
	else
	{
		result($found ne '', $mutant->{about}, $found ne '' ? $found : "not found in $most schedules of " . ($mutant->{kind} // 'each kind'));
	}
}
print "1..$tests\n";
exit($failed > 0);
