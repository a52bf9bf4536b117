import type { EntityManager } from '@mikro-orm/postgresql';
import { noReceiptWithNumber, receiptNotFound } from '../../domain/refusals/register.ts';
import { count, integer, integers, definite, text } from '../support/entity-columns.ts';
import { allListed, asListed } from '../support/rows.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { Receipt, ReceiptItem } from './receipt.entity.ts';

/** A receipt as its table has it: money as decimal text, moments as text, the token sealed. */
export type ReceiptRow = RowFrom<typeof selectReceipt>;
export type ReceiptItemRow = RowFrom<typeof readItems>;

export interface WholeReceipt {
  receipt: ReceiptRow;
  items: ReceiptItemRow[];
}

/** One receipt with its lines. Refused with: 404 unknown id (spec 4.9). */
export async function findReceipt(em: EntityManager, receiptId: number): Promise<WholeReceipt> {
  const receipt = await selectReceipt.first(em, { receiptId });
  if (!receipt) throw receiptNotFound([receiptId]);
  return withItems(em, receipt);
}

/**
 * The receipt of an order, the newest where there are several (spec 4.9), and how many there are.
 *
 * Refused with: 404 unknown order number.
 */
export async function findReceiptOfOrder(
  em: EntityManager,
  incrementId: string,
): Promise<WholeReceipt & { count: number }> {
  const row = await readNewest.first(em, { incrementId });
  if (!row) throw noReceiptWithNumber([incrementId]);
  return { ...(await withItems(em, row)), count: row.receipt_count };
}

/** The lines of several receipts, in one query. */
export const findReceiptItems = async (em: EntityManager, receiptIds: readonly number[]): Promise<ReceiptItemRow[]> =>
  receiptIds.length === 0 ? [] : readItems.all(em, { receiptIds });

const withItems = async (em: EntityManager, receipt: ReceiptRow): Promise<WholeReceipt> => ({
  receipt,
  items: await findReceiptItems(em, [receipt.receipt_id]),
});

const receipt = allListed(Receipt, 'r');

const selectReceipt = statement({
  takes: { receiptId: integer },
  gives: receipt.gives,
  text: `select ${receipt.columns} from pos_receipt r where receipt_id = $receiptId`,
});

const readNewest = statement({
  takes: { incrementId: text },
  gives: { ...receipt.gives, receipt_count: definite(count) },
  text: `
    select ${receipt.columns},
      (select count(*) from pos_receipt where order_increment_id = $incrementId) as receipt_count
    from pos_receipt r where order_increment_id = $incrementId order by receipt_id desc limit 1`,
});

const readItems = statement({
  takes: { receiptIds: integers },
  gives: {
    receipt_id: integer,
    ...asListed(ReceiptItem, 'sku', 'name', 'qty', 'price', 'rowTotal', 'taxAmount', 'discountAmount', 'baseUnitPrice'),
    ...asListed(ReceiptItem, 'fulfillmentMode'),
  },
  text: `
    select receipt_id, sku, name, qty, price, row_total, tax_amount, discount_amount, base_unit_price, fulfillment_mode
    from pos_receipt_item where receipt_id = any($receiptIds::bigint[]) order by receipt_item_id`,
});
