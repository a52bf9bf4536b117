import { cashMethod } from '../demo-shop/sales.ts';
import type { OpenRegister } from './open-register.ts';
import type { Json, Teller } from './teller.ts';

/** Rounded to cents. */
export const inCents = (amount: number) => Math.round(amount * 100) / 100;

export interface OrderTerms {
  total: number;
  /** The terminal's own id of the payment; null for cash. */
  paymentId: string | null;
  /** The attributes that the register adds to the platform's order. */
  attributes: Record<string, unknown>;
  /** `pending_payment` for a layaway. */
  state?: 'new' | 'pending_payment';
}

/** An order as a register posts it: the server computes nothing, so it contains every figure. */
export function orderBody(
  { register, product, price, qty, payment, customer, entered, fixedTax = 0 }: Selling,
  { total, paymentId, attributes, state = 'new' }: OrderTerms,
) {
  const rowTotal = inCents(price * qty);
  const sums = {
    subtotal: rowTotal,
    subtotal_incl_tax: rowTotal,
    tax_amount: 0,
    discount_amount: 0,
    shipping_amount: 0,
    grand_total: total,
  };
  const line = {
    price,
    original_price: price,
    price_incl_tax: price,
    row_total: rowTotal,
    row_total_incl_tax: rowTotal,
    tax_amount: 0,
    discount_amount: 0,
    weee_tax_applied_amount: fixedTax,
  };
  const fixedTaxRow = inCents(fixedTax * qty);
  return {
    state,
    status: state === 'new' ? 'pending' : state,
    store_id: 1,
    is_virtual: 0,
    base_currency_code: 'USD',
    order_currency_code: 'USD',
    store_currency_code: 'USD',
    global_currency_code: 'USD',
    base_to_order_rate: 1,
    customer_is_guest: customer ? 0 : 1,
    ...(customer ? { customer_id: customer.id } : {}),
    customer_email: customer?.email ?? 'walk-in@example.com',
    ...inBothCurrencies(sums),
    total_qty_ordered: qty,
    items: [
      {
        sku: entered?.sku ?? product.sku,
        name: product.name,
        product_id: product.id,
        product_type: 'simple',
        ...(entered ? { product_option: { extension_attributes: { custom_options: entered.options } } } : {}),
        qty_ordered: qty,
        ...inBothCurrencies(line),
        weee_tax_applied_row_amount: fixedTaxRow,
        base_weee_tax_applied_row_amnt: fixedTaxRow,
      },
    ],
    billing_address: address,
    payment: {
      method: { card: register.cardMethod, invoice: register.invoiceMethod, cash: cashMethod }[payment],
      amount_ordered: total,
      base_amount_ordered: total,
      ...(paymentId === null ? {} : { last_trans_id: paymentId }),
    },
    extension_attributes: {
      ...attributes,
      shipping_assignments: [{ shipping: { address, method: 'flatrate_flatrate' } }],
    },
  };
}

const inBothCurrencies = (money: Record<string, number>) =>
  Object.fromEntries(
    Object.entries(money).flatMap(([name, value]) => [
      [name, value],
      [`base_${name}`, value],
    ]),
  );

const address = {
  firstname: 'Walk-in',
  lastname: 'Customer',
  street: ['1 High Street'],
  city: 'Troy',
  postcode: '12180',
  country_id: 'US',
  telephone: '555',
};

/** A sale of one kind of goods, as the demo wants it. */
export interface Selling {
  register: OpenRegister;
  product: Json;
  /** In the store's currency, per piece; the cents choose what the gateway does with its refund. */
  price: number;
  qty: number;
  payment: 'cash' | 'card' | 'invoice';
  /** What was entered for the product's custom options, and the SKU of such a line. */
  entered?: { sku: string; options: readonly { option_id: string; option_value: string }[] };
  /** A fixed tax for one piece, on top of its price. */
  fixedTax?: number;
  /** The customer; default: a walk-in customer. */
  customer?: Customer;
  /** Credits spent on it as tender; the terminal takes the rest. */
  credits?: readonly { credit_type: string; amount: number; code?: string }[];
}

export interface Customer {
  id: number;
  email: string;
}

/** By e-mail, as a cashier types it. */
export async function findCustomer(teller: Teller, email: string): Promise<Customer> {
  const criteria = new URLSearchParams({
    'searchCriteria[filter_groups][0][filters][0][field]': 'email',
    'searchCriteria[filter_groups][0][filters][0][value]': email,
  });
  const found = await teller.ask({
    method: 'GET',
    path: `/V1/customers/search?${criteria.toString()}`,
    means: ({ items }) => `${items[0].firstname} ${items[0].lastname} is customer ${items[0].id}.`,
  });
  return { id: found.items[0].id, email };
}
