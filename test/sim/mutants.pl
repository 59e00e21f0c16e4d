#!/usr/bin/perl
# Prove that the tests find what they should.  Each entry of the file "mutants" is a
# fault, which is put into a copy of the sources, and the killer that finds it: a world,
# a kind of random schedule or another test.  Only the killer is run; it must fail with
# the fault and pass without it.  TAP; arguments select entries by a piece of their
# sentence, rule or killer.  One that no test can see is only looked for in the sources.
#
#	mutants.pl --list [PIECE...]	a table of the rules, the faults that break them
#						and their killers; runs nothing, and fails if a
#						fault no longer fits the sources
#	SIM_MUTANT_SCHEDULES=N			of a kind of random schedule N are run at most (20000)
#	SIM_MUTANT_SEARCH=1				look for killers: all kinds with N schedules each, all
#						worlds.  For new entries, and for the harmless ones
#
# It works on a copy, so the sources may change meanwhile.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../../packaging";

use File::Temp qw(tempdir);
use Files;
use POSIX qw(SIGXCPU);

my $list = @ARGV && $ARGV[0] eq '--list' && shift @ARGV;
my $schedules = $ENV{SIM_MUTANT_SCHEDULES} // 20000;
my $search = $ENV{SIM_MUTANT_SEARCH};
my $make = $ENV{MAKE} || 'make';

# ---------- the entries: a line about each, its rule and killer, a file, lines of a diff ----------

