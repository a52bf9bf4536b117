import { orderColumns, orderExtensionColumns } from '../../../db/platform/orders/order-fields.ts';
import type { OrderSheet } from '../../../db/platform/orders/read-orders.ts';
import type { SheetRow } from '../../../db/platform/orders/sheet-row.ts';
import { informationText } from '../../wire/plain-text.ts';
import { renderRow } from '../../wire/render-row.ts';
import { addressColumns, commentColumns, itemColumns, paymentColumns } from './order-answer.ts';

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
