import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, surely, text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';

export interface DocumentNumbers {
  entityId: number;
  /** The number that people read: `000000123`. */
  incrementId: string;
}

/**
 * Makes the function that draws the id and the increment id of a store's new document. Drawing them first lets one
 * statement write the document with its lines. A transaction that is rolled back leaves a gap; a number is never used
 * twice.
 *
 * @param document its name for `next_increment_id`
 * @param sequence the sequence of the table's ids
 */
export function drawsNumbers(
  document: 'invoice' | 'creditmemo' | 'shipment',
  sequence: string,
): (em: EntityManager, storeId: number) => Promise<DocumentNumbers> {
  const draw = statement({
    takes: { storeId: integer },
    gives: { entityId: surely(integer), incrementId: surely(text) },
    text: `
      select nextval('${sequence}')::int as entity_id, next_increment_id('${document}', $storeId) as increment_id`,
  });
  return async (em, storeId) => {
    const drawn = await draw.first(em, { storeId });
    if (!drawn) throw new Error(`no numbers for a ${document}`);
    return drawn;
  };
}
