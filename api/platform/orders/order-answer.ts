import { z } from 'zod';
import { addressTexts } from '../../../db/platform/orders/order-address.entity.ts';
import { columnOf, orderColumns } from '../../../db/platform/orders/order-fields.ts';
import { orderItemMoney } from '../../../db/platform/orders/order-item.entity.ts';
import { paymentMoney } from '../../../db/platform/orders/order-payment.entity.ts';
import { basePrefixed } from '../../../db/support/columns.ts';

/**
 * The form of orders in answers (platform facts 5.2). Nulls are left out, except where the platform always shows
 * them.
 */

type Shape = Record<string, z.ZodType>;

const each = (names: readonly string[], schema: z.ZodType): Shape =>
  Object.fromEntries(names.map((name) => [name, schema]));
const bit = z.literal([0, 1]);
const inBoth = (names: readonly string[]) => [...names, ...basePrefixed(...names)].map(columnOf);

const itemShape: Shape = {
  ...each(['item_id', 'order_id'], z.int()),
  ...each(['product_id', 'parent_item_id', 'store_id', 'quote_item_id'], z.int().optional()),
  ...each(['no_discount', 'free_shipping'], z.int()),
  ...each(['locked_do_invoice', 'locked_do_ship'], z.int().optional()),
  ...each(['is_virtual', 'is_qty_decimal'], bit),
  ...each(['sku', 'product_type', 'created_at', 'updated_at'], z.string()),
  ...each(['name', 'description', 'applied_rule_ids', 'additional_data', 'weee_tax_applied'], z.string().optional()),
  ...each(
    ['ordered', 'invoiced', 'shipped', 'refunded', 'canceled', 'backordered', 'returned'].map((what) => `qty_${what}`),
    z.number(),
  ),
  ...each(inBoth(orderItemMoney), z.number()),
  ...each(inBoth(['priceInclTax', 'rowTotalInclTax', 'cost']), z.number().optional()),
  row_weight: z.number(),
  ...each(['weight', 'tax_percent', 'discount_percent'], z.number().optional()),
  ...each(['weee_tax_applied_row_amount', 'base_weee_tax_applied_row_amnt'], z.number()),
  product_option: z.looseObject({}).optional(),
};

const addressShape: Shape = {
  ...each(addressTexts.map(columnOf), z.string().optional()),
  ...each(['region_id', 'customer_id', 'customer_address_id'], z.int().optional()),
  entity_id: z.int(),
  address_type: z.enum(['billing', 'shipping']),
  street: z.array(z.string()),
};

const paymentShape: Shape = {
  ...each(inBoth(paymentMoney), z.number()),
  ...each(['last_trans_id', 'po_number', 'cc_type', 'cc_owner', 'cc_trans_id'], z.string().optional()),
  method: z.string(),
  entity_id: z.int(),
};

const commentShape: Shape = {
  ...each(['entity_id', 'parent_id', 'is_visible_on_front'], z.int()),
  ...each(['created_at', 'entity_name'], z.string()),
};

/** Columns that are copied unchanged. */
export const itemColumns = Object.keys(itemShape);
export const addressColumns = Object.keys(addressShape);
export const paymentColumns = Object.keys(paymentShape);
export const commentColumns = Object.keys(commentShape);

export const itemAnswer = z
  .strictObject({ ...itemShape, extension_attributes: z.looseObject({}).optional() })
  .meta({ id: 'OrderItem' });

const wholeAddress: Shape = { ...addressShape, parent_id: z.int() };
export const addressAnswer = z.strictObject(wholeAddress).meta({ id: 'OrderAddress' });

const paymentAnswer = z
  .strictObject({
    ...paymentShape,
    ...each(['account_status', 'cc_last4'], z.string().nullable()),
    parent_id: z.int(),
    additional_information: z.array(z.string()),
  })
  .meta({ id: 'OrderPayment' });

const wholeComment: Shape = {
  ...commentShape,
  ...each(['comment', 'status'], z.string().nullable()),
  is_customer_notified: z.int().nullable(),
};
export const orderCommentAnswer = z.strictObject(wholeComment).meta({ id: 'OrderComment' });

const shippingAssignment = z
  .strictObject({
    shipping: z.strictObject({
      address: addressAnswer.optional(),
      method: z.string().optional(),
      total: z.record(z.string(), z.number()),
    }),
    items: z.array(itemAnswer),
  })
  .meta({ id: 'ShippingAssignment' });

/** Credit that was spent with the order; of a gift card's code only the last four. */
const appliedCredit = z
  .strictObject({
    ...each(['kind', 'provider_code', 'applies_as', 'direction'], z.string()),
    ...each(['base_amount', 'amount'], z.number()),
    points: z.int().optional(),
    code: z.string().optional(),
  })
  .meta({ id: 'AppliedCredit' });

/** Beside these, whatever was posted of the platform's own, such as applied taxes. */
const extensionAnswer = z
  .looseObject({
    shipping_assignments: z.array(shippingAssignment),
    payment_additional_info: z.array(z.strictObject({ key: z.string(), value: z.string() })).optional(),
    ...each(['pos_sale_id', 'pos_layaway_status', 'pos_layaway_expires_at'], z.string().optional()),
    ...each(['pos_credit_due', 'pos_layaway_deposit_amount', 'pos_layaway_balance_owed'], z.number().optional()),
    pos_layaway_initial_payment_method: z.string().optional(),
    pos_applied_credits: z.array(appliedCredit).optional(),
  })
  .meta({ id: 'OrderExtension' });

const always = ['entity_id', 'store_id', 'total_item_count', 'customer_note_notify'];

const orderShape: Shape = {
  ...each(orderColumns.integer, z.int().optional()),
  ...each(always, z.int()),
  ...each(orderColumns.boolean, bit),
  ...each(orderColumns.code, z.string()),
  ...each(orderColumns.timestamp, z.string()),
  ...each(orderColumns.decimal, z.number().optional()),
  ...each(orderColumns.text, z.string().optional()),
  ...each(['grand_total', 'base_grand_total'], z.number()),
  customer_email: z.string().nullable(),
  items: z.array(itemAnswer),
  billing_address: addressAnswer.optional(),
  payment: paymentAnswer.optional(),
  status_histories: z.array(orderCommentAnswer),
  extension_attributes: extensionAnswer,
};

export const orderAnswer = z.strictObject(orderShape).meta({ id: 'Order' });
