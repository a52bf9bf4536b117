import type { Client } from 'pg';
import { isNode, readTree, type Node } from './node-tree.ts';
import { columnsOf, type Column, type IsNotNull } from './nullness.ts';

export interface Described {
  parameters: readonly string[];
  columns: readonly (Column & { type: string })[];
}

export type Describe = (text: string) => Promise<Described>;

/** Has PostgreSQL prepare statements, and tells what it made of them. Nothing is run. */
export async function createDescriber(client: Client): Promise<Describe> {
  const notNull = new Set<string>();
  const { rows } = await client.query<{ id: string }>(
    `select attrelid || '.' || attnum as id from pg_attribute where attnotnull and attnum > 0`,
  );
  for (const { id } of rows) notNull.add(id);
  const isNotNull: IsNotNull = (table, column) => notNull.has(`${table}.${column}`);
  let parsed: Node | undefined;
  client.on('notice', ({ message, detail }) => {
    const tree = message === 'parse tree:' ? readTree(detail ?? '') : null;
    // 6 is the `prepare` itself.
    if (isNode(tree) && tree['commandType'] !== '6') parsed = tree;
  });
  await client.query('set debug_pretty_print = off');
  return async (text) => {
    parsed = undefined;
    // In one message, so that only the statement itself is printed.
    await client.query('deallocate all');
    await client.query('set debug_print_parse = on; set client_min_messages = log');
    try {
      await client.query(`prepare described as ${text}`);
    } finally {
      await client.query('set client_min_messages = notice; set debug_print_parse = off');
    }
    const { rows: found } = await client.query<{ parameters: string[]; results: string[] | null }>(
      'select parameter_types::text[] as parameters, result_types::text[] as results from pg_prepared_statements',
    );
    const [types] = found;
    const columns = parsed ? columnsOf(parsed, isNotNull) : [];
    return {
      parameters: types?.parameters ?? [],
      columns: columns.map((column, at) => ({ ...column, type: types?.results?.[at] ?? '' })),
    };
  };
}
