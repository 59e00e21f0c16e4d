# macOS has GNU make 3.81, bash 3.2, and the sed, awk, find and tar of BSD.  What "make", "make
# install", "make installcheck" and test/lost-rows.sh use must do with these.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../packaging";

use Files;
use Test::More;

# What they lack: its name, how it is recognised, and examples.
my @make = (
	[ 'the function file', qr/\$[({]file\s/, '$(file >list,$(OBJS))' ],
	[ 'the functions guile, let and intcmp', qr/\$[({](?:guile|let|intcmp)\s/, '$(let a b,$(c),$(a))' ],
	[ 'a special target', qr/^\.(?:ONESHELL|SHELLFLAGS|RECIPEPREFIX|WAIT|EXTRA_PREREQS)\b/, '.ONESHELL:', '.SHELLFLAGS = -ec' ],
	[ 'an assignment', qr/^[\w.-]+\s*(?:!=|::=|:::=)/, 'HOST != uname', 'A ::= b' ],
	[ 'grouped targets', qr/^[^\t#].*&:(?!=)/, 'a b &: c' ],
	[ 'define with an assignment', qr/^(?:override\s+)?define\s+\S+\s*[:+?!]*=/, 'define rules =' ],
	[ 'a directive', qr/^\s*(?:undefine|load|private)\s/, 'undefine X', 'load x.so' ]);
my @shell = (
	[ 'sed -i without a suffix', qr/\bsed\b(?: -[a-zA-Z]+)*? (?:-i|--in-place)(?= )/, "sed -i 's/a/b/' file", "sed -n -i '1p' f" ],
	[ 'long options of sed, and -r', qr/\bsed\b[^|;]* (?:-[nEs]*r[nEs]*|--[a-z-]+)(?= )/, "sed -r 's/(a)/b/'", 'sed --quiet p' ],
	[ '\+, \? and \| of sed', qr/\bsed\b(?![^|;]* -\w*E)[^|;]*(?:\\[+?]|\\\|)/, q(sed 's/a\+/b/'), q(sed -n 's/a\|b/c/p') ],
	[ 'a } of sed without a ; before it', qr/\bsed\b[^|]*'[^']*(?<!\\)\{[^}']*[^;}'\s{\\] *\}/, q(sed '1{/^$/d}') ],
	[ 'readlink and realpath', qr/\b(?:readlink -|realpath )/, 'readlink -f file', 'cd $(realpath x)' ],
	[ 'date -d, and nanoseconds', qr/\bdate\b[^|;]* (?:-d|--date|\+\S*%N)/, "date -d '1 day ago'", 'date +%s%N' ],
	[ 'stat -c', qr/\bstat (?:-[a-zA-Z]*c|--)/, 'stat -c %s file' ],
	[ 'find -printf, -newermt and -regextype', qr/\bfind\b.* -(?:printf|newermt|regextype|empty -delete)\b/, "find . -printf '%p'" ],
	[ 'xargs -r and -d', qr/\bxargs\b(?: -0)? -[a-zA-Z]*[rd]\b/, "xargs -r -d '\\n' rm", 'xargs -0 -r rm' ],
	[ 'grep -P', qr/\bgrep -[a-zA-Z]*P/, "grep -oP 'a\\Kb'" ],
	[ 'cp, mv, ln and install of GNU', qr/\b(?:cp|mv|ln|install) (?:.* )?(?:--[a-z]+|-[a-zA-Z]*[tTD][a-zA-Z]*)\b/, 'cp -a --parents x y', 'mv -fT a b', 'install -D a b' ],
	[ 'programs', qr/(?:^|[\s(`|;&])(?:nproc|timeout|setpriv|setsid|tac|flock|sha256sum|md5sum|gawk|unshare|numfmt)(?=[\s)`|;]|$)/, 'make -j $(nproc)', 'timeout 10 psql' ],
	[ 'head -n -1', qr/\b(?:head|tail) -n [-+]?-\d/, 'head -n -1 file' ],
	[ 'sort -V', qr/\bsort -[a-zA-Z]*V/, 'sort -V' ],
	[ 'base64 -w, du -b', qr/\b(?:base64 -w|du -\w*b)/, 'base64 -w 0', 'du -sb .' ],
	[ 'mapfile, readarray and coproc', qr/\b(?:mapfile|readarray|coproc)\b/, 'mapfile -t lines', 'readarray a' ],
	[ 'declare -A, -n and -g', qr/\b(?:declare|local|typeset) -[a-zA-Z]*[Ang]/, 'declare -A seen', 'local -n name=$1' ],
	[ 'expansions of bash 4', qr/\$\{\w+(?:\[[^\]]*\])?(?:,,?|\^\^?|\@[A-Za-z])[^}]*\}|\$\{\w+\[-\d+\]\}|\$\{\w+:[^}]*:\s*-\d+\}/, 'echo ${x,,}', '${x^}', '${x@Q}', '${x[-1]}', '${x:0:-1}' ],
	[ 'redirections of bash 4', qr/\|&|&>>|\{\w+\}[<>]/, 'make |& tee log', 'exec {fd}<file' ],
	[ 'variables of bash 4', qr/\$\{?(?:EPOCH(?:REALTIME|SECONDS)|BASHPID|SRANDOM)\b/, 'start=$EPOCHREALTIME' ],
	[ 'wait -n, [[ -v, shopt of bash 4', qr/\bwait -n\b|\[\[ (?:! )?-v |\bshopt .*(?:globstar|lastpipe|inherit_errexit)/, 'wait -n', '[[ -v x ]]', 'shopt -s lastpipe' ],
	[ 'a fall-through in case', qr/;&|;;&/, 'echo a ;;&' ],
	[ "printf '%(...)T'", qr/\bprintf\b.*%\([^)]*\)T/, "printf '%(%s)T'" ]);
my @awk = (
	[ 'functions of GNU awk', qr/\b(?:gensub|strftime|systime|mktime|asorti?|patsplit|strtonum)\s*\(/, 'gensub(/a/, "b", "g")', 'x = strftime("%s")' ],
	[ 'match with an array', qr/\bmatch\([^()]*,[^()]*,[^()]*\)/, 'match($0, /a/, m)' ],
	[ 'variables of GNU awk', qr/\b(?:PROCINFO|IGNORECASE|FPAT|FIELDWIDTHS|BEGINFILE|ENDFILE|RT)\b/, 'PROCINFO["sorted_in"]' ],
	[ 'words in a pattern', qr/\\[<>yB]/, '/\<a/' ]);

my @files = (
	[ 'Makefile', @make, @shell, @awk ],
	[ 'test/Makefile', @make, @shell, @awk ],
	[ 'src/types/each.awk', @awk ],
	[ 'test/copy.sh', @shell, @awk ],
	[ 'test/lost-rows.sh', @shell, @awk ]);

# The lines of a text, but comments, that a rule recognises.
sub found
{
	my ($rule, $text) = @_;

	return grep { !/^\s*#/ && $_ =~ $rule->[1] } split /\n/, $text;
}

foreach my $rule (@make, @shell, @awk)
{
	is(scalar found($rule, $_), 1, "$rule->[0]: found in $_") foreach @$rule[ 2 .. $#$rule ];
}
foreach my $file (@files)
{
	my ($name, @rules) = @$file;
	my $text = slurp($name);

	is(join("\n", map { my $rule = $_; map { "$rule->[0]: $_" } found($rule, $text) } @rules), '', "$name does without what macOS lacks");
}

done_testing();