my @mutants;
my ($edit, $empty);
for (split /^/m, slurp("$FindBin::RealBin/mutants"))
{
	if (/^(mutant|harmless|unseen): (.*)/) { $edit = undef; push @mutants, {$1 => 1, about => $2, edits => []} }
	elsif (/^(rule|because): (.*)/) { $mutants[-1]{$1} = $2 }
	elsif (/^killer: ((kind|world|unit|regress|tap) (\S.*))/) { @{$mutants[-1]}{'killer', 'part', 'which'} = ($1, $2, $3) }
	elsif (/^in (\S+)$/)
	{
		my ($file) = glob "src/*/$1";

		die "$1: no such file\n" if !defined $file || !-e $file;
		push @{$mutants[-1]{edits}}, $edit = ['', '', $file];
		$empty = '';
	}
	elsif ($edit && /^([ +-])(.*\n)/)
	{
		$_ .= $empty foreach @$edit[0, 1];
		$empty = '';
		$edit->[0] .= $2 if $1 ne '+';
		$edit->[1] .= $2 if $1 ne '-';
	}
	elsif ($edit && /^$/) { $empty .= "\n" }    # counts if the edit goes on
	elsif (/^(#.*)?$/) { $edit = undef }
	else { die "mutants: what is this? $_" }
}
my %tests = (unit => 'test/unit/%s*_test.c', regress => 'sql/%s.sql', tap => 'test/t/*%s*.pl');    # (a kind or world is looked for when it runs)
for (@mutants)
{
	die "mutants: no rule: $_->{about}\n" if !$_->{rule};
	die "mutants: no killer: $_->{about}\n" if !$_->{killer} && $_->{mutant};
	die "mutants: no reason: $_->{about}\n" if !$_->{because} && !$_->{mutant};
	die "mutants: no change: $_->{about}\n" if !@{$_->{edits}} || grep { $_->[0] eq '' || $_->[0] eq $_->[1] } @{$_->{edits}};
	die "mutants: no such test: $_->{killer}\n" if $_->{mutant} && $tests{$_->{part}} && !(() = glob sprintf $tests{$_->{part}}, $_->{which});
}

# Selected by the arguments.
@mutants = grep { my $of = join("\n", map { $_ // '' } @$_{'about', 'rule', 'killer'});
	!@ARGV || grep { index($of, $_) >= 0 } @ARGV } @mutants;

# Put the edits of an entry into these texts of files.  Returns what is not found there, or
# more than once.
sub apply
{
	my ($mutant, $code) = @_;
	my @stale;

	for my $edit (@{$mutant->{edits}})
	{
		my ($old, $new, $file) = @$edit;
		my $times = () = $code->{$file} =~ /\Q$old\E/g;

		push @stale, "found $times times in $file: $old" if $times != 1;
		$code->{$file} =~ s/\Q$old\E/$new/;
	}
	return @stale;
}

if ($list)
{
	my (%of, %code);
	my $stale = 0;
	my @rules = grep { !$of{$_}++ } map { $_->{rule} } @mutants;

	for my $rule (@rules)
	{
		my @with = grep { $_->{rule} eq $rule } @mutants;

		print "$rule\n";
		printf "    %-24s %s\n", $_->{killer} // ($_->{harmless} ? 'harmless' : 'unseen'), $_->{about} for @with;
	}
	printf "%d rules, %d mutants, %d harmless, %d unseen\n", scalar(@rules), map { my $is = $_; scalar(grep { $_->{$is} } @mutants) } 'mutant', 'harmless', 'unseen';

	for my $mutant (@mutants)
	{
		my @stale = apply($mutant, { map { $_ => $code{$_} //= slurp("$FindBin::RealBin/../../$_") } map { $_->[2] } @{$mutant->{edits}} });

		print "stale: $mutant->{about}\n", @stale if @stale;
		$stale += @stale;
	}
	exit($stale > 0);
}

# ---------- a copy to work on ----------

# What waits for ever costs a minute and not three.
$ENV{PG_TEST_TIMEOUT_DEFAULT} ||= 60;

my $dir = tempdir('flakeid-mutants-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $sim = 'test/sim';
my $out = 'out';
system("$FindBin::RealBin/../copy.sh", $dir) == 0 or die;
chdir $dir or die;
# What still runs ends first, then the copy's servers go.
END { if ($dir) { local $?; 1 while wait > 0; system('test/server.sh', 'clean') if -e 'test/server.sh'; chdir '/' } }
$SIG{INT} = $SIG{TERM} = sub { exit 1 };    # so that the copy goes

sub simulated { return $_[0]{harmless} || ($_[0]{mutant} && $_[0]{part} =~ /^(kind|world)$/) }

if (grep { simulated($_) } @mutants)
{
	system("$sim/build.sh $out") == 0 or die;
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

# The simulation with what is in src.  Of a harmless entry nothing may be found by any
# kind, with few schedules, nor by the worlds named in it; by all of them with SIM_MUTANT_SEARCH.
sub simulate
{
	my ($mutant) = @_;

	return result(0, "does not compile: $mutant->{about}", split /\n/, slurp('log'))
	  if system("$sim/build.sh mutant src >log 2>&1") != 0;

	my @runs = $mutant->{harmless} ? '-m 300' : $mutant->{part} eq 'world' ? "-a $mutant->{which}" : "-m $schedules $mutant->{which}";
	push @runs, '-a', "-m $schedules" if $search;
	my ($found, $killer) = ('', '');
	for (@runs)
	{
		$killer = $_;
		$found = eval { found($_) };
		return result(0, "does not run: $mutant->{about}", split /\n/, $@) if $@;
		last if $found ne '';
	}
	return result(0, $mutant->{about}, $found, 'but so fails what is no mutant') if fails_anyway($found);
	return result($found eq '', "harmless: $mutant->{about}", $found eq '' ? $mutant->{because} : $found) if $mutant->{harmless};
	return result($found ne '' && $killer eq $runs[0], $mutant->{about}, $found ne '' ? $found : 'not found by sim ' . join(', ', @runs));
}

# A part of test/run.sh with what is in src: undef where it passes, or what
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
	return result($failure, $mutant->{about}, !defined $failure ? "not found by $mutant->{killer}"
		: $failure ne '' ? "$mutant->{killer}: $failure" : ('no test has failed:', split /\n/, slurp('log')));
}

$| = 1;
my %before;    # how a test ends without any change
for my $mutant (@mutants)
{
	my %original = map { $_ => slurp($_) } map { $_->[2] } @{$mutant->{edits}};
	my %code = %original;
	my @stale = apply($mutant, \%code);

	if (@stale) { result(0, "stale: $mutant->{about}", map { split /\n/ } @stale); next }
	if ($mutant->{unseen}) { result(1, "$mutant->{about} # skip unseen", $mutant->{because}); next }

	if (!simulated($mutant))
	{
		my $before = $before{$mutant->{killer}} //= failure($mutant->{part}, $mutant->{which}) // 'passes';

		if ($before ne 'passes') { result(0, $mutant->{about}, "$mutant->{killer} fails without the change, too: $before"); next }
	}
	spew($_, $code{$_}) for keys %code;
	simulated($mutant) ? simulate($mutant) : test($mutant);
	spew($_, $original{$_}) for keys %original;
}
print "1..$tests\n";
exit($failed > 0);
