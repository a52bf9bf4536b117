import type { EntityManager } from '@mikro-orm/postgresql';

/** How, where and under which reference the order of a return was paid; an empty method for an unknown return. */
export async function paymentOfReturn(
  em: EntityManager,
  returnId: number,
): Promise<{ paymentMethod: string; storeId: number; paymentReference: string | null }> {
  const [row] = await em.execute<{ method: string; store_id: number; last_trans_id: string | null }[]>(
    `select p.method, o.store_id, p.last_trans_id from sale_return r join sales_order o on o.entity_id = r.order_id
     join sales_order_payment p on p.order_id = o.entity_id where r.return_id = ?`,
    [returnId],
  );
  return {
    paymentMethod: row?.method ?? '',
    storeId: row?.store_id ?? 0,
    paymentReference: row?.last_trans_id ?? null,
  };
}
