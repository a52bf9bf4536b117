import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, surely, text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';

/** Documents that carry a human number of their own. */
export type IncrementedDocument = 'order' | 'invoice' | 'creditmemo' | 'shipment' | 'return';

/** The next human number of a document in a store: `000000123`. A rolled-back transaction leaves a gap, never a repeat. */
export async function nextIncrementId(
  em: EntityManager,
  document: IncrementedDocument,
  storeId: number,
): Promise<string> {
  const drawn = await draw.first(em, { document, storeId });
  if (!drawn) throw new Error(`no increment id for a ${document}`);
  return drawn.incrementId;
}

const draw = statement({
  takes: { document: text, storeId: integer },
  gives: { incrementId: surely(text) },
  text: 'select next_increment_id($document, $storeId) as increment_id',
});
