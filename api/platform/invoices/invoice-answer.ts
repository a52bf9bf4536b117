import { z } from 'zod';
import { invoiceItemMoneyColumns, invoiceMoneyColumns } from '../../../db/platform/invoices/invoice-fields.ts';
import { documentCommentAnswer } from '../../wire/document-comment.ts';

/** The form of invoices in answers (platform facts 6). */

type Shape = Record<string, z.ZodType>;

const each = (names: readonly string[], schema: z.ZodType): Shape =>
  Object.fromEntries(names.map((name) => [name, schema]));

const itemShape: Shape = {
  ...each(['entity_id', 'parent_id', 'order_item_id'], z.int()),
  product_id: z.int().optional(),
  sku: z.string(),
  name: z.string().optional(),
  qty: z.number(),
  ...each(invoiceItemMoneyColumns, z.number()),
};

const ownShape: Shape = {
  ...each(['entity_id', 'order_id', 'store_id', 'state'], z.int()),
  ...each(['increment_id', 'created_at', 'updated_at'], z.string()),
  ...each([...invoiceMoneyColumns, 'base_total_refunded', 'total_qty'], z.number()),
  transaction_id: z.string().optional(),
  is_used_for_refund: z.literal([0, 1]),
  email_sent: z.int().optional(),
};

const orderShape: Shape = {
  ...each(['base_currency_code', 'global_currency_code', 'order_currency_code', 'store_currency_code'], z.string()),
  ...each(['base_to_global_rate', 'base_to_order_rate', 'store_to_base_rate', 'store_to_order_rate'], z.number()),
  ...each(['billing_address_id', 'shipping_address_id'], z.int().optional()),
};

/** Columns that are copied unchanged. */
export const invoiceItemColumns = Object.keys(itemShape);
export const invoiceColumns = Object.keys(ownShape);
export const invoiceOrderColumns = Object.keys(orderShape);

const wholeShape: Shape = {
  ...ownShape,
  ...orderShape,
  can_void_flag: z.int(),
  items: z.array(z.strictObject(itemShape)),
  comments: z.array(documentCommentAnswer),
};

export const invoiceAnswer = z.strictObject(wholeShape).meta({ id: 'Invoice' });
