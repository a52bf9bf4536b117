import type { EntityManager } from '@mikro-orm/postgresql';

/** Documents that carry a human number of their own. */
export type IncrementedDocument = 'order' | 'invoice' | 'creditmemo' | 'shipment' | 'return';

/** The next human number of a document in a store: `000000123`. A rolled-back transaction leaves a gap, never a repeat. */
export async function nextIncrementId(
  em: EntityManager,
  document: IncrementedDocument,
  storeId: number,
): Promise<string> {
  const [row] = await em.execute<{ id: string }[]>('select next_increment_id(?, ?) as id', [document, storeId]);
  if (!row) throw new Error(`no increment id for a ${document}`);
  return row.id;
}
