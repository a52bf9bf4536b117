import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';

/** What a test needs to know of a shop that was kept: it reads nothing of it by the entities of today. */
export interface KeptFacts {
  /** Of an integration that may do everything. */
  token: string;
  locationId: number;
  /** Returns that wait at the register for their money, and the attempt that nobody knows the end of. */
  parked: number[];
  doubt: number;
}

interface KeptTable {
  name: string;
  columns: string[];
}

/** Where the shop of a release is. */
export const keptShopFile = (version: string) => `test/db/releases/${version}.gz`;

/** All but what the database itself knows of its migrations and of its place. */
const tablesSql = `
  select c.relname as name, array_agg(quote_ident(a.attname) order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and c.relname <> 'schema_migration'
  group by c.relname order by c.relname`;

async function connected<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Writes every row of a database into a file, a line each table; the same rows are the same file. */
export const keepShop = (url: string, file: string, facts: KeptFacts): Promise<void> =>
  connected(url, async (client) => {
    const lines = [JSON.stringify(facts)];
    const { rows: sequences } = await client.query<{ name: string; value: string }>(
      `select quote_ident(sequencename) as name, last_value::text as value from pg_sequences where schemaname = 'public' and last_value is not null order by 1`,
    );
    lines.push(JSON.stringify(sequences));
    const { rows: tables } = await client.query<KeptTable>(tablesSql);
    for (const { name, columns } of tables) {
      const { rows } = await client.query<{ all: string | null }>(
        `select jsonb_agg(to_jsonb(t) order by to_jsonb(t))::text as all from (select ${columns.join(', ')} from "${name}") t`,
      );
      // Numbers stay texts: none may lose a digit on its way.
      if (rows[0]?.all) lines.push(`${JSON.stringify({ name, columns })}\t${rows[0].all}`);
    }
    writeFileSync(file, gzipSync(lines.join('\n'), { level: 9 }));
  });

/** Puts a kept shop into a database that has the tables of its release, as one that no worker ran on yet. */
export const putShop = (url: string, file: string): Promise<KeptFacts> =>
  connected(url, async (client) => {
    const [facts = '', sequences = '', ...tables] = gunzipSync(readFileSync(file)).toString().split('\n');
    await client.query(`set session_replication_role = 'replica'`);
    for (const line of tables) {
      const at = line.indexOf('\t');
      const { name, columns } = JSON.parse(line.slice(0, at)) as KeptTable;
      const all = columns.join(', ');
      await client.query(`delete from "${name}"`);
      await client.query(
        `insert into "${name}" (${all}) overriding system value select ${all} from jsonb_populate_recordset(null::"${name}", $1)`,
        [line.slice(at + 1)],
      );
    }
    for (const { name, value } of JSON.parse(sequences) as { name: string; value: string }[]) {
      // The numbers of a store begin with its first document.
      await client.query(`create sequence if not exists ${name}`);
      await client.query('select setval($1, $2)', [name, value]);
    }
    await client.query('update installation set home = null');
    return JSON.parse(facts) as KeptFacts;
  });

/** The sources of a release in a folder of their own, with the packages of today; undefined in a clone without its tag. */
export function sourcesOfRelease(version: string): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), `pos-${version}-`));
  const unpack = `git archive "refs/tags/v${version}" | tar --extract --directory "${folder}"`;
  const { status } = spawnSync('bash', ['-o', 'pipefail', '-c', unpack], { stdio: 'ignore' });
  if (status !== 0) return undefined;
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  return folder;
}
