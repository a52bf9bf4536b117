import { rmSync, statfsSync } from 'node:fs';
import { resolve } from 'node:path';
import pg from 'pg';
import { columns } from '../../cli/support.ts';
import { migrate } from '../../db/migrate.ts';
import { createOrm } from '../../db/orm.ts';
import { startPostgres } from '../../local/postgres.ts';
import { toolOptions } from '../../local/tool-options.ts';
import { startFlowStage } from '../flow-stage.ts';
import { scratch, startProcess } from '../processes.ts';
import { firstIds, makeShop } from '../shop.ts';
import { countRows, growSales, isSetAside, setAside } from './grow-sales.ts';
import { salesOfTemplate, sellDozen } from './real-sales.ts';
import { reportReads, tryPartitions } from './try-partitions.ts';

const options = toolOptions({
  command: 'npm run tools -- years',
  about: 'Multiplies a dozen real sales to years of them, and tells what the tables that grow cost.',
  options: {
    orders: { type: 'string', default: '100000', isNumber: true, says: 'orders there are at the end' },
    days: { type: 'string', default: '365', isNumber: true, says: 'days over which they are spread' },
    tables: { type: 'string', default: '', says: 'only these, by comma, in this order, where the disk is small' },
    data: { type: 'string', default: '', value: 'FOLDER', says: 'where the data stay; absent: a folder that goes' },
    partitions: { type: 'boolean', default: false, says: 'try events in a partition a day; the oldest two go' },
  },
});
const orders = Number(options.orders);
const say = (line: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));

const root = options.data === '' ? undefined : resolve(options.data);
/** A shop with a dozen real sales; answers how many rows each table had before them. */
async function makeSales(databaseUrl: string): Promise<ReadonlyMap<string, number>> {
  await migrate(databaseUrl);
  const orm = await createOrm(databaseUrl);
  const token = await makeShop(orm.em.fork());
  await orm.em.fork().execute(
    `with license as (insert into pos_license (license_type) values ('pro') returning license_id)
     update pos_terminal set license_id = license.license_id from license where terminal_id = ${firstIds.pos_terminal}`,
  );
  await orm.close();
  const db = await connect(databaseUrl);
  const before = await countRows(db);
  await db.end();
  const stage = await startFlowStage({ databaseUrl, say });
  try {
    const api = await startProcess({
      ...{ name: 'api', file: 'dist/api/main.js', readyPath: '/health/live' },
      environment: { DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: stage.temporal },
    });
    try {
      await sellDozen({ apiUrl: api.url, token });
    } finally {
      await api.stop();
    }
  } finally {
    await stage.stop();
  }
  return before;
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  const db = new pg.Client(databaseUrl);
  // Said by the statement that fails.
  db.on('error', () => undefined);
  await db.connect();
  return db;
}

interface Size {
  name: string;
  rows: string;
  heap: string;
  indexes: string;
  total: string;
}

async function reportSizes(db: pg.Client): Promise<string> {
  const { rows } = await db.query<Size>(
    `select relname as name, reltuples::bigint as rows, pg_table_size(oid) as heap, pg_indexes_size(oid) as indexes,
       pg_total_relation_size(oid) as total
     from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples >= ${orders / salesOfTemplate / 100}
     order by pg_total_relation_size(oid) desc limit 40`,
  );
  const each = (bytes: string) => (Number(bytes) / orders).toFixed(0);
  const mb = (bytes: string) => (Number(bytes) / 1_048_576).toFixed(0);
  return columns([
    ['TABLE', 'ROWS', 'ROWS MB', 'INDEXES MB', 'BYTES AN ORDER'],
    ...rows.map(({ name, rows: count, heap, indexes, total }) => [name, count, mb(heap), mb(indexes), each(total)]),
    ['all', '', '', '', each(String(rows.reduce((sum, { total }) => sum + Number(total), 0)))],
  ]);
}

/** As for a bulk load: a crash of the machine would lose it. */
const settings = {
  ...{ wal_level: 'minimal', max_wal_senders: '0', max_wal_size: '8GB', shared_buffers: '2GB', autovacuum: 'off' },
  ...{ maintenance_work_mem: '1GB', effective_cache_size: '12GB', random_page_cost: '1.1', jit: 'off' },
};
const begin = () => startPostgres({ durable: false, ...(root === undefined ? {} : { root }) });

/** A shop, its dozen sales put aside, and a server that is set up for a bulk load; what is there already is left. */
async function start(): Promise<Awaited<ReturnType<typeof begin>>> {
  const server = await begin();
  const db = await connect(server.url('postgres'));
  try {
    if (root === undefined || (await isSetAside(db))) return await madeIn(server, db);
    await madeIn(server, db);
    for (const [name, value] of Object.entries(settings)) await db.query(`alter system set ${name} = '${value}'`);
  } finally {
    await db.end();
  }
  await server.stop();
  return begin();
}

async function madeIn<Server extends { url(database: string): string }>(
  server: Server,
  db: pg.Client,
): Promise<Server> {
  if (await isSetAside(db)) return server;
  say('Making a shop and its dozen sales …');
  await setAside(db, await makeSales(server.url('postgres')));
  return server;
}

const server = await start();
try {
  const db = await connect(server.url('postgres'));
  const tables = options.tables.split(',').filter((name) => name !== '');
  await growSales({ db, orders, days: Number(options.days), tables, say });
  console.log(await reportSizes(db));
  console.log(await reportReads(db));
  if (options.partitions) console.log(await tryPartitions(db, say));
  if (root !== undefined)
    say(`${((statfsSync(root).bavail * statfsSync(root).bsize) / 2 ** 30).toFixed(0)} GB are free.`);
  await db.end();
} catch (error) {
  say(String(error));
  process.exitCode = 1;
} finally {
  await server.stop();
}
process.exit();
