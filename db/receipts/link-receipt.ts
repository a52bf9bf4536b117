import type { EntityManager } from '@mikro-orm/postgresql';
import { Order } from '../platform/orders/order.entity.ts';
import { text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement } from '../support/statement.ts';
import { noteLostLink } from './link-lost-receipts.ts';
import { lockSale } from './lock-sale.ts';

/** An order as far as its receipt is concerned. */
export interface PlacedOrder {
  orderId: number;
  incrementId: string;
  posSaleId: string | null;
}

/** Where a failure is told. */
export interface Complaints {
  warn(facts: Record<string, unknown>, message: string): void;
}

/**
 * Makes what runs when an order is saved: writes the order's number on the receipt of its sale (spec 4.9, 6.5).
 *
 * Safe to repeat: only a number that is missing is written. Never throws: a failure, a lock that was waited for too long
 * too, is undone on its own, logged, and leaves the order alone; the sweep links what it left. Orders without a sale id
 * are skipped.
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

/** With the order, or not at all: where even this cannot be written, `pos verify` names the order (I-20b). */
async function leaveToSweep(em: EntityManager, orderId: number, complaints: Complaints): Promise<void> {
  try {
    await em.transactional((tx) => noteLostLink(tx, orderId));
  } catch (error) {
    complaints.warn({ orderId, error }, 'the receipt of an order is not linked, and nobody will');
  }
}

/** The number of the order that a sale is, once it is one. */
export async function findOrderOfSale(em: EntityManager, saleId: string): Promise<string | undefined> {
  return (await findOrder.first(em, { saleId }))?.incrementId;
}

const link = statement({
  takes: { incrementId: text, posSaleId: text },
  text: `
    update pos_receipt set order_increment_id = $incrementId, updated_at = now()
    where pos_order_id = $posSaleId and order_increment_id is null`,
});

const findOrder = statement({
  takes: { saleId: text },
  gives: of(Order, 'incrementId'),
  text: 'select increment_id from sales_order where pos_sale_id = $saleId',
});
