import { z } from 'zod';
import {
  creditMemoItemMoneyColumns,
  creditMemoMoneyColumns,
} from '../../../db/platform/credit-memos/credit-memo-fields.ts';
import { eachOf } from '../../wire/each-of.ts';
import { documentCommentAnswer } from '../../wire/document-comment.ts';

/** The form of credit memos in answers (platform facts 7.5). */

type Shape = Record<string, z.ZodType>;

/** The platform abbreviates this one name. */
export const cutColumn = { from: 'base_weee_tax_applied_row_amount', to: 'base_weee_tax_applied_row_amnt' };

const itemShape: Shape = {
  ...eachOf(['entity_id', 'parent_id', 'order_item_id'], z.int()),
  product_id: z.int().optional(),
  sku: z.string(),
  name: z.string().optional(),
  qty: z.number(),
  base_cost: z.number().optional(),
  ...eachOf(
    creditMemoItemMoneyColumns.filter((column) => column !== cutColumn.from),
    z.number(),
  ),
};

const ownShape: Shape = {
  ...eachOf(['entity_id', 'order_id', 'store_id', 'state'], z.int()),
  ...eachOf(['increment_id', 'created_at', 'updated_at'], z.string()),
  ...eachOf(creditMemoMoneyColumns, z.number()),
  invoice_id: z.int().optional(),
  transaction_id: z.string().optional(),
  email_sent: z.int().optional(),
};

const orderShape: Shape = {
  ...eachOf(['base_currency_code', 'global_currency_code', 'order_currency_code', 'store_currency_code'], z.string()),
  ...eachOf(['base_to_global_rate', 'base_to_order_rate', 'store_to_base_rate', 'store_to_order_rate'], z.number()),
  ...eachOf(['billing_address_id', 'shipping_address_id'], z.int().optional()),
};

/** Columns that are copied unchanged. */
export const creditMemoItemColumns = Object.keys(itemShape);
export const creditMemoColumns = Object.keys(ownShape);
export const creditMemoOrderColumns = Object.keys(orderShape);

const wholeShape: Shape = {
  ...ownShape,
  ...orderShape,
  items: z.array(z.strictObject({ ...itemShape, [cutColumn.to]: z.number() })),
  comments: z.array(documentCommentAnswer),
  /** Only of a memo that `POST /V1/creditmemo` wrote down: no money went back with it. */
  extension_attributes: z
    .strictObject({
      pos_moved_money: z.literal(false).describe('Always false: this document was saved, and moved no money.'),
    })
    .optional(),
};

export const creditMemoAnswer = z.strictObject(wholeShape).meta({ id: 'CreditMemo' });
