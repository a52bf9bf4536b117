import type { BenchRequest, Scenario } from '../scenario.ts';
import { firstIds } from '../shop.ts';
import { orderOf } from './create-order.ts';

/** No other kind of id has this value, so a replay can find sales among all ids. */
const firstSale = 920_000_001;
const saleId = (sale: number) => `sale-${sale}`;

const receiptOf = (sale: number) => ({
  sale_id: saleId(sale),
  terminal_id: firstIds.pos_terminal,
  location_id: firstIds.pos_location,
  staff_name: 'Ada',
  payment_method: 'cash',
  subtotal: 30,
  tax_amount: 2.4,
  discount_amount: 0,
  grand_total: 32.4,
  currency: 'USD',
  created_at: '2026-11-21 10:00:00',
  amount_tendered: 40,
  change_due: 7.6,
  items: [1, 2, 3].map((line) => ({
    sku: `SKU-0000${line}`,
    name: `Product number ${line}`,
    qty: 1,
    price: 10,
    row_total: 10,
  })),
});

const post = (path: string, body: object): BenchRequest => ({ method: 'POST', path, body });

/** What a register does for every sale: receipt, order, invoice and shipment. Four requests, one after the other. */
export const saleChain: Scenario = {
  name: 'sale: receipt, order, invoice, shipment',
  loads: [
    { connections: 1, atLeast: null, atMost: 1.5 },
    { connections: 8, atLeast: null, atMost: 1.5 },
  ],
  async prepare({ execute }) {
    await execute(
      `with license as (insert into pos_license (license_type) values ('pro') returning license_id)
       update pos_terminal set license_id = license.license_id from license where terminal_id = ${firstIds.pos_terminal}`,
    );
  },
  request: (sale) => post('/V1/pos/receipts', { receipt: receiptOf(sale) }),
  next(sale, [_receipt, order, invoice, shipment]) {
    if (order === undefined) return post('/V1/orders', { entity: orderOf(saleId(sale)) });
    const orderId: unknown = Reflect.get(Object(order), 'entity_id');
    if (invoice === undefined) return post(`/V1/order/${String(orderId)}/invoice`, { capture: true });
    const from = { arguments: { extension_attributes: { source_code: 'floor' } } };
    return shipment === undefined ? post(`/V1/order/${String(orderId)}/ship`, from) : undefined;
  },
  subjectOf: (n) => firstSale + n,
  edit: (recorded, sale) =>
    recorded.map(({ text, values, rows }) => ({
      text: withOwnToken(text, sale),
      values: values.map((value) => (typeof value === 'string' ? withOwnToken(value, sale) : value)),
      rows,
    })),
};

/** The token of a receipt's page is random and unique, so a replay makes it from the sale. */
const withOwnToken = (text: string, sale: number) => text.replaceAll(/\b[0-9a-f]{64}\b/g, `${sale}`.padStart(64, 'f'));
