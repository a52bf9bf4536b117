import type pg from 'pg';
import { columns } from '../../cli/support.ts';

/** One way of keeping events: a table as it is, or one of a partition a day. */
interface Way {
  name: string;
  table: string;
}

const ways: readonly Way[] = [
  { name: 'as it is', table: 'public.pos_event' },
  { name: 'a partition a day', table: 'template.event_by_day' },
];
const insertedAtOnce = 20_000;

/**
 * Events once as they are and once in a table of a partition a day: what a look-up, a page of the feed, an insert and the end
 * of the two oldest days cost. They are gone after that.
 */
export async function tryPartitions(db: pg.Client, say: (line: string) => void): Promise<string> {
  say('Copying the events into a partition a day …');
  await copyByDay(db);
  // The first vacuum after a load reads all of the table.
  await db.query('vacuum pos_event');
  const { rows } = await db.query<{ id: string; place: string; oldest: string }>(
    `select max(event_id) - 100000 as id, max(sequence) - 100000 as place,
       (min(occurred_at)::date + 2)::text as oldest from pos_event`,
  );
  const [{ id, place, oldest } = { id: '0', place: '0', oldest: '' }] = rows;
  const measured: string[][] = [];
  for (const { name, table } of ways) {
    say(`… ${name}`);
    measured.push([
      name,
      await sizeOf(db, table),
      await blocksOf(db, `select * from ${table} where event_id = ${id}`),
      await blocksOf(db, `select * from ${table} where sequence > ${place} order by sequence limit 100`),
      await insertInto(db, table),
      await endOfDay(db, table, oldest),
    ]);
  }
  return columns([
    ['EVENTS', 'ROWS + INDEXES', 'BY ID', 'PAGE OF 100', `INSERT OF ${insertedAtOnce}`, 'END OF THE TWO OLDEST DAYS'],
    ...measured,
  ]);
}

/** A unique key has the day in it: PostgreSQL keeps none over all partitions. */
async function copyByDay(db: pg.Client): Promise<void> {
  const { rows: days } = await db.query<{ day: string; next: string; tag: string }>(
    `select d::date::text as day, (d::date + 1)::text as next, to_char(d, 'YYYYMMDD') as tag
     from generate_series((select min(occurred_at)::date from pos_event), (select max(occurred_at)::date + 1 from pos_event),
       interval '1 day') d`,
  );
  await db.query('drop table if exists template.event_by_day');
  await db.query(
    'create table template.event_by_day (like pos_event including defaults) partition by range (occurred_at)',
  );
  for (const { day, next, tag } of days)
    await db.query(
      `create table template.event_${tag} partition of template.event_by_day for values from ('${day}') to ('${next}')`,
    );
  await db.query('insert into template.event_by_day select * from pos_event');
  await db.query('alter table template.event_by_day add primary key (event_id, occurred_at)');
  await db.query('create unique index on template.event_by_day (sequence, occurred_at) where sequence is not null');
  await db.query('create index on template.event_by_day (type, sequence) where sequence is not null');
  await db.query('create index on template.event_by_day (event_id) where sequence is null');
  await db.query('analyze template.event_by_day');
}

async function sizeOf(db: pg.Client, table: string): Promise<string> {
  const { rows } = await db.query<{ heap: string; indexes: string }>(
    `select sum(pg_table_size(relid)) as heap, sum(pg_indexes_size(relid)) as indexes
     from (select relid from pg_partition_tree($1) where isleaf union select $1::regclass) t`,
    [table],
  );
  const mb = (bytes: string | undefined) => (Number(bytes) / 1_048_576).toFixed(0);
  return `${mb(rows[0]?.heap)} + ${mb(rows[0]?.indexes)} MB`;
}

