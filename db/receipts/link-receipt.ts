import type { EntityManager } from '@mikro-orm/postgresql';
import { orNull, text } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';
import { noteLostLink } from './link-lost-receipts.ts';

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
    const failure = await failureOf(em, { incrementId, posSaleId });
    if (failure === null) return;
    complaints.warn({ orderId, error: failure }, 'the receipt of an order could not be linked yet');
    await leaveToSweep(em, orderId, complaints);
  };

/** What PostgreSQL undid by itself, or why the statement was not even begun; null: the receipt is linked, if there is one. */
async function failureOf(em: EntityManager, sale: { incrementId: string; posSaleId: string }): Promise<unknown> {
  try {
    return (await link.first(em, sale))?.failure ?? null;
  } catch (error) {
    return error;
  }
}

/** Noted in the order's own transaction. If even this fails, `pos verify` names the order (I-20b). */
async function leaveToSweep(em: EntityManager, orderId: number, complaints: Complaints): Promise<void> {
  try {
    await em.transactional((tx) => noteLostLink(tx, orderId));
  } catch (error) {
    complaints.warn({ orderId, error }, 'the receipt of an order is not linked, and nobody will');
  }
}

/** Takes the lock of the sale, as `lockSale` does. A failure within is undone alone: no savepoint is needed. */
const link = statement({
  takes: { incrementId: text, posSaleId: text },
  gives: { failure: orNull(text) },
  text: 'select pos_link_receipt($posSaleId, $incrementId) as failure',
});
