import type { EntityManager } from '@mikro-orm/postgresql';
import { text } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';
import { noteLostLink } from './link-lost-receipts.ts';
import { lockSale } from './lock-sale.ts';

/** The fields of an order that link it to its receipt. */
export interface PlacedOrder {
  orderId: number;
  incrementId: string;
  posSaleId: string | null;
}

/** The log that gets failures. */
export interface Complaints {
  warn(facts: Record<string, unknown>, message: string): void;
}

/**
 * Makes the hook that runs when an order is saved. It writes the order's number on the receipt of its sale (spec 4.9,
 * 6.5).
 *
 * Safe to repeat: it writes only a number that is missing. It skips orders without a sale id. It never throws: a
 * failure, or a lock that takes too long, is rolled back alone and logged. The order is saved all the same, and the
 * sweep links the receipt later.
 */
export const createReceiptLinker =
  (complaints: Complaints) =>
  async (em: EntityManager, { orderId, incrementId, posSaleId }: PlacedOrder): Promise<void> => {
    if (!posSaleId) return;
    try {
      // Inside the order's transaction this is a savepoint.
      await em.transactional(async (tx) => {
        await lockSale(tx, posSaleId);
        await link.run(tx, { incrementId, posSaleId });
      });
    } catch (error) {
      complaints.warn({ orderId, error }, 'the receipt of an order could not be linked yet');
      await leaveToSweep(em, orderId, complaints);
    }
  };

/** Noted in the order's own transaction. If even this fails, `pos verify` names the order (I-20b). */
async function leaveToSweep(em: EntityManager, orderId: number, complaints: Complaints): Promise<void> {
  try {
    await em.transactional((tx) => noteLostLink(tx, orderId));
  } catch (error) {
    complaints.warn({ orderId, error }, 'the receipt of an order is not linked, and nobody will');
  }
}

const link = statement({
  takes: { incrementId: text, posSaleId: text },
  text: `
    update pos_receipt set order_increment_id = $incrementId, updated_at = now()
    where pos_order_id = $posSaleId and order_increment_id is null`,
});
