import type { EntityManager } from '@mikro-orm/postgresql';
import { receiptNotFound } from '../../domain/refusals/register.ts';
import { integer } from '../support/entity-columns.ts';
import { allListed, asListed } from '../support/rows.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
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

/** The lines of several receipts, in one query. */
export const findReceiptItems = async (em: EntityManager, receiptIds: readonly number[]): Promise<ReceiptItemRow[]> =>
  receiptIds.length === 0 ? [] : readItems.all(em, { receiptIds });

const withItems = async (em: EntityManager, receipt: ReceiptRow): Promise<WholeReceipt> => ({
  receipt,
  items: await findReceiptItems(em, [receipt.receipt_id]),
});

const receipt = allListed(Receipt, 'r');

const selectReceipt = sql('receipt.repository.selectReceipt', { gives: receipt.gives })`
  select ${receipt.columns} from pos_receipt r where receipt_id = $receiptId`;

const readItems = sql('receipt.repository.readItems', {
  gives: {
    receipt_id: integer,
    ...asListed(ReceiptItem, 'sku', 'name', 'qty', 'price', 'rowTotal', 'taxAmount', 'discountAmount', 'baseUnitPrice'),
    ...asListed(ReceiptItem, 'fulfillmentMode'),
  },
})`
  select receipt_id, sku, name, qty, price, row_total, tax_amount, discount_amount, base_unit_price, fulfillment_mode
  from pos_receipt_item where receipt_id = any($receiptIds::bigint[]) order by receipt_item_id`;
