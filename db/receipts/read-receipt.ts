import type { EntityManager } from '@mikro-orm/postgresql';
import { noReceiptWithNumber, receiptNotFound } from '../../domain/refusals/register.ts';
import { freshReads } from '../support/fresh-reads.ts';
import { inOneSnapshot } from '../support/one-snapshot.ts';
import { listedOf } from '../support/rows.ts';
import { Receipt, ReceiptItem } from './receipt.entity.ts';
import type { WholeReceipt } from './receipt.repository.ts';

/** One receipt with its lines. Refused with: 404 unknown id (spec 4.9). */
export const findWholeReceipt = (em: EntityManager, receiptId: number): Promise<WholeReceipt> =>
  inOneSnapshot(em, async (tx) => {
    const receipt = await tx.findOne(Receipt, { receiptId });
    if (!receipt) throw receiptNotFound([receiptId]);
    return withItems(tx, receipt);
  });

/**
 * The receipt of an order, the newest where there are several (spec 4.9), and how many there are.
 *
 * Refused with: 404 unknown order number.
 */
export const findReceiptOfOrder = (em: EntityManager, incrementId: string): Promise<WholeReceipt & { count: number }> =>
  inOneSnapshot(em, async (tx) => {
    const [receipts, count] = await tx.findAndCount(
      Receipt,
      { orderIncrementId: incrementId },
      { orderBy: { receiptId: 'desc' }, limit: 1 },
    );
    const [receipt] = receipts;
    if (!receipt) throw noReceiptWithNumber([incrementId]);
    return { ...(await withItems(tx, receipt)), count };
  });

async function withItems(em: EntityManager, receipt: Receipt): Promise<WholeReceipt> {
  const items = await freshReads(em).find(
    ReceiptItem,
    { receipt: receipt.receiptId },
    { orderBy: { receiptItemId: 'asc' } },
  );
  return {
    receipt: listedOf(Receipt, receipt),
    items: items.map((item) => ({ ...listedOf(ReceiptItem, item), receipt_id: receipt.receiptId })),
  };
}
