# Real clients: every program in docs/clients.md, docs/orm.md and the documents of test/clients runs,
# in order, in one database per document, those of mappers.md and times.md in docs/orm.md's, over TCP and with
# a password, as a role that is not a superuser but may use replication slots.  The ``` block after a program is its output.
#
# A program is skipped if this machine lacks its library or tool, or the server is older than the
# program needs.  A block that is a part of a program in test/clients has its lines.
use FindBin;
use lib "$FindBin::RealBin/../t/lib";
use Flakeid;
use IPC::Run ();

my @documents = qw(docs/clients.md test/clients/drivers.md docs/orm.md test/clients/mappers.md test/clients/feeds.md test/clients/times.md);
my $dir = PostgreSQL::Test::Utils::tempdir();

# Debian's Python, for Debian's packages, even if there is another one.
my $python = -x '/usr/bin/python3' ? '/usr/bin/python3' : 'python3';
my $jar = '/usr/share/java/postgresql.jar';
my $hibernate = join ':', map { "/usr/share/java/$_.jar" } qw(hibernate3 hibernate-commons-annotations geronimo-jpa_2.0_spec geronimo-jta-1.2-spec
	dom4j antlr commons-collections3 slf4j-api slf4j-nop);
my $npm = "$FindBin::RealBin/../clients/node_modules";
my $go = '/usr/share/gocode';
my $include = `"\${PG_CONFIG:-pg_config}" --includedir`;

chomp $include;

