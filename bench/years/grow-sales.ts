import type pg from 'pg';
import { salesOfTemplate } from './real-sales.ts';

/** A column of a table that grows, and how the n-th copy of a row differs in it: SQL over `t`, the row, and `m`. */
interface GrownColumn {
  name: string;
  copy: string;
}

/** A table in which real sales left rows. */
interface GrownTable {
  name: string;
  columns: readonly GrownColumn[];
  /** What makes its indexes again. */
  indexes: readonly string[];
  /** So many rows of the template. */
  rows: number;
  /** Only so many of the last days are kept, as the retention table says. */
  keptDays?: number;
}

export interface GrowInput {
  db: pg.Client;
  /** Of all copies together. */
  orders: number;
  /** Over which the sales are spread, up to now. */
  days: number;
  /** Only these, in this order, where the disk or the day is too small for all. */
  tables: readonly string[];
  say: (line: string) => void;
}

/** What `purge-leftovers` takes away is not in a shop that runs. */
const keptDays: Readonly<Record<string, number>> = { keyed_request: 7, sale_return_operation: 7, pos_event: 30 };
/** Kept by triggers and jobs, and as small after a year. */
const notGrown = new Set(['pos_list_count', 'pos_growing_count', 'pos_receipt_count', 'pos_audit_log_count']);
const copiesAtOnce = 20_000;

/** Names of all tables with their number of rows. */
export async function countRows(db: pg.Client): Promise<ReadonlyMap<string, number>> {
  const { rows } = await db.query<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition
       and relnamespace = 'public'::regnamespace order by relname`,
  );
  const counted = new Map<string, number>();
  for (const { name } of rows) {
    const found = await db.query<{ rows: number }>(`select count(*)::int as rows from ${name}`);
    counted.set(name, found.rows[0]?.rows ?? 0);
  }
  return counted;
}

/**
 * Puts aside what a dozen real sales left, as tables of the schema `template`, with what must be made again of each table's
 * indexes once it is filled. All foreign keys go: there is no order of filling that they would allow.
 */
export async function setAside(db: pg.Client, before: ReadonlyMap<string, number>): Promise<void> {
  await db.query(
    `create schema template; create table template.grown (name text, indexes text[], is_done boolean default false)`,
  );
  for (const [name, rows] of await countRows(db)) {
    if (rows === before.get(name) || notGrown.has(name) || name === 'grown') continue;
    const key = await idOf(db, name);
    // What a shop has before it sells: the newest rows are those of the sales.
    const skip = key === undefined ? '' : `order by ${key} offset ${before.get(name) ?? 0}`;
    await db.query(`create table template.${name} as select * from ${name} ${skip}`);
    const indexes = (await indexesOf(db, name)).map(({ add }) => add);
    await db.query('insert into template.grown (name, indexes) values ($1, $2)', [name, indexes]);
  }
  const { rows: foreign } = await db.query<{ drop: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop
     from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace`,
  );
  for (const { drop } of foreign) await db.query(drop);
}

/** Whether sales were put aside before: then a run goes on with the tables that are not full yet. */
export async function isSetAside(db: pg.Client): Promise<boolean> {
  const { rows } = await db.query(`select from pg_namespace where nspname = 'template'`);
  return rows.length > 0;
}

/**
 * Multiplies the rows that a dozen real sales left, table by table: ids, numbers, keys and moments of each copy are its
 * own, all else is what the sale wrote. So the proportion of the tables and the width of their rows are those of real
 * sales. A table loses its indexes for as long as it is filled. Safe to stop: a repeat begins with the table that was not done.
 */
export async function growSales(input: GrowInput): Promise<void> {
  const { db, orders, say } = input;
  const copies = Math.ceil(orders / salesOfTemplate);
  // Triggers tell of what happens; nothing happened here.
  await db.query(`set session_replication_role = replica; set synchronous_commit = off`);
  for (const table of await grownTables(input)) await growOne(input, table, copies);
  await db.query(`set session_replication_role = origin`);
  say('Analysing …');
  await db.query('analyze');
}