/** Blocks read and milliseconds of the second run: planning and execution. */
async function blocksOf(db: pg.Client, sql: string): Promise<string> {
  await db.query(sql);
  const { rows } = await db.query<{ 'QUERY PLAN': string }>(`explain (analyze, buffers, timing off) ${sql}`);
  const lines = rows.map((row) => row['QUERY PLAN']);
  const buffers = lines.find((line) => line.includes('Buffers: shared')) ?? '';
  const blocks = [...buffers.matchAll(/(?:hit|read)=(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
  const ms = lines
    .filter((line) => /^(Planning|Execution) Time/.test(line))
    .map((line) => Number(/([\d.]+) ms/.exec(line)?.[1]));
  return `${blocks} blocks, ${ms.map((one) => one.toFixed(1)).join(' + ')} ms`;
}

async function insertInto(db: pg.Client, table: string): Promise<string> {
  const cost = await costOf(db, [
    `insert into ${table} (event_id, sequence, type, object_kind, object_id, facts, occurred_at)
     select o.top + n, o.top + n, 'order.paid', 'order', n::text, '{"order_id": 1, "increment_id": "000000001"}',
       now() - interval '1 day'
     from generate_series(1, ${insertedAtOnce}) n, (select greatest(max(event_id), max(sequence)) as top from ${table}) o`,
  ]);
  return cost;
}

/** As `purge-leftovers` does it, a thousand rows at a time, with the vacuum after it; or by taking a partition away. */
async function endOfDay(db: pg.Client, table: string, oldest: string): Promise<string> {
  if (table !== 'public.pos_event') {
    const { rows } = await db.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1 limit 2`,
      [table],
    );
    return costOf(
      db,
      rows.flatMap(({ name }) => [`alter table ${table} detach partition ${name} concurrently`, `drop table ${name}`]),
    );
  }
  const began = Date.now();
  let deleted = 0;
  const start = await lsn(db);
  for (let rows = 1; rows > 0; deleted += rows) {
    const answer = await db.query(
      `with old as (select ctid from ${table} where event_id = any(array(
         select event_id from ${table} where sequence is not null order by sequence limit 1000)) and occurred_at < $1)
       delete from ${table} t using old where t.ctid = old.ctid`,
      [oldest],
    );
    rows = answer.rowCount ?? 0;
  }
  const took = Date.now() - began;
  const wal = await walSince(db, start);
  const vacuum = await costOf(db, [`vacuum ${table}`]);
  return `${deleted} rows in ${took} ms, ${wal}; vacuum ${vacuum}`;
}

async function costOf(db: pg.Client, statements: readonly string[]): Promise<string> {
  const start = await lsn(db);
  const began = Date.now();
  for (const sql of statements) await db.query(sql);
  const took = Date.now() - began;
  return `${took} ms, ${await walSince(db, start)}`;
}

const lsn = async (db: pg.Client) =>
  (await db.query<{ at: string }>('select pg_current_wal_insert_lsn()::text as at')).rows[0]?.at ?? '0/0';

async function walSince(db: pg.Client, start: string): Promise<string> {
  const { rows } = await db.query<{ bytes: string }>(
    'select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1::pg_lsn) as bytes',
    [start],
  );
  return `${(Number(rows[0]?.bytes) / 1_048_576).toFixed(1)} MB of WAL`;
}

/** What is read of a table that every sale leaves rows in. */
interface Reading {
  title: string;
  table: string;
  key: string;
  /** By name: SQL over the table and a row in its middle. */
  reads: Readonly<Record<string, (table: string, row: Middle) => string>>;
  /** What differs in one more row. */
  own: string;
}

const fewRows = 1_000;
type Middle = Record<string, string | number>;

const readings: readonly Reading[] = [
  {
    ...{ title: 'RECEIPTS', table: 'pos_receipt', key: 'receipt_id' },
    reads: {
      'newest 20': (table) => `select * from ${table} order by receipt_id desc limit 20`,
      'newest 20 of a location': (table, row) =>
        `select * from ${table} where location_id = ${row['location_id']} order by receipt_id desc limit 20`,
      'of an order': (table, row) => `select * from ${table} where order_increment_id = '${row['order_increment_id']}'`,
      'by the code on it': (table, row) => `select * from ${table} where token_digest = '${row['token_digest']}'`,
      'of a sale': (table, row) => `select * from ${table} where pos_order_id = '${row['pos_order_id']}'`,
    },
    own: `'token_digest', md5(random()::text), 'pos_order_id', md5(random()::text)`,
  },
  {
    ...{ title: 'ORDERS', table: 'sales_order', key: 'entity_id' },
    reads: {
      'newest 20': (table) => `select * from ${table} order by entity_id desc limit 20`,
      'newest 20 of a store and status': (table, row) =>
        `select * from ${table} where store_id = ${row['store_id']} and lower(status) = '${row['status']}'
         order by entity_id desc limit 20`,
      'by its id': (table, row) => `select * from ${table} where entity_id = ${row['entity_id']}`,
      'by its number': (table, row) => `select * from ${table} where increment_id = '${row['increment_id']}'`,
      'of a sale': (table, row) => `select * from ${table} where pos_sale_id = '${row['pos_sale_id']}'`,
      'of a guest, by e-mail': (table, row) =>
        `select * from ${table} where lower(customer_email) = '${row['customer_email']}'`,
    },
    own: `'increment_id', md5(random()::text), 'pos_sale_id', md5(random()::text)`,
  },
  {
    ...{ title: 'LINES OF ORDERS', table: 'sales_order_item', key: 'item_id' },
    reads: { 'of an order': (table, row) => `select * from ${table} where order_id = ${row['order_id']}` },
    own: `'created_at', now()`,
  },
];

/** Blocks that reads look at, and one more row: a thousand rows, and all there are. Leaves the tables as they were. */
export async function reportReads(db: pg.Client): Promise<string> {
  const reports: string[] = [];
  for (const reading of readings) {
    // Left out by `--tables`: the dozen sales alone.
    if (Number(await rowsOf(db, reading.table)) > fewRows) reports.push(await reportReading(db, reading));
  }
  return reports.join('\n\n');
}

async function reportReading(db: pg.Client, { title, table, key, reads, own }: Reading): Promise<string> {
  const few = `template.few_${table}`;
  await db.query(`drop table if exists ${few}; create table ${few} (like ${table} including all)`);
  const names = await writtenColumns(db, table);
  await db.query(`insert into ${few} (${names}) select ${names} from ${table} order by ${key} limit ${fewRows}`);
  await db.query(`analyze ${few}`);
  const all = await rowsOf(db, table);
  const rows: string[][] = [[title, `OF ${await rowsOf(db, few)}`, `OF ${all}`]];
  const cells = new Map<string, string[]>(Object.keys(reads).map((name) => [name, []]));
  const more: string[] = [];
  for (const each of [few, table]) {
    const { rows: middles } = await db.query<Middle>(
      `select * from ${each} where ${key} >= (select (min(${key}) + max(${key})::bigint) / 2 from ${each})
       order by ${key} limit 1`,
    );
    const [middle] = middles;
    if (!middle) throw new Error(`${each} is empty.`);
    for (const [name, sqlOf] of Object.entries(reads)) cells.get(name)?.push(await blocksOf(db, sqlOf(each, middle)));
    const like = `select ${names} from jsonb_populate_record(null::${each}, (select to_jsonb(r) from ${each} r
      where ${key} = ${middle[key]}) || jsonb_build_object('${key}', 2000000000 + (random() * 1000000)::int, ${own}))`;
    await db.query('begin');
    more.push(await blocksOf(db, `insert into ${each} (${names}) ${like}`));
    await db.query('rollback');
  }
  for (const [name, found] of cells) rows.push([name, ...found]);
  return columns([...rows, ['one more', ...more]]);
}

/** All but those that PostgreSQL makes itself. */
async function writtenColumns(db: pg.Client, table: string): Promise<string> {
  const { rows } = await db.query<{ names: string }>(
    `select string_agg(format('%I', attname), ', ' order by attnum) as names from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  return rows[0]?.names ?? '*';
}

async function rowsOf(db: pg.Client, table: string): Promise<string> {
  const { rows } = await db.query<{ count: string }>(
    'select greatest(reltuples, 0)::bigint::text as count from pg_class where oid = $1::regclass',
    [table],
  );
  return rows[0]?.count ?? '0';
}
