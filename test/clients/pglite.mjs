// Run SQL files in PGlite, one after the other, in one database: pglite.mjs FILE... prints the
// server's major version, and each row of the last file's last statement as JSON.
import fs from 'node:fs';
import { PGlite } from '@electric-sql/pglite';

const db = await PGlite.create();
let results;

console.log((await db.query(`SELECT current_setting('server_version_num')::int / 10000 AS major`)).rows[0].major);
for (const file of process.argv.slice(2))
	results = await db.exec(fs.readFileSync(file, 'utf8'));
for (const row of results.at(-1).rows)
	console.log(JSON.stringify(row));
await db.close();
