import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { flag, integer, orNull, surely, text } from '../../support/kinds.ts';
import { refuseTaken } from '../../support/refuse-taken.ts';
import { statement } from '../../support/statement.ts';

export interface DocumentNumbers {
  entityId: number;
  /** The number that people read: `000000123`. */
  incrementId: string;
}

/** So many numbers in a row may have been given by callers before the next one is drawn. */
const mostTaken = 1_000;

const taken = () => invalid('Unique constraint violation found');

/**
 * Makes the function that draws the id and the increment id of a store's new document. Drawing them first lets one
 * statement write the document with its lines. A transaction that is rolled back leaves a gap; a number is never used
 * twice. A caller's own number is kept; numbers that callers gave are not drawn again.
 *
 * The function refuses with 400 a caller's number that another document of the store has. Of two at once only
 * `withOwnNumber` can tell.
 *
 * @param document its name for `next_increment_id`, and the end of its table's name
 */
export function drawsNumbers(
  document: 'invoice' | 'creditmemo' | 'shipment',
): (em: EntityManager, storeId: number, incrementId?: string) => Promise<DocumentNumbers> {
  const table = `sales_${document}`;
  const draw = statement({
    takes: { storeId: integer, incrementId: orNull(text) },
    gives: { entityId: surely(integer), incrementId: surely(text), isTaken: surely(flag) },
    text: `
      with drawn as materialized (
        select nextval('${table}_entity_id_seq')::int as entity_id,
          coalesce($incrementId::text, next_increment_id('${document}', $storeId)) as increment_id)
      select d.entity_id, d.increment_id,
        exists(select from ${table} t where t.increment_id = d.increment_id and t.store_id = $storeId) as is_taken
      from drawn d`,
  });
  return async (em, storeId, incrementId) => {
    for (let tries = 0; tries < mostTaken; tries++) {
      const drawn = await draw.first(em, { storeId, incrementId: incrementId ?? null });
      if (!drawn) throw new Error(`no numbers for a ${document}`);
      if (!drawn.isTaken) return { entityId: drawn.entityId, incrementId: drawn.incrementId };
      if (incrementId !== undefined) throw taken();
    }
    throw new Error(`${mostTaken} numbers of a ${document} are taken`);
  };
}

/** Refused with 400: the number that a caller gave to a document was given to another one at this moment. */
export const withOwnNumber = <Result>(incrementId: string | undefined, work: () => Promise<Result>): Promise<Result> =>
  incrementId === undefined ? work() : refuseTaken(work, taken, 'increment_id_once_per_store');