# By language: the file a program is written to, how to run it, and a command that fails
# if something it needs is missing; the names of libraries are taken from its text.
my %language = (
	sql => { file => 'client.sql', run => [ 'psql', '-Xq', '-P', 'footer=off', '-v', 'ON_ERROR_STOP=1', '-f', 'client.sql' ],
		needs => sub { 'true' } },
	python => { file => 'client.py', run => [ $python, 'client.py' ],
		needs => sub { $python, '-c', join "\n", map { "import $_" } $_[0] =~ /^(?:import|from) (\w+)/mg } },
	js => { file => 'client.js', run => [ 'node', 'client.js' ],
		needs => sub { 'node', '-e', join "\n", $_[0] =~ /(require\(.*?\))/g } },
	ruby => { file => 'client.rb', run => [ 'ruby', 'client.rb' ],
		needs => sub { 'ruby', '-e', join "\n", 'require "pg"', $_[0] =~ /^(require .*)/mg } },
	# It looks for its client next to the schema.  It would first download an engine, which a
	# client does not need, so the command names another.
	prisma => { file => 'schema.prisma', run => [ 'env', 'PRISMA_SCHEMA_ENGINE_BINARY=/bin/true', 'CHECKPOINT_DISABLE=1', 'HOME=.',
			'sh', '-c', 'ln -sfn "$0" . && node_modules/.bin/prisma generate --schema schema.prisma >&2', $npm ],
		needs => sub { 'node', '-e', 'require("prisma/package.json")' } },
	ts => { file => 'prisma.config.ts', run => ['true'], needs => sub { 'true' } },
	go => { file => 'client.go', run => [ 'env', 'GO111MODULE=off', "GOPATH=$go", "GOCACHE=$dir/go", 'HOME=.', 'go', 'run', 'client.go' ],
		needs => sub { 'sh', '-c', 'command -v go && cd "$0" && ls -d "$@"', "$go/src", $_[0] =~ /"(github.com.*?)"/g } },
	erlang => { file => 'client.erl', run => [ 'sh', '-c', "erlc client.erl && erl -noshell -eval 'client:main(), halt().'" ],
		needs => sub { 'erl', '-noshell', '-eval', 'halt(case code:which(epgsql) of non_existing -> 1; _ -> 0 end).' } },
	php => { file => 'client.php', run => [ 'php', 'client.php' ],
		needs => sub { 'php', '-r', join ' ', map { "if (!is_file($_)) exit(1);" } $_[0] =~ /^require ('.*');/mg } },
	# Hibernate looks up its classes, so they must be in files.
	java => { file => 'Client.java', run => [ 'sh', '-c', 'grep -q "^import org.hibernate" Client.java || exec java -cp "$0" Client.java
				javac -cp "$0" Client.java 2>javac.log || { cat javac.log; exit 1; }
				java -cp "$0:." Client', "$jar:$hibernate" ],
		needs => sub { 'sh', '-c', 'command -v javac && ls "$@"', 'sh', $jar, $_[0] =~ /^import org\.hibernate/m ? split(/:/, $hibernate) : () } },
	c => { file => 'client.c', run => [ 'sh', '-c', 'cc -Wall -Wextra -I"$0" -o client client.c -lpq && ./client', $include ],
		needs => sub { 'sh', '-c', 'command -v cc && ls "$0"/libpq-fe.h', $include } });

# Run a command in $dir: whether it succeeded, and its output, with its errors if it
# failed.
sub run
{
	my (@command) = @_;
	my ($out, $err) = ('', '');
	my $ok = eval {
		IPC::Run::run(\@command, '<', \undef, '>', \$out, '2>', \$err,
			init => sub { chdir $dir or die "$dir: $!" },
			IPC::Run::timeout($PostgreSQL::Test::Utils::timeout_default));
	};

	$out =~ s/[ \t]+$//mg;
	$out =~ s/\A\n+|\n+\z//g;
	return ($ok, $ok ? $out : $out . $err . ($@ || "exit status $?"));
}

# One database per document; "app" creates the extension itself.
my %database = ('docs/clients.md' => 'clients', 'test/clients/drivers.md' => 'drivers', 'docs/orm.md' => 'app', 'test/clients/mappers.md' => 'app', 'test/clients/times.md' => 'app',
	'test/clients/feeds.md' => 'feeds');

# ---------- the server ----------

my $node = new_server('clients');

$node->append_conf('postgresql.conf', "listen_addresses = '127.0.0.1'\ntimezone = 'UTC'\nwal_level = logical");
unlink $node->data_dir . '/pg_hba.conf';
$node->append_conf('pg_hba.conf', "local all all trust\nhost all client 127.0.0.1/32 scram-sha-256");
$node->restart;
$node->safe_psql('postgres', "CREATE ROLE client LOGIN REPLICATION PASSWORD 'secret'; CREATE ROLE reader ROLE client");
$node->safe_psql('postgres', "CREATE DATABASE $_ OWNER client") foreach qw(clients drivers app feeds sync public);
$node->safe_psql($_, 'CREATE EXTENSION flakeid') foreach qw(clients drivers feeds);

# libpq's variables, which all drivers except Java's read
@ENV{qw(PGHOST PGPORT PGUSER PGPASSWORD)} = ('127.0.0.1', $node->port, 'client', 'secret');
$ENV{NODE_PATH} = $npm;
$ENV{TZ} = 'UTC';

# ---------- the programs ----------

# How often a statement has read the whole table of docs/orm.md.
sub scans
{
	return $node->safe_psql('app', q(SELECT sum(seq_scan) FROM pg_stat_user_tables WHERE relname = 'orders'));
}

my $major = int($node->safe_psql('postgres', 'SHOW server_version_num') / 10000);
my $scans;

foreach my $document (@documents)
{
	$scans = scans();
	my $text = slurp_file("$FindBin::RealBin/../../$document");
	my $database = $database{$document};

	$ENV{PGDATABASE} = $database;
	$ENV{JDBC_URL} = 'jdbc:postgresql://127.0.0.1:' . $node->port . "/$database?user=client&password=secret";

	while ($text =~ /^(<!-- (?:not run: .*?|test: needs \d+) -->\n)?^```(\w+)\n(.*?)^```\n(?:```\n(.*?)^```\n)?/gms)
	{
		my ($mark, $kind, $program, $expected) = ($1 // '', $2, $3, $4);
		my $name = "$document:" . (1 + (substr($text, 0, $-[0]) =~ tr/\n//));

		if ($mark =~ /a part of \S+\/(\w+\.md)/)
		{
			my $whole = slurp_file("$FindBin::RealBin/../clients/$1");

			is(join("\n", grep { index($whole, $_) < 0 } map { s/^\s+//r } split /\n/, $program), '', "$name: the lines of a program");
		}
		next if $mark =~ /not run/;
		my $language = $language{$kind} or die "$name: who runs $kind?";
		my ($ok, $out);

	  SKIP:
		{
			skip "$name: for PostgreSQL $1", 1 if $mark =~ /needs (\d+)/ && $1 > $major;
			($ok, $out) = run($language->{needs}->($program));
			skip "$name: $kind: " . ($out =~ /^(.*Error.*)/m ? $1 : 'missing'), 1 unless $ok;

			unlink "$dir/$language->{file}";
			append_to_file("$dir/$language->{file}", $program);
			($ok, $out) = run(@{ $language->{run} });
			is($out, ($expected // '') =~ s/\n\z//r, "$name: $kind");
		}
	}
}

# The code in the table of docs/orm.md is that of these programs.
{
	my $whole = slurp_file("$FindBin::RealBin/../clients/times.md");
	my ($section) = slurp_file("$FindBin::RealBin/../../docs/orm.md") =~ /^## created_at\n(.*?)^## /ms;
	my @code;

	while ($section =~ /^\| .*? \|.*?\|$/mg) { my $row = $&; push @code, $2 while $row =~ /(`+)(.+?) ?(?<!`)\1(?!`)/g }
	cmp_ok(scalar @code, '>', 20, 'docs/orm.md: code in the table of created_at');
	is(join("\n", grep { length > 25 && index($whole, $_) < 0 } @code), '', 'it is of the programs');
}
is(scans(), $scans, 'test/clients/times.md: every condition on the time was found by an index');

# What docs/orm.md says of a view, and of the migrations after it.
sub fails
{
	return (split /\n/, ($node->psql('app', $_[0]))[2])[0] =~ s/.*?ERROR:  //r;
}

my $view = 'VIEW orders_with_time AS SELECT *, uuid7_timestamp(id) AS created_at FROM orders';

$node->safe_psql('app', "SET ROLE client; CREATE $view");
is($node->safe_psql('app', 'INSERT INTO orders_with_time (total) VALUES (1) RETURNING created_at > now() - interval \'1 min\''), 't', 'a view: what is given can be written');
is(fails('INSERT INTO orders_with_time (total, created_at) VALUES (1, now())'), 'cannot insert into column "created_at" of view "orders_with_time"', 'the time cannot');
$node->safe_psql('app', 'ALTER TABLE orders ADD COLUMN note text');
is(fails("CREATE OR REPLACE $view"), 'cannot change name of view column "created_at" to "note"', 'a new column');
is(fails('ALTER TABLE orders ALTER COLUMN total TYPE bigint'), 'cannot alter type of a column used by a view or rule', 'another type');
like(fails('ALTER TABLE orders DROP COLUMN total'), qr/^cannot drop column total of table orders because other objects depend on it/, 'a column that goes');
$node->safe_psql('app', "BEGIN; DROP VIEW orders_with_time; ALTER TABLE orders ALTER COLUMN total TYPE bigint; CREATE $view; COMMIT; DROP VIEW orders_with_time");

# A role other than the schema's owner uses what docs/orm.md puts there.
is(($node->psql('app', 'GRANT SELECT ON event TO reader; SET ROLE reader; SELECT sno_new() > max(id) FROM event'))[1], 't', 'docs/orm.md: another role finds the functions');

# ---------- tools that compare a schema with the models ----------

# The first block of this kind in a document with a text.
sub block
{
	my ($kind, $text, $document) = (@_, 'docs/orm.md');

	return (grep { /\Q$text\E/ } slurp_file("$FindBin::RealBin/../../$document") =~ /^```$kind\n(.*?)^```\n/gms)[0] // die "$document: no $kind with $text";
}

# In their own database, with nothing in it but flakeid.
{
	my $sync = "$FindBin::RealBin/../clients/sync.js";
	my ($ok, $out);

	$ENV{PGDATABASE} = 'sync';
	($ok, $out) = run('psql', '-Xqc', block('sql', 'CREATE EXTENSION') =~ s/DATABASE app/DATABASE sync/r);
	is($out, '', 'a database for tools that compare');
	append_to_file("$dir/model.js", block('js', 'drizzle(', 'test/clients/mappers.md') =~ s/^async function main.*/module.exports = { event }\n/msr);
	append_to_file("$dir/event.prisma", block('prisma', 'model Event', 'test/clients/mappers.md'));

  SKIP:
	{
		($ok, $out) = run($language{js}->{needs}->(q(require('pg') require('drizzle-kit/api'))));
		skip 'drizzle: missing', 1 unless $ok;
		($ok, $out) = run('node', $sync, 'drizzle', 'model.js');
		is($out, '[false,[],["CREATE TABLE \"event\"","ALTER TABLE \"event\" ADD CONSTRAINT \"event_parent_event_id_fk\" FOREIGN KEY (\"parent\") '
			  . 'REFERENCES \"public\".\"event\"(\"id\") ON DELETE no action ON UPDATE no action;"]]' . "\n[false,[],[]]\n[]",
			'drizzle-kit push, again, and generate: the table is created, and nothing is left to do');

		append_to_file("$dir/drizzle.config.js", "module.exports = { dialect: 'postgresql', out: './pulled', dbCredentials: { url: process.env.URL } }\n");
		run('psql', '-Xqc', 'CREATE VIEW times AS SELECT uuid7_timestamp(uuid7_new()) AS time');
		($ok, $out) = run('env', 'URL=postgres://client:secret@127.0.0.1:' . $node->port . '/sync', 'node', "$npm/drizzle-kit/bin.cjs", 'pull', '--config', 'drizzle.config.js');
		is(join(' ', slurp_file("$dir/pulled/schema.ts") =~ /(unknown\(.*?\)|\btimestamp\()/g), 'unknown("id") unknown("parent") timestamp(', 'drizzle-kit pull: knows the time, and not the types');
		run('psql', '-Xqc', 'DROP VIEW times');

		$ENV{PGDATABASE} = 'public';
		run('psql', '-Xqc', 'CREATE EXTENSION flakeid');
		($ok, $out) = run('node', $sync, 'drizzle', 'model.js');
		like($out, qr/cannot drop view flakeid_clock because extension flakeid requires it/, 'drizzle-kit push, with flakeid in public');
		$ENV{PGDATABASE} = 'sync';
	}
	$node->safe_psql('sync', 'SET ROLE client; ' . block('sql', 'CREATE TABLE event') =~ s/TABLE event/TABLE IF NOT EXISTS event/r =~ s/\bSELECT id, body.*//sr);
  SKIP:
	{
		($ok, $out) = run('node', '-e', 'require.resolve("@prisma/schema-engine-wasm/schema_engine_bg"); require("@prisma/adapter-pg")');
		skip 'prisma: missing', 1 unless $ok;
		($ok, $out) = run('node', $sync, 'prisma', 'event.prisma', 'prisma.config.ts');
		like($out, qr/\A.*You are about to alter the column `id` on the `event` table, which contains 100000 non-null values.*$/m, 'prisma db push: would change the table');
		is($out =~ s/\A.*\n//r, qq({"executedSteps":0,"unexecutable":[],"warnings":[]}\nUnsupported("sno") Unsupported("sno")),
			'prisma db push, where it is external: there is nothing to do; prisma db pull: no type');
	}
	is($node->safe_psql('sync', q(SELECT string_agg(format_type(atttypid, NULL), ' ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'event'::regclass AND attnum > 0)), 'sno text sno', 'the columns are what they were');
	is($node->safe_psql('sync', 'SELECT count(*) FROM event; SELECT count(sno_new()), (SELECT count(*) FROM flakeid_clock), (SELECT count(*) FROM _flakeid.mark)'), "100000\n1|1|3", 'and so are rows, and the objects of flakeid');
}

$node->stop;
done_testing();
