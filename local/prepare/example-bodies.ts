/** For `curl -H @file`: one header a line. */
export const registerHeaders = (token: string) => `Authorization: Bearer ${token}\nContent-Type: application/json\n`;

interface Product {
  entity_id: number;
  sku: string;
  name: string;
  price: number;
}

/** One piece over the counter, paid in cash: the order as a register posts it (platform facts 5.1). */
export const saleBody = ({ entity_id, sku, name, price }: Product) => ({
  entity: {
    store_id: 1,
    state: 'new',
    status: 'pending',
    customer_is_guest: 1,
    customer_email: 'walk-in@example.com',
    base_currency_code: 'USD',
    order_currency_code: 'USD',
    ...inBothCurrencies({ subtotal: price, tax_amount: 0, shipping_amount: 0, discount_amount: 0, grand_total: price }),
    total_qty_ordered: 1,
    items: [
      {
        sku,
        name,
        product_id: entity_id,
        product_type: 'simple',
        qty_ordered: 1,
        ...inBothCurrencies({ price, original_price: price, row_total: price, tax_amount: 0, discount_amount: 0 }),
      },
    ],
    billing_address: address,
    payment: { method: 'cashondelivery', amount_ordered: price, base_amount_ordered: price },
    extension_attributes: { shipping_assignments: [{ shipping: { address, method: 'flatrate_flatrate' } }] },
  },
});

interface TakenBack {
  orderId: number;
  itemId: number;
  method: 'cash' | 'original_payment';
}

/** One piece back (spec 4.8). A repeat is the same return, because its sale has an id. */
export const returnBody = ({ orderId, itemId, method }: TakenBack) => ({
  orderId,
  items: JSON.stringify([
    {
      order_item_id: itemId,
      qty_requested: 1,
      reason: 'Changed mind',
      condition: 'Unopened',
      resolution: 'Refund',
      inspected_condition: 'pristine',
    },
  ]),
  autoApprove: true,
  locationId: 1,
  refundMethod: method,
  posSaleId: `example-return-of-${orderId}`,
});

const address = {
  firstname: 'Walk-in',
  lastname: 'Customer',
  street: ['1 High Street'],
  city: 'Troy',
  postcode: '12180',
  country_id: 'US',
  telephone: '555',
};

const inBothCurrencies = (money: Record<string, number>) =>
  Object.fromEntries(
    Object.entries(money).flatMap(([name, value]) => [
      [name, value],
      [`base_${name}`, value],
    ]),
  );
