import { deepStrictEqual } from 'node:assert';
import type { MikroORM } from '@mikro-orm/postgresql';
import { verify } from '../../books/verify/verify.ts';
import { platformLists, platformRecords } from './books/platform-tables.ts';
import { faultsBy } from './books/faults.ts';
import { salesLists, salesRecords } from './books/sales-tables.ts';
import { distantRecords } from './books/distant-records.ts';
import { conditionOf, type Which } from './books/which.ts';
import type { Cells, Row } from './books/cells.ts';

const lists = { ...salesLists, ...platformLists };
const records = { ...salesRecords, ...platformRecords };

/** Whole records, or just these columns of them. */
type ReadMany = <Column extends string = string>(id: number, ...columns: Column[]) => Promise<Cells<Column>[]>;
type ReadOne = <Column extends string = string>(id: number, ...columns: Column[]) => Promise<Cells<Column>>;

/**
 * Reads what stands in the books of a test's shop, and writes into them past every rule, as an operator with a console
 * would. The database may be opened later, as in `beforeAll`.
 */
export function booksOf(orm: () => MikroORM) {
  const fork = () => orm().em.fork();
  const rows = <Found = Row>(sql: string, ...values: unknown[]) =>
    fork().execute<Row[]>(sql, values) as Promise<Found[]>;
  const write = async (sql: string, ...values: unknown[]) => void (await rows(sql, ...values));
  const read =
    (table: string, by: string, order: string) =>
    async (id: number, ...columns: string[]) =>
      rows(`select ${columns.join(', ') || '*'} from ${table} where ${by} = ? order by ${order}`, id);

  const manyOf = Object.entries(lists).map(([name, [table, by, order]]) => [name, read(table, by, order)]);
  const oneOf = Object.entries(records).map(([name, [table, by]]) => [
    name,
    async (id: number, ...columns: string[]) => {
      const [row] = await read(table, by, by)(id, ...columns);
      if (!row) throw new Error(`No ${table} has the ${by} ${id}.`);
      return row;
    },
  ]);

  /** By the key of its table, so that two reads of the same rows look the same. */
  const keyOf = (table: string) => {
    const meta = [...orm().getMetadata().getAll().values()].find(({ tableName }) => tableName === table);
    if (!meta) throw new Error(`No entity has the table ${table}.`);
    return meta.getPrimaryProps().flatMap(({ fieldNames }) => fieldNames);
  };
  const find = <Column extends string = string>(table: string, which: Which = {}, ...columns: Column[]) => {
    const { only, values } = conditionOf(which);
    const order = keyOf(table).join(', ');
    return rows<Cells<Column>>(
      `select ${columns.join(', ') || '*'} from ${table} where ${only} order by ${order}`,
      ...values,
    );
  };

  return {
    ...(Object.fromEntries(manyOf) as Record<keyof typeof lists, ReadMany>),
    ...(Object.fromEntries(oneOf) as Record<keyof typeof records, ReadOne>),
    /** The records of a table that have these cells, all of them for `{}`; whole, or just these columns. */
    find,
    /** The only record that has these cells. */
    findOne: async <Column extends string = string>(table: string, which: Which, ...columns: Column[]) => {
      const [found, ...others] = await find(table, which, ...columns);
      if (!found || others.length > 0) throw new Error(`Not one record of ${table} has ${JSON.stringify(which)}.`);
      return found;
    },
    /** The newest record of a table, by its key. */
    latest: async <Column extends string = string>(table: string, ...columns: Column[]) => {
      const found = (await find(table, {}, ...columns)).at(-1);
      if (!found) throw new Error(`The table ${table} is empty.`);
      return found;
    },
    /** An entity manager of its own. */
    fork,
    /** The answer to a question that only one test asks. */
    rows,
    write,
    ...byHand(rows),
    ...faultsBy(rows),
    ...distantRecords(find),
    /** Pieces of a product at a source. */
    shelf: async (sku = 'MUG', source = 'floor') => {
      const [item] = await rows(
        'select quantity from inventory_source_item where sku = ? and source_code = ?',
        ...[sku, source],
      );
      return Number(item?.['quantity'] ?? 0);
    },
    /** What is kept from others for an order; a promised piece counts as minus one. */
    promised: async (orderId: number) => {
      const [found] = await rows('select sum(quantity) from inventory_reservation where order_id = ?', orderId);
      return Number(found?.['sum'] ?? 0);
    },
    /** What the comments on an order say, first to last. */
    storyOf: async (orderId: number) =>
      (await read(...lists.commentsOf)(orderId, 'comment')).map(({ comment }) => String(comment)),
    howMany: async (table: string, which: Which = {}) => {
      const { only, values } = conditionOf(which);
      const [found] = await rows(`select count(*) from ${table} where ${only}`, ...values);
      return Number(found?.['count']);
    },
    /** The sum of a column over these records; nothing is 0. */
    total: async (table: string, column: string, which: Which = {}) =>
      (await find(table, which, column)).reduce((sum, row) => sum + Number(row[column] ?? 0), 0),
    /** Every rule of `pos verify` holds. */
    booksHold: async () => {
      deepStrictEqual(await verify(fork(), { lookAgainAfterMs: 1 }), []);
    },
  };
}

/** Plain changes of one table, by the names of its columns. */
function byHand(rows: (sql: string, ...values: unknown[]) => Promise<Row[]>) {
  const change = async (table: string, which: Which, to: Row) => {
    const { only, values } = conditionOf(which);
    const places = Object.keys(to).map((column) => `${column} = ?`);
    await rows(`update ${table} set ${places.join(', ')} where ${only}`, ...Object.values(to), ...values);
  };
  const insert = async (table: string, cells: Row) => {
    const columns = Object.keys(cells);
    const [written] = await rows(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')}) returning *`,
      ...Object.values(cells),
    );
    return written!;
  };
  /**
   * In one statement, so that tens of thousands take a moment. Every record has the cells of the first; a cell of JSON
   * is an object here, and may be its text in `insert`.
   */
  const insertAll = (table: string, records: readonly Row[]) => {
    const columns = Object.keys(records[0] ?? {}).join(', ');
    return rows(
      `insert into ${table} (${columns})
       select ${columns} from json_populate_recordset(null::${table}, ?) returning *`,
      JSON.stringify(records),
    );
  };
  return {
    /** Changes the records that have these cells; all of them for `{}`. */
    change,
    /** Writes a record, and answers it as PostgreSQL keeps it. */
    insert,
    insertAll,
    remove: async (table: string, which: Which = {}) => {
      const { only, values } = conditionOf(which);
      await rows(`delete from ${table} where ${only}`, ...values);
    },
    /** Sets a setting, here for the whole shop or `'stores', 2`. A key of a provider is left in plain text. */
    configure: async (path: string, value: string, scope: 'default' | 'websites' | 'stores' = 'default', scopeId = 0) =>
      void (await rows(
        `insert into config_value (path, value, scope, scope_id) values (?, ?, ?, ?)
         on conflict (path, scope, scope_id) do update set value = excluded.value, is_encrypted = false`,
        ...[path, value, scope, scopeId],
      )),
    /** So many pieces of everything, everywhere, that no test sells the last one. */
    fillShelves: () => change('inventory_source_item', {}, { quantity: 100_000 }),
    /** Every device and address may try again at once. */
    forgetTries: async () => void (await rows('delete from rate_limit')),
  };
}
