#!/bin/bash
# Search for inputs that break the targets of this directory, with libFuzzer and
# sanitizers: every decoder and a server made of generator steps. Each target runs for
# FUZZ_SECONDS (60); T selects some by a part of their names. The findings are in
# build/fuzz, and so are the inputs from which the next search continues.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1

"${MAKE:-make}" -s build-fuzz || exit

# seed KINDS DIRECTORY: texts of real IDs, after each first byte that picks a kind.
seed()
{
	perl -e '
		my ($kinds, $directory, @tables) = @ARGV;
		my %texts;

		foreach my $table (@tables)
		{
			open my $in, "<", $table or die "$table: $!";
			my (undef, @rows) = <$in>;
			$texts{$_} = 1 foreach map { grep { /^[!-~]{6,40}$/ } split /[\t\n]/ } @rows[0 .. 5];
		}
		foreach my $text (keys %texts)
		{
			foreach my $kind (0 .. $kinds - 1)
			{
				open my $out, ">", "$directory/seed-$kind-" . $text =~ s/[^0-9A-Za-z]/_/gr or die $!;
				print $out chr($kind) . $text;
			}
		}' "$@" test/vectors/{sno,flax,siq,uid,uidg,snowflake,ulid,ksuid}.tsv
}

failed=0
for target in build/fuzz/*"${T-}"*_fuzz; do
	name=$(basename "$target")
	corpus=build/fuzz/corpus/$name
	log=build/fuzz/$name.log
	mkdir -p "$corpus"
	case $name in
		decode_fuzz) seed "$(grep -c "^FLAKE_FORMAT" src/types/formatlist.h)" "$corpus" ;;
		notation_fuzz) seed 15 "$corpus" ;;
	esac
	if "$target" -max_total_time="${FUZZ_SECONDS:-60}" -max_len=1024 -print_final_stats=1 \
		-artifact_prefix="build/fuzz/$name-" "$corpus" >"$log" 2>&1
	then
		sed -n "s/^Done \([0-9]* runs in [0-9]* second(s)\)$/$name: \1, nothing found/p" "$log"
	else
		tail -n 40 "$log"
		echo "$name: FAILED; the input can be replayed: $target build/fuzz/$name-..."
		failed=1
	fi
done
exit $failed
