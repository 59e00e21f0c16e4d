#!/usr/bin/perl
# Prove that the tests find what they should: make the change of each entry of the
# file "mutants" and run all schedules of the small worlds, and random ones of all
# kinds, until one fails, or the test that the entry names, which must fail, and must
# pass without the change. What the worlds and what the random schedules find is said
# of each, and counted at the end. TAP; arguments select entries by a piece of their
# sentence. SIM_MUTANT_SCHEDULES of each kind (20000; 0: none) are run at most. All of it works
# on a copy, so the sources may change meanwhile. SIM_MUTANT_ONCE=1: what one of both
# finds is not looked for by the other, and a few random schedules come first.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../../packaging";

use File::Temp qw(tempdir);
use Files;
use POSIX qw(SIGXCPU);

my $dir = tempdir('flakeid-mutants-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $sim = 'test/sim';
my $out = 'out';
my $schedules = $ENV{SIM_MUTANT_SCHEDULES} // 20000;
my $once = $ENV{SIM_MUTANT_ONCE};
my $make = $ENV{MAKE} || 'make';

# What waits for ever costs a minute and not three.
$ENV{PG_TEST_TIMEOUT_DEFAULT} ||= 60;

system("$FindBin::RealBin/../copy.sh", $dir) == 0 or die;
chdir $dir or die;
# What still runs ends first, then the copy's servers go.
END { local $?; 1 while wait > 0; system('test/server.sh', 'clean') if -e 'test/server.sh'; chdir '/' }
$SIG{INT} = $SIG{TERM} = sub { exit 1 };    # so that the copy goes

# The entries: a line about it, the file or files, texts with what replaces them.
my @mutants;
my ($file, $old, $new);
for (split /^/m, slurp("$sim/mutants"))
{
	if (defined $new) { /^>>>>$/ ? push(@{$mutants[-1]{edits}}, [$old, $new, $file]) && undef($new) : ($new .= $_) }
	elsif (defined $old) { if (/^====$/) { $new = '' } else { $old .= $_ } next }
	elsif (/^(mutant|harmless): (.*)/) { push @mutants, {harmless => $1 eq 'harmless', about => $2, edits => []} }
	elsif (/^kind: (.*)/) { $mutants[-1]{kind} = $1 }
	elsif (/^test: (unit|regress|tap) (.*)/) { @{$mutants[-1]}{'part', 'which'} = ($1, $2) }
	elsif (/^because: (.*)/) { $mutants[-1]{because} = $1 }
	elsif (/^in (\S+)$/) { $file = "src/$1" }
	elsif (/^<<<<$/) { $old = ''; next }
	elsif (!/^(#.*)?$/) { die "$sim/mutants:$.: what is this? $_" }
	$old = undef if !defined $new;
	die "$sim/mutants:$.: an edit that has not ended\n" if defined $new && /^(<<<<|====|(mutant|harmless): .*)$/;
}
die "$sim/mutants: the last edit has not ended\n" if defined $old || defined $new;

# Selected by the arguments.
@mutants = grep { my $about = $_->{about}; !@ARGV || grep { index($about, $_) >= 0 } @ARGV } @mutants;

my $kinds = 0;
if (grep { !$_->{part} } @mutants)
{
	system("$sim/build.sh $out") == 0 or die;
	$kinds = () = `$out/sim -k`;
}

my ($tests, $failed) = (0, 0);
sub result
{
	my ($good, $about, @more) = @_;
	$failed++ unless $good;
	print $good ? 'ok ' : 'not ok ', ++$tests, " - $about\n", map { "# $_\n" } @more;
}

# What the simulation finds, run with these arguments: '' for nothing. Dies with what
# is no answer.
sub found
{
	my ($arguments) = @_;
	my $found = `ulimit -t 3600; exec $out/sim -l mutant/flake.so $arguments`;
	my $status = $?;

	chomp $found;
	die "takes more than an hour: sim $arguments\n" if ($status & 127) == SIGXCPU;
	return 'it dies by signal ' . ($status & 127) if $status & 127;
	die "$found\n" if $status >> 8 > 1;
	return $found;
}

# Does the schedule that was found fail without the change, too?
my %sound;    # the worlds that were searched without one
sub fails_anyway
{
	my ($found) = @_;

	return system("$out/sim $1 $2 >log 2>&1") != 0 if $found =~ /^kind (\S+) seed (\d+)/;
	return $found =~ /^world (\S+)/ && !($sound{$1} //= system("$out/sim $1 >log 2>&1") == 0);
}

# The simulation with what stands in src.
my ($by_worlds, $by_random, $of) = (0, 0, 0);
sub simulate
{
	my ($mutant) = @_;

	return result(0, "does not compile: $mutant->{about}", split /\n/, slurp('log'))
	  if system("$sim/build.sh mutant src >log 2>&1") != 0;

	my $most = $schedules * ($mutant->{kind} ? $kinds : 1);
	my ($world, $random) = ('', '');
	eval
	{
		my $kind = $mutant->{kind} // '';

		$random = found($kind eq "" ? "-m 400" : "-m 20000 $kind") if $once;
		$world = found('-a') unless $once && $random ne '';
		$random = found("-m $most $kind") unless $once && $world . $random ne '';
	};
	return result(0, "does not run: $mutant->{about}", split /\n/, $@) if $@;

	for my $found ($world, $random)
	{
		return result(0, $mutant->{about}, $found, 'but so fails what is no mutant') if fails_anyway($found);
	}
	my @found = ("all schedules: " . ($world || 'not found'),
		"random: " . ($random || "not found in $most schedules of " . ($mutant->{kind} // 'each kind')));
	return result($world eq '' && $random eq '', "harmless: $mutant->{about}",
		$world . $random eq '' ? $mutant->{because} : @found)
	  if $mutant->{harmless};
	$of++;
	$by_worlds++ if $world ne '';
	$by_random++ if $random ne '';
	return result($world . $random ne '', $mutant->{about}, @found);
}

# A part of test/run.sh with what stands in src: undef where it passes, or what
# failed first, '' if that was no test.
sub failure
{
	my ($part, $which) = @_;

	local $ENV{T} = $which;
	local $ENV{PGOPTIONS} = "-c statement_timeout=$ENV{PG_TEST_TIMEOUT_DEFAULT}s" if $part eq 'regress';
	`test/run.sh $part >log 2>&1`;    # not system(), which would go on after ^C
	return if $? == 0;
	my $log = slurp('log');
	return $log =~ /^\W*(Failed tests?:? .*|not ok .*|.*\bFAILED\b.*)/m || $log =~ /(Dubious, .*)/ ? $1 : '';
}

sub test
{
	my ($mutant) = @_;
	my $failure;

	return result(0, "does not compile: $mutant->{about}", split /\n/, slurp('log'))
	  if system("$make -s " . ($mutant->{part} eq 'unit' ? 'build-unit' : 'all') . ' >log 2>&1') != 0;
	$failure = failure($mutant->{part}, $mutant->{which});
	return result($failure, $mutant->{about}, !defined $failure ? "not found by $mutant->{part} $mutant->{which}"
		: $failure ne '' ? "$mutant->{part} $mutant->{which}: $failure" : ('no test has failed:', split /\n/, slurp('log')));
}

$| = 1;
my %before;    # how a test ends without any change
for my $mutant (@mutants)
{
	my %original = map { $_ => slurp($_) } map { $_->[2] } @{$mutant->{edits}};
	my %code = %original;
	my @stale;
	for my $edit (@{$mutant->{edits}})
	{
		my ($old, $new, $file) = @$edit;
		my $times = () = $code{$file} =~ /\Q$old\E/g;
		push @stale, "found $times times in $file: $old" if $times != 1;
		$code{$file} =~ s/\Q$old\E/$new/;
	}
	if (@stale) { result(0, "stale: $mutant->{about}", map { split /\n/ } @stale); next }

	if ($mutant->{part})
	{
		my $test = "$mutant->{part} $mutant->{which}";
		my $before = $before{$test} //= failure($mutant->{part}, $mutant->{which}) // 'passes';

		if ($before ne 'passes') { result(0, $mutant->{about}, "$test fails without the change, too: $before"); next }
	}
	spew($_, $code{$_}) for keys %code;
	$mutant->{part} ? test($mutant) : simulate($mutant);
	spew($_, $original{$_}) for keys %original;
}
print "# of $of mutants all schedules find $by_worlds, random ones $by_random\n" if $of;
print "1..$tests\n";
exit($failed > 0);
