import type { EntityMetadata, EntityProperty, EntitySchema } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { formatAmount, money, type Amount } from '../../domain/money/amount.ts';
import { formatQuantity, parseQuantity, type Quantity } from '../../domain/money/quantity.ts';
import { AmountType, QuantityType } from './amount-type.ts';
import { query } from './query.ts';

/**
 * Rows of entities without the unit of work: read by the names of their properties, changed as objects, and written back
 * in one statement. For the few transactions that are run all day; relations are not followed.
 */

type PlainRow = Record<string, unknown>;

/** Which entities a statement reads, by the alias its text gives them. */
export type Aliases<Rows> = { readonly [Alias in keyof Rows & string]: EntitySchema };

interface Column {
  key: string;
  name: string;
  kind: 'amount' | 'quantity' | 'moment' | 'plain';
}

interface Table {
  name: string;
  primary: Column;
  columns: readonly Column[];
  /** Set whenever anything else of a row is changed. */
  changedAt: string | undefined;
}

interface Read {
  table: Table;
  before: PlainRow;
}

/** What was read, as it was: kept as long as the row itself. */
const reads = new WeakMap<object, Read>();

/**
 * Reads rows in the caller's transaction; `tail` is the statement from its `from` on, with `$1`, `$2` … Each row has one
 * object per alias; that of a joined table without a match has a primary key of null.
 */
export async function readRows<Rows extends object>(
  em: EntityManager,
  aliases: Aliases<Rows>,
  { tail, values }: { tail: string; values: readonly unknown[] },
): Promise<Rows[]> {
  const parts = Object.entries<EntitySchema>(aliases).map(([alias, entity]) => ({ alias, table: tableOf(em, entity) }));
  const rows = await query<Rows>(em, `select ${parts.map(selected).join(', ')} ${tail}`, values);
  for (const row of rows) split(em, row, parts);
  return rows;
}

interface Part {
  alias: string;
  table: Table;
}

const selected = ({ alias, table }: Part) =>
  table.columns.map(({ key, name }) => `${alias}."${name}" as "${alias}.${key}"`).join(', ');

/** What came as one flat row becomes one object per alias. */
function split(em: EntityManager, row: object, parts: readonly Part[]): void {
  for (const { alias, table } of parts) {
    const own: PlainRow = {};
    for (const column of table.columns) {
      const flat = `${alias}.${column.key}`;
      own[column.key] = fromWire(em, column, Reflect.get(row, flat));
      Reflect.deleteProperty(row, flat);
    }
    reads.set(own, { table, before: { ...own } });
    Reflect.set(row, alias, own);
  }
}

function fromWire(em: EntityManager, { kind }: Column, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (kind === 'amount') return money(value);
  if (kind === 'quantity') return parseQuantity(value);
  return kind === 'moment' ? em.getPlatform().parseDate(value) : value;
}

/**
 * Writes what was changed of rows that were read, in one statement, in the caller's transaction; a repeat writes nothing.
 * Rows of the unit of work are passed over: its flush writes those.
 */
export async function saveRows(em: EntityManager, rows: readonly object[]): Promise<void> {
  const changes = new Map<Table, { rows: object[]; columns: Set<Column> }>();
  for (const row of rows) {
    const read = reads.get(row);
    const changed = read ? changedColumns(read, row) : [];
    if (!read || changed.length === 0) continue;
    const change = changes.get(read.table) ?? { rows: [], columns: new Set() };
    changes.set(read.table, change);
    change.rows.push(row);
    for (const column of changed) change.columns.add(column);
  }
  if (changes.size === 0) return;
  const parts = [...changes].map(([table, change], at) => updateOf(table, { ...change, at }));
  const text = `with ${parts.map((part) => part.text).join(', ')} select 1`;
  await query(
    em,
    text,
    parts.map((part) => part.value),
  );
  for (const row of rows) {
    const read = reads.get(row);
    if (read) reads.set(row, { ...read, before: { ...row } });
  }
}

function changedColumns({ table, before }: Read, row: object): Column[] {
  const changed = table.columns.filter(({ key }) => !isSame(before[key], Reflect.get(row, key)));
  if (changed.length === 0 || table.changedAt === undefined) return changed;
  Reflect.set(row, table.changedAt, new Date());
  return [...changed, ...table.columns.filter(({ key }) => key === table.changedAt)];
}

/** An absent value is null to the database. Lists and objects are replaced as a whole, never changed inside. */
const isSame = (before: unknown, after: unknown) => (before ?? null) === (after ?? null);

interface Update {
  rows: readonly object[];
  columns: ReadonlySet<Column>;
  at: number;
}

function updateOf({ name, primary }: Table, { rows, columns, at }: Update): { text: string; value: string } {
  const set = [...columns].map((column) => `"${column.name}" = v."${column.name}"`).join(', ');
  const given = `json_populate_recordset(null::"${name}", $${at + 1}) v`;
  const wire = rows.map((row) => ({
    [primary.name]: Reflect.get(row, primary.key),
    ...Object.fromEntries([...columns].map((column) => [column.name, toWire(column, Reflect.get(row, column.key))])),
  }));
  return {
    text: `part_${at} as (update "${name}" t set ${set} from ${given} where t."${primary.name}" = v."${primary.name}")`,
    value: JSON.stringify(wire),
  };
}

function toWire({ kind }: Column, value: unknown): unknown {
  if (kind === 'amount' && isUnits(value)) return formatAmount(value);
  if (kind === 'quantity' && isUnits(value)) return formatQuantity(value);
  return value ?? null;
}

const isUnits = (value: unknown): value is Amount & Quantity => typeof value === 'number';

const tables = new Map<string, Table>();

function tableOf(em: EntityManager, entity: EntitySchema): Table {
  const meta: EntityMetadata = em.getMetadata().get(entity);
  const known = tables.get(meta.className);
  if (known) return known;
  const properties = meta.props.filter(isOwnColumn);
  const columns = properties.map(columnOf);
  const primary = columns[properties.findIndex((property) => property.primary)];
  if (!primary) throw new Error(`${meta.className} has no primary key`);
  const table: Table = {
    name: meta.tableName,
    primary,
    columns,
    changedAt: properties.find(({ onUpdate }) => onUpdate !== undefined)?.name,
  };
  tables.set(meta.className, table);
  return table;
}

/** Columns, and references that are kept as the id alone. */
const isOwnColumn = ({ kind, mapToPk, persist }: EntityProperty) =>
  persist !== false && (kind === 'scalar' || mapToPk === true);

const columnOf = ({ name, fieldNames, customType, runtimeType }: EntityProperty): Column => {
  const type: unknown = customType;
  const money = type instanceof AmountType ? 'amount' : type instanceof QuantityType ? 'quantity' : undefined;
  return { key: name, name: fieldNames[0] ?? '', kind: money ?? (runtimeType === 'Date' ? 'moment' : 'plain') };
};
