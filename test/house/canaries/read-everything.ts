import type { MikroORM } from '@mikro-orm/postgresql';
import type { Client } from '@temporalio/client';

/** Every value of every column of every table, as text. */
export async function everyColumn(orm: MikroORM): Promise<{ column: string; text: string }[]> {
  const em = orm.em.fork();
  const columns = await em.execute<{ table_name: string; column_name: string }[]>(
    `select table_name, column_name from information_schema.columns join information_schema.tables using (table_schema,
      table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE' order by 1, 2`,
  );
  const found: { column: string; text: string }[] = [];
  for (const { table_name, column_name } of columns) {
    const [row] = await em.execute<{ text: string | null }[]>(
      `select string_agg("${column_name}"::text, chr(10)) as text from "${table_name}"`,
    );
    found.push({ column: `${table_name}.${column_name}`, text: row?.text ?? '' });
  }
  return found;
}

/**
 * A workflow's whole history: what it was sent, what it answered, what its activities were handed, headers and memos.
 */
export async function everyEvent(client: Client, workflowId: string): Promise<string> {
  const history = await client.workflow.getHandle(workflowId).fetchHistory();
  return JSON.stringify(history, (_key, value: unknown) => value).concat(textsOf(history));
}

/** Payloads are bytes, and written as base64 they would hide what they hold. */
function textsOf(value: unknown): string {
  if (value instanceof Uint8Array) return `${Buffer.from(value).toString()}\n`;
  if (typeof value === 'string') return `${value}\n`;
  return typeof value === 'object' && value !== null ? Object.values(value).map(textsOf).join('') : '';
}
