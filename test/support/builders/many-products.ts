import type { booksOf } from '../books.ts';
import type { Row } from '../books/cells.ts';
import { manyRecords } from '../books/many-records.ts';

/** Products `sku-1`, `sku-2` and so on, of one name; by default they cost 1 and are sold on no website. */
export async function manyProducts(
  books: Pick<ReturnType<typeof booksOf>, 'find' | 'insertAll'>,
  { sku, count, ...cells }: { sku: string; count: number } & Row,
): Promise<number[]> {
  const name = `Many ${sku}`;
  await books.insertAll(
    'product',
    manyRecords(count, (n) => ({ price: 1, ...cells, sku: `${sku}-${n}`, name })),
  );
  return (await books.find('product', { name }, 'entity_id')).map(({ entity_id: id }) => id);
}
