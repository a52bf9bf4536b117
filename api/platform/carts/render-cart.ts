import type { z } from 'zod';
import type { PricedCart } from '../../../db/platform/carts/price-cart.ts';
import { none, plus, quantityToWire } from '../../../domain/money/quantity.ts';
import { toStockDate } from '../../wire/stock-date.ts';
import { renderCartAddress } from './cart-address-answer.ts';
import type { cartAnswer } from './cart-answer.ts';
import { renderCartItems } from './cart-item-answer.ts';

/** The only tax class of customers (platform facts 8). */
const customerTaxClassId = 3;

/** A cart with the platform's keys; without an order its order id is 0. */
export function renderCart(priced: PricedCart): z.input<typeof cartAnswer> {
  const { cart } = priced;
  const items = renderCartItems(priced);
  const owner = { customerId: cart.customerId, email: cart.customer.email };
  return {
    id: cart.quoteId,
    created_at: toStockDate(cart.createdAt),
    updated_at: toStockDate(cart.updatedAt),
    is_active: cart.isActive,
    is_virtual: cart.isVirtual,
    items,
    items_count: items.length,
    items_qty: quantityToWire(plus(none, ...cart.lines.map((line) => line.qty))),
    customer: {
      ...(cart.customerId === null ? {} : { id: cart.customerId }),
      group_id: cart.customer.groupId,
      email: cart.customer.email,
      firstname: cart.customer.firstname,
      ...(cart.customer.middlename === null ? {} : { middlename: cart.customer.middlename }),
      lastname: cart.customer.lastname,
      store_id: cart.customer.storeId,
      website_id: cart.websiteId,
    },
    billing_address: renderCartAddress(cart.billing, owner),
    orig_order_id: cart.orderId ?? 0,
    currency: {
      global_currency_code: cart.baseCurrencyCode,
      base_currency_code: cart.baseCurrencyCode,
      store_currency_code: cart.baseCurrencyCode,
      quote_currency_code: cart.currencyCode,
      store_to_base_rate: 1,
      store_to_quote_rate: Number(cart.currencyRate),
      base_to_global_rate: 1,
      base_to_quote_rate: Number(cart.currencyRate),
    },
    customer_is_guest: cart.customerId === null,
    customer_note_notify: true,
    customer_tax_class_id: customerTaxClassId,
    store_id: cart.storeId,
    extension_attributes: {
      shipping_assignments: cart.isVirtual
        ? []
        : [{ shipping: { address: renderCartAddress(cart.shipping, owner), method: cart.shippingMethod }, items }],
    },
  };
}
