# SQL that others' objects cannot capture: checks the rule of CONTRIBUTING.md, "SQL", in the
# script that make has built.  And no function in it is longer than 100 lines.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../packaging";

use Files;
use Test::More;

use constant LONGEST => 100;

# Words before "(" that are not function calls.
my %syntax = map { $_ => 1 } qw(all and any array as atomic by case cast check coalesce constraint distinct else except exists
  filter from greatest group having if in insert intersect into join key lateral least left limit loop materialized not on operator or order over
  partition perform primary references return returning right row select some table then union unique using values when where while with within zone);

# Schemas in which only the extension and core have objects that a call could find.
my $safe = qr/^(?:pg_catalog|\@extschema\@|_flakeid|_flakeid_functions)$/;

# Constructs that look up an operator without naming it.
my %hidden = (between => 1, like => 1, ilike => 1, similar => 1, nullif => 1, natural => 1, overlaps => 1);

# The tokens of SQL text, each with its line: words in lower case, quoted ones unchanged;
# strings and bodies as their first character.
sub tokens
{
	my ($sql, $line) = @_;
	my @tokens;

	while ($sql =~ /\G(?:(\s+|--[^\n]*|\/\*.*?\*\/|^\\[^\n]*)|([eE]?'(?:[^'\\]|''|\\.)*')|(\$(\w*)\$.*?\$\g4\$)|("(?:[^"]|"")*")|(\@\w+\@)|([A-Za-z_][\w\$]*)|(\d[\w.]*?(?=\.\.|[^\w.]|\z))|(::|:=|=>|\.\.)|([-+*\/<>=~!@#%^&|`?]+)|(.))/gms)
	{
		my $text = defined $1 ? undef : defined $7 ? lc $7 : $2 // $3 // $5 // $6 // $8 // $9 // $10 // $11;

		# a comment may follow an operator immediately
		push @tokens, { text => $text, line => $line, kind => defined $2 ? 'string' : defined $3 ? 'body' : defined $5 || defined $6 || defined $7 ? 'word' : defined $8 ? 'number' : defined $10 ? 'operator' : 'other' } if defined $text;
		$line += () = ($1 // $2 // $3 // '') =~ /\n/g;
	}
	return @tokens;
}

sub text_of
{
	my ($tokens, $i) = @_;

	return $i >= 0 && $i < @$tokens ? $tokens->[$i]{text} : '';
}

# The faults of an expression or a query without a fixed search_path.
sub open_to_capture
{
	my ($types, @t) = @_;
	my (@wrong, %with, $in_operator);

	foreach my $i (0 .. $#t)
	{
		my ($text, $before, $after) = ($t[$i]{text}, text_of(\@t, $i - 1), text_of(\@t, $i + 1));
		my $say = sub { push @wrong, "$t[$i]{line}: " . shift };

		$with{$text} = 1 if $after eq 'as' && text_of(\@t, $i + 2) =~ /^(?:materialized|\()$/;
		if ($t[$i]{kind} eq 'operator')
		{
			next if $text eq '*' && $before =~ /^(?:select|all|distinct|,|\.|\()$/;
			next if $text eq '-' && $after =~ /^\d/ && $before =~ /^(?:[(,]|select|then|else|return|when)$/;
			next if $text eq '=' && $before =~ /^(?:errcode|detail|hint|message)$/;
			next if text_of(\@t, $i - 2) eq '.' || text_of(\@t, $i - 1) eq '.' && text_of(\@t, $i - 3) eq '(' && text_of(\@t, $i - 4) eq 'operator' && text_of(\@t, $i - 2) =~ /^(?:pg_catalog|_flakeid_functions)$/;
			$say->("operator $text");
		}
		elsif ($t[$i]{kind} eq 'word')
		{
			if ($after eq '(' && $before eq '.')
			{
				$say->("call of " . text_of(\@t, $i - 2) . ".$text") if text_of(\@t, $i - 2) !~ $safe;
			}
			elsif ($after eq '(' && !$syntax{$text} && $before !~ /^(?:as|into|with|,)$/)
			{
				$say->("call of $text");
			}
			elsif ($after eq '(' && !$syntax{$text} && $before eq ',')
			{
				$say->("call of $text");
			}
			$say->($text) if $hidden{$text} && $before ne '.';
			$say->('in (...)') if $text eq 'in' && text_of(\@t, $i - 2) ne 'for';
			$say->('is distinct from') if $text eq 'distinct' && $after eq 'from';
			$say->('join ... using') if $text eq 'using' && $after eq '(';
			$say->('case with a value') if $text eq 'case' && $after ne 'when';
			$say->("relation $text") if $before =~ /^(?:from|join|lateral)$/ && $text !~ /^(?:lateral|rows)$/ && $after !~ /^[.(]$/ && !$with{$text} && text_of(\@t, $i - 2) ne 'distinct';
			$say->("type $text") if $types && $before eq '::' && $text ne 'pg_catalog';
		}
	}
	return @wrong;
}

sub pins
{
	my (@t) = @_;

	return join(' ', map { $_->{text} } @t) =~ /\bset (?:local )?search_path = pg_catalog , pg_temp\b/;
}

# A procedure that commits cannot have a SET clause: each of its transactions sets the
# search_path itself, and until then everything is qualified, also types.
sub procedure
{
	my ($line, $body) = @_;
	my @t = tokens($body, $line);
	my ($declares, $pinned, $ifs, @wrong, @loops, @statement) = (text_of(\@t, 0) eq 'declare', 0, 0);

	while ($declares && @t && (my $text = shift(@t)->{text}) ne 'begin')
	{
		next if $text eq 'declare' || !@t;
		my @type = splice @t, 0, 1 + (grep { $t[$_]{text} eq ';' } 0 .. $#t)[0];
		shift @type if $type[0]{text} eq 'constant';
		push @wrong, "$type[0]{line}: type of variable $text" if $type[0]{text} ne 'pg_catalog';
	}
	foreach my $i (0 .. $#t)
	{
		my ($text, $before) = ($t[$i]{text}, text_of(\@t, $i - 1));
		my $then = $text =~ /^(?:;|loop|then|else|begin|exception)$/;

		push @statement, $t[$i];
		if ($then)
		{
			my @words = map { $_->{text} } @statement;
			my $words = join ' ', @words;

			if ($words =~ /^(?:\W* )?commit ;$/) { $pinned = 0; push @wrong, "$t[$i]{line}: COMMIT within IF" if $ifs }
			elsif ($words =~ /^set\b/) { if (pins(@statement)) { $pinned = 1; push @wrong, "$t[$i]{line}: search_path set within IF" if $ifs } }
			elsif (!$pinned && $words !~ /^(?:alter|comment|create|grant|revoke)\b/) { push @wrong, open_to_capture(1, @statement) }
			push @loops, { start => $pinned, exits => 1 } if $text eq 'loop' && $before ne 'end';
			if ($words =~ /^end loop\b/ || $words =~ /^continue\b/)
			{
				push @wrong, "$t[$i]{line}: the loop begins with another search_path" if $loops[-1]{start} && !$pinned;
			}
			$loops[-1]{exits} &&= $pinned if $words =~ /^(?:exit|continue)\b/ && @loops;
			$pinned &&= (pop @loops)->{exits} if $words =~ /^end loop\b/ && $text eq ';';
			$ifs++ if $words =~ /^if\b.* then$/;
			$ifs-- if $words =~ /^end if ;$/;
			@statement = () unless $text eq 'loop' && $before eq 'end';
		}
	}
	return @wrong;
}

# The meaning of a backslash in a string depends on standard_conforming_strings, which a caller
# may have set to off.
sub backslashes
{
	my (@t) = @_;

	return map { $_->{kind} eq 'body' ? backslashes(tokens($_->{text} =~ s/^\$\w*\$|\$\w*\$\z//gr, $_->{line})) : $_->{kind} eq 'string' && $_->{text} =~ /^'.*\\/s ? "$_->{line}: a backslash in a string" : () } @t;
}

# Arguments of a function default to constants.
sub defaults
{
	my (@t) = @_;

	return map { $t[$_]{text} eq 'default' && text_of(\@t, $_ + 1) !~ /^(?:'|\d|true$|false$|-$)/ ? "$t[$_]{line}: DEFAULT " . text_of(\@t, $_ + 1) : () } 0 .. $#t;
}

# An operator, its commutator and its negator are where every session finds them, or where only
# operator families do.
sub operator
{
	my (@t) = @_;
	my @names = (2, map { $t[$_]{text} =~ /^(?:commutator|negator)$/ ? $_ + (text_of(\@t, $_ + 2) eq 'operator' ? 4 : 2) : () } 0 .. $#t);

	return map { $t[$_]{text} =~ /^(?:pg_catalog|_flakeid_functions)$/ ? () : "$t[$_]{line}: operator $t[$_]{text} without its schema" } @names;
}

sub statement
{
	my ($pinned, @t) = @_;
	my $words = join ' ', map { $_->{text} } @t[ 0 .. ($#t > 5 ? 5 : $#t) ];
	my ($body) = grep { $_->{kind} eq 'body' } @t;
	my ($atomic) = grep { $t[$_]{text} eq 'atomic' } 0 .. $#t;
	my $length = ($body ? $body->{line} + (() = $body->{text} =~ /\n/g) : $t[-1]{line}) - $t[0]{line} + 1;

	# CREATE EXTENSION inserts the schema's name unchanged, including quotes (CVE-2023-39417)
	my @quoted = map { $_->{kind} =~ /^(?:string|body)$/ && $_->{text} =~ /\@extschema/ ? "$_->{line}: \@extschema\@ in quotes" : () } @t;
	return @quoted if @quoted;

	if ($words =~ /^create (?:or replace )?(function|procedure) (\S+(?: \. \S+)?)/)
	{
		my ($kind, $name) = ($1, $2);
		my ($language) = map { $t[$_]{text} eq 'language' ? text_of(\@t, $_ + 1) : () } 0 .. $#t;
		my @head = $body ? grep { $_->{kind} ne 'body' } @t : @t;
		my @wrong = defaults(grep { $_->{kind} ne 'body' } @t[ 0 .. (defined $atomic ? $atomic : $#t) ]);

		$name =~ s/ //g;
		push @wrong, "$t[0]{line}: $name has $length lines" if $length > LONGEST;
		return @wrong if $language =~ /^(?:c|internal)$/;
		return (@wrong, open_to_capture(0, @t[ $atomic + 1 .. $#t ])) if defined $atomic;
		return @wrong if pins(@head);
		return (@wrong, "$t[0]{line}: $name does not set search_path = pg_catalog, pg_temp") if $kind eq 'function' || !$body;
		return (@wrong, procedure($body->{line}, $body->{text} =~ s/^\$\w*\$|\$\w*\$\z//gr));
	}
	return () if $pinned;
	return procedure($body->{line}, $body->{text} =~ s/^\$\w*\$|\$\w*\$\z//gr) if $words =~ /^do\b/;
	return operator(@t) if $words =~ /^create operator (?!class|family)/;
	return open_to_capture(0, @t) if $words =~ /^(?:create (?:or replace )?(?:materialized )?view|select|insert|update|delete|with|values|merge|call)\b/;
	return "$t[0]{line}: an expression in CREATE" if $words =~ /^(?:create|alter) (?:\w+ )*(?:table|domain|index|trigger|rule|policy|statistics)\b/ && grep { $_->{text} =~ /^(?:check|default|when|generated)$/ } @t;
	return ();
}

# All faults of a script, each with its line.
sub findings
{
	my ($sql) = @_;
	my @t = tokens($sql, 1);
	my ($pinned, $atomic, $cases, @statement, @wrong) = (0, 0, 0);

	foreach my $i (0 .. $#t)
	{
		my $text = $t[$i]{text};

		push @statement, $t[$i];
		$atomic = 1 if $text eq 'atomic' && text_of(\@t, $i - 1) eq 'begin';
		$cases++ if $atomic && $text eq 'case';
		if ($atomic && $text eq 'end') { $cases ? $cases-- : ($atomic = 0) }
		if ($text eq ';' && !$atomic)
		{
			push @wrong, backslashes(@statement), statement($pinned, @statement);
			$pinned = pins(@statement) ? 1 : 0 if $statement[0]{text} eq 'set' && grep { $_->{text} eq 'search_path' } @statement;
			@statement = ();
		}
	}
	return @wrong;
}

# ---------- faults that must be found, and correct SQL ----------

my $pin = 'SET search_path = pg_catalog, pg_temp';
my %bad = (
	'a call in a view' => 'CREATE VIEW v AS SELECT now() AS at;',
	'an operator in a view' => 'CREATE VIEW v AS SELECT 1 + 2 AS three;',
	'a schema of others in a view' => 'CREATE VIEW v AS SELECT app.f(1) AS x;',
	'an operator of others in a view' => 'CREATE VIEW v AS SELECT 1 OPERATOR(app.+) 2 AS x;',
	'a relation in a view' => 'CREATE VIEW v AS SELECT extname FROM pg_extension;',
	'a call in a body that was parsed' => 'CREATE FUNCTION f() RETURNS text LANGUAGE sql BEGIN ATOMIC SELECT upper(pg_catalog.lower($1)); END;',
	'a call after another one' => 'CREATE FUNCTION f() RETURNS text LANGUAGE sql BEGIN ATOMIC SELECT pg_catalog.lower($1), upper($1); END;',
	'a call after CASE' => q(CREATE FUNCTION f() RETURNS text LANGUAGE sql BEGIN ATOMIC SELECT CASE WHEN $1 THEN 'a' END; SELECT lower($2); END;),
	'IN' => q(CREATE VIEW v AS SELECT x IN ('a') AS y FROM pg_catalog.pg_class AS x;),
	'IS DISTINCT FROM' => q(CREATE VIEW v AS SELECT x IS DISTINCT FROM y AS z FROM pg_catalog.pg_class AS x;),
	'CASE of a value' => q(CREATE VIEW v AS SELECT CASE x WHEN 1 THEN 2 END AS y FROM pg_catalog.pg_class AS x;),
	'USING' => q(CREATE VIEW v AS SELECT 1 AS n FROM pg_catalog.pg_class JOIN pg_catalog.pg_attribute USING (oid);),
	'a statement of the script' => 'SELECT f(1);',
	'DO' => 'DO $$BEGIN IF f(1) THEN NULL; END IF; END$$;',
	'DO after another search_path' => 'SET LOCAL search_path = pg_catalog, pg_temp; SET LOCAL search_path = app; DO $$BEGIN PERFORM f(1); END$$;',
	'a function without its search_path' => 'CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$BEGIN RETURN 1; END$$;',
	'a function with another search_path' => 'CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql SET search_path = app, pg_catalog AS $$BEGIN RETURN 1; END$$;',
	'a function of a text' => 'CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$SELECT 1$$;',
	'a default that is no constant' => 'CREATE FUNCTION f(x timestamptz DEFAULT now()) RETURNS int AS $$x$$ LANGUAGE C;',
	'the schema in quotes' => q(COMMENT ON TYPE t IS 'of @extschema@';),
	'the schema in a body' => "CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql $pin AS \$\$BEGIN RETURN \@extschema\@.f(); END\$\$;",
	'a backslash in a string' => q(COMMENT ON TYPE t IS 'a\b';),
	'a backslash in a string of a body' => "CREATE FUNCTION f() RETURNS bool LANGUAGE plpgsql $pin AS \$\$BEGIN RETURN x ~ '\\d'; END\$\$;",
	'a long function' => "CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql $pin AS \$\$" . "\n" x 100 . '$$;',
	'a variable of a procedure' => 'CREATE PROCEDURE p() LANGUAGE plpgsql AS $$DECLARE x int; BEGIN COMMIT; END$$;',
	'a pseudo-type of a procedure' => 'CREATE PROCEDURE p() LANGUAGE plpgsql AS $$DECLARE x record; BEGIN COMMIT; END$$;',
	'a cast to a pseudo-type' => 'CREATE PROCEDURE p() LANGUAGE plpgsql AS $$BEGIN COMMIT; x := y::record; END$$;',
	'a procedure before its search_path' => 'CREATE PROCEDURE p() LANGUAGE plpgsql AS $$BEGIN COMMIT; PERFORM f(1); END$$;',
	'a procedure after COMMIT' => "CREATE PROCEDURE p() LANGUAGE plpgsql AS \$\$BEGIN COMMIT; SET LOCAL search_path = pg_catalog, pg_temp; COMMIT; x := 1 + 2; END\$\$;",
	'a type of a procedure' => 'CREATE PROCEDURE p() LANGUAGE plpgsql AS $$BEGIN COMMIT; x := y::int; END$$;',
	'a loop that goes on without' => "CREATE PROCEDURE p() LANGUAGE plpgsql AS \$\$BEGIN SET LOCAL search_path = pg_catalog, pg_temp; LOOP PERFORM f(1); COMMIT; END LOOP; END\$\$;",
	'a loop that is left without' => "CREATE PROCEDURE p() LANGUAGE plpgsql AS \$\$BEGIN SET LOCAL search_path = pg_catalog, pg_temp; LOOP COMMIT; EXIT WHEN x; SET LOCAL search_path = pg_catalog, pg_temp; END LOOP; PERFORM f(1); END\$\$;",
	'COMMIT within IF' => "CREATE PROCEDURE p() LANGUAGE plpgsql AS \$\$BEGIN SET LOCAL search_path = pg_catalog, pg_temp; IF x THEN COMMIT; END IF; END\$\$;",
	'an operator in a schema of others' => 'CREATE OPERATOR @extschema@.< (LEFTARG = t, RIGHTARG = t, FUNCTION = f);',
	'an operator in the first schema' => 'CREATE OPERATOR < (LEFTARG = t, RIGHTARG = t, FUNCTION = f);',
	'a commutator in the first schema' => 'CREATE OPERATOR pg_catalog.< (LEFTARG = t, RIGHTARG = t, COMMUTATOR = >, NEGATOR = OPERATOR(pg_catalog.>=));',
	'a negator in the first schema' => 'CREATE OPERATOR pg_catalog.< (LEFTARG = t, RIGHTARG = t, COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = >=);',
	'an operator of ours in a view' => 'CREATE VIEW v AS SELECT 1 OPERATOR(@extschema@.+) 2 AS x;',
	'an expression of a table' => 'CREATE TABLE t (n int CHECK (f(n)));');

foreach my $name (sort keys %bad)
{
	isnt(join('; ', findings($bad{$name})), '', "found: $name");
}
is(join('; ', findings($_)), '', "not found: $_") foreach
  'CREATE VIEW v AS SELECT pg_catalog.now() AS at, -1 AS one, * FROM @extschema@.f() AS h (a, b) LEFT JOIN pg_catalog.pg_class AS c ON c.oid OPERATOR(pg_catalog.=) h.a;',
  "CREATE FUNCTION f(a int DEFAULT -1, b text DEFAULT '') RETURNS int LANGUAGE plpgsql $pin AS \$\$BEGIN RETURN f(1 + 2); END\$\$;",
  "CREATE PROCEDURE p() LANGUAGE plpgsql AS \$\$DECLARE x pg_catalog.text; r pg_catalog.record; BEGIN COMMIT; FOR i IN 1 .. 3 LOOP SET LOCAL search_path = pg_catalog, pg_temp; PERFORM f(1 + 2); COMMIT; EXIT WHEN NOT again; PERFORM pg_catalog.pg_sleep(1); END LOOP; RAISE '%', pg_catalog.f(x) USING ERRCODE = 'data_exception'; END\$\$;",
  'CREATE OPERATOR pg_catalog.< (LEFTARG = t, RIGHTARG = t, FUNCTION = f, COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(_flakeid_functions.|>=));',
  'WITH found AS MATERIALIZED (SELECT * FROM _flakeid.f()) SELECT * FROM found;',
  'DO $$BEGIN IF pg_catalog.f(1)::pg_catalog.int4 OPERATOR(pg_catalog.>=) 3 THEN ALTER OPERATOR FAMILY o USING btree ADD FUNCTION 6 (a, a) f(b); END IF; END$$;',
  "CREATE FUNCTION f() RETURNS bool LANGUAGE plpgsql $pin AS \$\$BEGIN RETURN x ~ E'\\\\d'; END\$\$;",
  'SET LOCAL search_path = pg_catalog, pg_temp; DO $$BEGIN PERFORM f(1); END$$; SELECT f(1 + 2);';

# ---------- the script, and those that update to it ----------

my ($version) = slurp('flakeid.control') =~ /^default_version = '(.*)'$/m;

foreach my $script ("flakeid--$version.sql", sort glob 'src/flakeid--*--*.sql')
{
	is(join("\n", findings(slurp($script))), '', "$script: nothing that an object of others could capture, and no function above " . LONGEST . ' lines');
}

done_testing();
