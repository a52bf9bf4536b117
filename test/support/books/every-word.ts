import type { booksOf } from '../books.ts';

/** Every row of every table as one text: what is not in it is nowhere in the shop. */
export async function everyWord({ rows }: Pick<ReturnType<typeof booksOf>, 'rows'>): Promise<string> {
  const tables = await rows<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  );
  const texts = tables.map(({ name }) =>
    rows<{ text: string | null }>(`select string_agg(t::text, ' ') as text from "${name}" t`),
  );
  return (await Promise.all(texts)).map(([row]) => row?.text ?? '').join('\n');
}
