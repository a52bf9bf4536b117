import { z } from 'zod';
import { orderItemMoney, paymentMoney } from '../../../db/platform/orders/order-parts.entity.ts';
import { addressTexts } from '../../../db/platform/orders/order.entity.ts';
import type { SheetRow } from '../../../db/support/sheet-row.ts';
import {
  columnOf,
  orderColumns,
  orderExtensionColumns,
  type OrderSheet,
} from '../../../db/platform/orders/read-order-items.ts';
import { basePrefixed } from '../../../db/support/columns.ts';
import { informationText } from '../../wire/criteria.ts';
import { renderRow } from '../../wire/outcomes.ts';

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
const itemColumns = Object.keys(itemShape);
const addressColumns = Object.keys(addressShape);
const paymentColumns = Object.keys(paymentShape);
const commentColumns = Object.keys(commentShape);

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
    pos_tenders: z
      .array(z.strictObject({ method: z.string(), amount: z.number(), payment_id: z.string().optional() }))
      .optional(),
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

/** Keys of the shipping assignment in answers, not of the order itself. */
const elsewhere: readonly string[] = ['shipping_method', 'shipping_address_id'];
const ownColumns = Object.values(orderColumns)
  .flat()
  .filter((column) => !elsewhere.includes(column));
const extensionColumns = Object.values(orderExtensionColumns).flat();

/** An order in answers (platform facts 5.2). Rows are copied directly, because a list may have hundreds. */
export function renderOrder({ order, items, addresses, payment, comments }: OrderSheet): Record<string, unknown> {
  const renderedItems = items.map(renderOrderItem);
  const address = (type: 'billing' | 'shipping') => {
    const found = addresses.find((one) => one['address_type'] === type);
    return found && renderAddress(found);
  };
  const billing = address('billing');
  return {
    ...renderRow(order, ownColumns),
    customer_email: order['customer_email'],
    customer_note_notify: order['customer_note_notify'] ?? 0,
    items: renderedItems,
    ...(billing ? { billing_address: billing } : {}),
    ...(payment ? { payment: renderPayment(payment) } : {}),
    status_histories: comments.map(renderOrderComment),
    extension_attributes: {
      shipping_assignments: [{ shipping: renderShipping(order, address('shipping')), items: renderedItems }],
      ...renderPaymentInfo(payment?.['additional_information']),
      ...renderRow(order, extensionColumns),
      ...recordOf(order['extension_attributes']),
    },
  };
}

/** Totals after discount, as the platform answers them; stored totals are before it (platform facts 5.2). */
export function renderOrderItem(item: SheetRow): Record<string, unknown> {
  const extension = recordOf(item['extension_attributes']);
  return renderRow(item, itemColumns, {
    // The platform's columns begin at zero; a register need not send them.
    no_discount: item['no_discount'] ?? 0,
    free_shipping: item['free_shipping'] ?? 0,
    row_total: item['net_row_total'],
    base_row_total: item['net_base_row_total'],
    row_total_incl_tax: item['net_row_total_incl_tax'],
    base_row_total_incl_tax: item['net_base_row_total_incl_tax'],
    ...(Object.keys(extension).length > 0 ? { extension_attributes: extension } : {}),
  });
}

export const renderAddress = (address: SheetRow): Record<string, unknown> => ({
  ...renderRow(address, addressColumns),
  parent_id: address['order_id'],
});

const shippingTotals = ['shipping_amount', 'shipping_discount_amount', 'shipping_incl_tax', 'shipping_tax_amount'];
const allShippingTotals = [...shippingTotals, ...shippingTotals.map((column) => `base_${column}`)];

function renderShipping(order: SheetRow, address: Record<string, unknown> | undefined) {
  return {
    ...(address ? { address } : {}),
    ...(typeof order['shipping_method'] === 'string' ? { method: order['shipping_method'] } : {}),
    total: renderRow(order, allShippingTotals),
  };
}

/** Here the additional information loses its keys; `payment_additional_info` has them (platform facts 4.3). */
const renderPayment = (payment: SheetRow) => ({
  ...renderRow(payment, paymentColumns),
  account_status: payment['account_status'],
  cc_last4: payment['cc_last4'],
  additional_information: Object.values(recordOf(payment['additional_information'])).map(informationText),
  parent_id: payment['order_id'],
});

function renderPaymentInfo(information: unknown) {
  const entries = Object.entries(recordOf(information));
  if (entries.length === 0) return {};
  return { payment_additional_info: entries.map(([key, value]) => ({ key, value: informationText(value) })) };
}

/** A comment of the history; absent fields are null here. */
export const renderOrderComment = (comment: SheetRow) => ({
  comment: comment['comment'],
  is_customer_notified: comment['is_customer_notified'],
  status: comment['status'],
  ...renderRow(comment, commentColumns),
});

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};
