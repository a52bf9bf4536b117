import { fixedTaxSums } from '../domain/platform/carts/shop-choices.ts';
import { negate, toWire, inBoth } from '../domain/money.ts';
import type { Step } from './jobs.ts';
import { receiptOf } from './receipt.ts';
import { mainTender, modelOf, type SaleModel } from './sale-model.ts';
import type { Address, Payment, Place, Sale } from './selling.ts';
import type { Sent } from './shapes.ts';
import { ratedOf, sumOf, written, type SaleLine, type SaleTotals } from './totals.ts';

export type { Address, AppliedCredit, Buyer, Payment, Place, Sale, SplitPayment } from './selling.ts';

/** What the answers of a sale's requests told. */
export interface Sold {
  saleId: string;
  orderId: number;
  /** The number that people read. */
  number: string;
  itemIds: number[];
  receiptId: number;
  receiptToken: string;
  grandTotal: number;
}

export const cash = { method: 'cashondelivery', label: 'cash' } as const satisfies Payment;

const answerOfOrder = 'fields=entity_id,increment_id,grand_total,total_due,items[item_id]';

/** The four requests of a sale, in the guide's order: receipt, order, invoice, shipment. */
export function stepsOfSale(place: Place, sale: Sale & { saleId: string }): Step[] {
  const { saleId } = sale;
  const model = modelOf(place, sale);
  return [
    receiptStep(saleId, receiptOf(model)),
    orderStep(model),
    ...(sale.creditDue === undefined
      ? [step(saleId, 'invoice', '/V1/order/{orderId}/invoice', { body: { capture: true }, keeps: { invoiceId: '' } })]
      : []),
    ...(sale.isHandedOverLater
      ? []
      : [step(saleId, 'shipment', '/V1/order/{orderId}/ship', { body: {}, keeps: { shipmentId: '' } })]),
  ];
}

export const receiptStep = (id: string, receipt: Partial<Sent<'Receipt'>>, fills?: Step['fills']): Step => ({
  ...step(id, 'receipt', '/V1/pos/receipts?fields=receipt_id,receipt_token', {
    body: { receipt },
    keeps: { receiptId: 'receipt_id', receiptToken: 'receipt_token' },
  }),
  ...(fills === undefined ? {} : { fills }),
});

/** The request that places the order of a sale. */
export function orderStep(model: SaleModel): Step {
  return step(model.saleId, 'order', `/V1/orders?${answerOfOrder}`, {
    body: { entity: orderOf(model) },
    keeps: {
      ...{ orderId: 'entity_id', number: 'increment_id', grandTotal: 'grand_total' },
      ...Object.fromEntries(model.sale.lines.map((_, at) => [`item${at}`, `items.${at}.item_id`])),
    },
  });
}

/** A request with a key of its own, made from the id of what it belongs to: also a lost queue makes the same one. */
export function step(
  id: string,
  name: string,
  path: string,
  { body, keeps = {}, method = 'POST' }: { body: unknown; keeps?: Step['keeps']; method?: Step['method'] },
): Step {
  return { name, method, path, body: JSON.stringify(body), key: `${id}-${name}`, keeps };
}

/** The sale as its answers tell it. */
export const soldOf = (saleId: string, kept: Readonly<Record<string, string | number>>): Sold => ({
  saleId,
  orderId: Number(kept['orderId']),
  number: String(kept['number']),
  itemIds: Object.keys(kept).flatMap((key) => (/^item\d+$/.test(key) ? [Number(kept[key])] : [])),
  receiptId: Number(kept['receiptId'] ?? 0),
  receiptToken: String(kept['receiptToken'] ?? ''),
  grandTotal: Number(kept['grandTotal']),
});