async function growOne({ db, days, say }: GrowInput, table: GrownTable, copies: number): Promise<void> {
  const { name, columns, rows, indexes } = table;
  const began = Date.now();
  // The real sales are the oldest of all: their ids are the lowest.
  const first = Math.floor(copies * (1 - (table.keptDays ?? days) / days));
  for (const { drop } of await indexesOf(db, name)) await db.query(drop);
  const list = columns.map((column) => `"${column.name}"`).join(', ');
  // The rows of a sale stand together, as they were written. Truncated and filled in one transaction: with `wal_level=minimal` nothing goes to the log.
  await db.query('begin');
  await db.query(`truncate ${name}`);
  for (let from = first; from < copies; from += copiesAtOnce) {
    const to = Math.min(from + copiesAtOnce, copies) - 1;
    await db.query(
      `insert into ${name} (${list}) select ${columns.map(({ copy }) => copy).join(', ')}
       from generate_series(${from}, ${to}) m
         cross join lateral (select * from template.${name} where m >= 0 offset 0) t`,
    );
  }
  await db.query('commit');
  const filled = Date.now();
  for (const add of indexes) await db.query(add);
  const key = await idOf(db, name);
  // What is sold after this goes on counting.
  if (key !== undefined)
    await db.query(`select setval(pg_get_serial_sequence('${name}', '${key}'), (select max(${key}) from ${name}))`);
  await countAnew(db, name);
  await db.query('update template.grown set is_done = true where name = $1', [name]);
  const took = (from: number, to: number) => `${((to - from) / 1000).toFixed(0)} s`;
  say(`${name}: ${rows} × ${copies - first} rows in ${took(began, filled)}, indexes in ${took(filled, Date.now())}`);
}

/** Totals of lists, which triggers keep: the one of inserts counts the whole table, as if it came by one statement. */
async function countAnew(db: pg.Client, name: string): Promise<void> {
  const { rows } = await db.query<{ source: string }>('select prosrc as source from pg_proc where proname = $1', [
    `${name}_counted`,
  ]);
  const [insert] = /insert into pos_list_count[^;]* from added [^;]*/.exec(rows[0]?.source ?? '') ?? [];
  if (insert === undefined) return;
  await db.query(`delete from pos_list_count where list = '${name}'`);
  await db.query(insert.replace(' from added ', ` from ${name} added `));
}

/** The tables that are not full yet, and how a copy of each of their columns differs. */
async function grownTables({ db, days, orders, tables }: GrowInput): Promise<GrownTable[]> {
  const { rows: kept } = await db.query<{ name: string; indexes: string[]; is_done: boolean }>(
    'select name, indexes, is_done from template.grown order by name',
  );
  const spans: Span[] = [];
  for (const { name } of kept) {
    const key = await idOf(db, name);
    if (key !== undefined) spans.push(await spanOf(db, name, key));
  }
  const everyMs = (days * 86_400_000 * salesOfTemplate) / orders;
  const moment = (column: string) =>
    `t."${column}" - interval '${days} days' + m * interval '${everyMs.toFixed(3)} ms'`;
  const wanted = tables.length === 0 ? kept.map(({ name }) => name) : tables;
  const grown: GrownTable[] = [];
  for (const name of wanted) {
    const found = kept.find((one) => one.name === name);
    if (!found)
      throw new Error(`A sale leaves nothing in "${name}". Choose from ${kept.map((one) => one.name).join(', ')}.`);
    const { rows } = await db.query(`select from template.${name}`);
    const kind = keptDays[name] === undefined ? {} : { keptDays: keptDays[name] };
    if (!found.is_done)
      grown.push({
        ...{ name, indexes: found.indexes, rows: rows.length, ...kind },
        columns: await grownColumns(db, name, spans, moment),
      });
  }
  return grown;
}

/** The ids of one table's rows in the template. */
interface Span {
  least: number;
  greatest: number;
  size: number;
}

