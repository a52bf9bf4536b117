import type { booksOf } from '../books.ts';

/** Every row of every table, as one digest per table: two that are equal stand for the same books. */
export async function everything({ rows }: Pick<ReturnType<typeof booksOf>, 'rows'>): Promise<Record<string, unknown>> {
  const tables = await rows<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  );
  const digests = tables.map(async ({ name }) => {
    const [digest] = await rows(`select count(*), md5(string_agg(t::text, '|' order by t::text)) from "${name}" t`);
    return [name, digest] as const;
  });
  return Object.fromEntries(await Promise.all(digests));
}