function orderOf(model: SaleModel) {
  const { place, sale, totals, layaway } = model;
  const { buyer, credits = [] } = sale;
  const main = mainTender(model);
  const state = layaway === undefined ? ('new' as const) : ('pending_payment' as const);
  const rated = ratedOf(place.money);
  const each = (key: 'subtotal' | 'taxAmount' | 'grandTotal' | 'subtotalInclTax' | 'shippingAmount') =>
    inBoth((currency) => totals[currency][key]);
  const grandTotal = each('grandTotal');
  return {
    state,
    status: state === 'new' ? 'pending' : state,
    store_id: place.storeId,
    base_currency_code: rated.baseCurrencyCode,
    order_currency_code: rated.orderCurrencyCode,
    store_currency_code: rated.orderCurrencyCode,
    global_currency_code: rated.baseCurrencyCode,
    base_to_order_rate: Number(rated.baseToOrderRate),
    customer_is_guest: buyer?.id === undefined ? 1 : 0,
    ...(buyer?.id === undefined ? {} : { customer_id: buyer.id }),
    customer_email: buyer?.email ?? place.guestEmail ?? walkIn,
    ...written({
      subtotal: each('subtotal'),
      subtotal_incl_tax: each('subtotalInclTax'),
      tax_amount: each('taxAmount'),
      shipping_amount: each('shippingAmount'),
      grand_total: grandTotal,
      // The platform counts an order's discount as negative, a line's as positive.
      discount_amount: inBoth((currency) => negate(totals[currency].discountAmount)),
    }),
    total_qty_ordered: sumOf(...sale.lines.map(({ qty }) => qty)),
    items: sale.lines.map((line, at) => lineOf(line, at, totals)),
    billing_address: addressOf(buyer?.address ?? place.address),
    payment: {
      method: main.payment.method,
      // A layaway is paid by payments of its own; their card is known by their reference.
      ...written({ amount_ordered: layaway === undefined ? main.amount : grandTotal }),
      ...(main.payment.transactionId === undefined ? {} : { last_trans_id: main.payment.transactionId }),
    },
    extension_attributes: {
      pos_sale_id: model.saleId,
      ...(credits.length === 0 ? {} : { pos_applied_credits: [...credits] }),
      ...(sale.creditDue === undefined ? {} : { pos_credit_due: sale.creditDue }),
      ...(layaway === undefined ? {} : { pos_layaway_status: 'open' as const }),
      ...(layaway?.expiresAt === undefined ? {} : { pos_layaway_expires_at: layaway.expiresAt.toISOString() }),
    },
  } satisfies Omit<Sent<'SaleRequest'>, 'extension_attributes'> & { extension_attributes: { pos_sale_id: string } };
}

const walkIn = 'walk-in@example.com';

function lineOf(line: SaleLine, at: number, totals: SaleTotals) {
  const inEach = (of: (figures: (typeof totals.base.lines)[number]) => number) =>
    inBoth((currency) => {
      const figures = totals[currency].lines[at];
      if (!figures) throw new RangeError(`There is no line ${at}.`);
      return of(figures) as ReturnType<typeof negate>;
    });
  const row = inEach(({ fixedTaxes }) => fixedTaxSums(fixedTaxes).rowAmount);
  return {
    sku: line.sku,
    name: line.name,
    ...(line.productId === undefined ? {} : { product_id: line.productId }),
    product_type: line.productType ?? 'simple',
    ...(line.productOption === undefined ? {} : { product_option: line.productOption }),
    qty_ordered: line.qty,
    tax_percent: line.taxPercent ?? 0,
    ...written({
      price: inEach(({ price }) => price),
      original_price: inEach(({ price }) => price),
      price_incl_tax: inEach(({ priceInclTax }) => priceInclTax),
      row_total: inEach(({ rowTotal }) => rowTotal),
      row_total_incl_tax: inEach(({ rowTotalInclTax }) => rowTotalInclTax),
      tax_amount: inEach(({ taxAmount }) => taxAmount),
      discount_amount: inEach(({ discountAmount }) => discountAmount),
      weee_tax_applied_amount: inEach(({ fixedTaxes }) => fixedTaxSums(fixedTaxes).amount),
    }),
    weee_tax_applied_row_amount: toWire(row.order),
    base_weee_tax_applied_row_amnt: toWire(row.base),
  };
}

const addressOf = ({ countryId, firstname = 'Walk-in', lastname = 'Customer', street, ...more }: Address) => ({
  ...more,
  firstname,
  lastname,
  street: [...street],
  country_id: countryId,
});