async function spanOf(db: pg.Client, name: string, key: string): Promise<Span> {
  const { rows } = await db.query<{ least: string; greatest: string }>(
    `select min(${key}) as least, max(${key}) as greatest from template.${name}`,
  );
  const [least, greatest] = [Number(rows[0]?.least), Number(rows[0]?.greatest)];
  return { least, greatest, size: greatest - least + 1 };
}

/** The column of a table that is counted up, if it has one. */
async function idOf(db: pg.Client, name: string): Promise<string | undefined> {
  const { rows } = await db.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = $1 and column_default like 'nextval(%'`,
    [name],
  );
  return rows[0]?.name;
}

async function grownColumns(
  db: pg.Client,
  table: string,
  spans: readonly Span[],
  moment: (column: string) => string,
): Promise<GrownColumn[]> {
  const { rows: columns } = await db.query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
    [table],
  );
  const copyOf = async (name: string, type: string) => {
    if (type.startsWith('timestamp')) return moment(name);
    // The feed has given each event its place.
    if (table === 'pos_event' && name === 'sequence') return copyOfId(db, table, 'event_id', spans);
    if (type === 'integer' || type === 'bigint') return copyOfId(db, table, name, spans);
    if (type === 'uuid') return `md5(t."${name}"::text || m)::uuid`;
    if (type === 'character varying' || type === 'text') return copyOfText(db, table, name);
    return `t."${name}"`;
  };
  const grown: GrownColumn[] = [];
  for (const { name, type } of columns) grown.push({ name, copy: await copyOf(name, type) });
  return grown;
}

/** Ids of what grows go on counting; the ids of goods, places and staff stay. */
async function copyOfId(db: pg.Client, table: string, column: string, spans: readonly Span[]): Promise<string> {
  const { rows } = await db.query<{ least: string | null }>(`select min("${column}") as least from template.${table}`);
  const least = Number(rows[0]?.least ?? 0);
  const span = spans.find((one) => one.least <= least && least <= one.greatest);
  return span === undefined ? `t."${column}"` : `t."${column}" + m * ${span.size}`;
}

/** Keys stay as random and as long as they are, numbers go on, addresses become others; words stay. */
async function copyOfText(db: pg.Client, table: string, column: string): Promise<string> {
  const { rows } = await db.query<{ value: string }>(
    `select "${column}" as value from template.${table} where "${column}" is not null limit 1`,
  );
  const [value, it] = [rows[0]?.value ?? '', `t."${column}"`];
  const scattered = `md5(${it} || m)`;
  if (/^[0-9a-f]{64}$/.test(value)) return `${scattered} || md5(m || ${it})`;
  if (/^[0-9a-f]{32}$/.test(value)) return scattered;
  if (/^[0-9a-f-]{36}$/.test(value)) return `${scattered}::uuid::text`;
  if (/^template-\d\d-/.test(value)) return `'template-' || ${scattered}::uuid`;
  if (/^\d{9}$/.test(value)) return `lpad((${it}::bigint + m * ${salesOfTemplate})::text, 9, '0')`;
  if (value.startsWith('guest-')) return `replace(${it}, 'guest-', 'guest-' || m || '-')`;
  if (column !== 'object_id' && column !== 'entity_id') return it;
  return `case when ${it} ~ '^[0-9]+$' then (${it}::bigint + m * ${salesOfTemplate})::text else ${it} end`;
}

/** What takes an index away and what makes it again; the key of the table is the first. */
async function indexesOf(db: pg.Client, table: string): Promise<{ drop: string; add: string }[]> {
  const { rows } = await db.query<{ drop: string; add: string }>(
    `select case when c.oid is null then format('drop index %s', i.indexrelid::regclass)
         else format('alter table %s drop constraint %I', i.indrelid::regclass, c.conname) end as drop,
       case when c.oid is null then pg_get_indexdef(i.indexrelid)
         else format('alter table %s add constraint %I %s', i.indrelid::regclass, c.conname, pg_get_constraintdef(c.oid))
       end as add
     from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype in ('p', 'u')
     where i.indrelid = $1::regclass order by i.indisprimary desc, i.indexrelid`,
    [table],
  );
  return rows;
}
