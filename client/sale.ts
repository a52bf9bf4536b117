import { fixedTaxSums } from '../domain/platform/carts/shop-choices.ts';
import { negate, toWire, inBoth } from '../domain/money.ts';
import type { Step } from './jobs.ts';
import type { Sent } from './shapes.ts';
import { ratedOf, sumOf, totalsOf, written, type SaleLine, type SaleTotals, type ShopMoney } from './totals.ts';

/** Where and by whom is sold. */
export interface Place {
  terminalId: number;
  locationId: number;
  staffId: number;
  staffName: string;
  /** The store view. Absent: 1. */
  storeId?: number;
  money: ShopMoney;
  /** The shop's own, for customers who give none. */
  address: Address;
}

export interface Address {
  street: readonly string[];
  city: string;
  postcode: string;
  countryId: string;
  telephone: string;
  firstname?: string;
  lastname?: string;
}

export interface Buyer {
  /** Absent: a guest. */
  id?: number;
  email: string;
  address?: Address;
}

export interface Payment {
  /** The platform's word: cash is `cashondelivery`, a card what `magento_method` of the settings says. */
  method: string;
  /** The word on the receipt. Absent: the same. */
  label?: string;
  /** What the customer gave, in cash. */
  tendered?: number;
  /** The card terminal's own id of the payment. */
  transactionId?: string;
}

/** Credit that pays a part: what `credit()` said is there. */
export interface AppliedCredit {
  credit_type: 'store_credit' | 'gift_card' | 'reward_points' | (string & {});
  amount?: number;
  points?: number;
  code?: string;
}

export interface Sale {
  /** Made when the cashier presses the key. Absent: made here. */
  saleId?: string;
  lines: readonly SaleLine[];
  payment: Payment;
  buyer?: Buyer;
  credits?: readonly AppliedCredit[];
  /** Sold on invoice: so much is paid later. The service opens the invoice itself. */
  creditDue?: number;
  /** The goods go out later: no shipment now. */
  isHandedOverLater?: boolean;
}

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
  const totals = totalsOf(sale.lines, place.money);
  return [
    step(saleId, 'receipt', '/V1/pos/receipts?fields=receipt_id,receipt_token', {
      body: { receipt: receiptOf(place, sale, totals) },
      keeps: { receiptId: 'receipt_id', receiptToken: 'receipt_token' },
    }),
    orderStep(place, sale, { totals, attributes: {} }),
    ...(sale.creditDue === undefined
      ? [step(saleId, 'invoice', '/V1/order/{orderId}/invoice', { body: { capture: true }, keeps: { invoiceId: '' } })]
      : []),
    ...(sale.isHandedOverLater
      ? []
      : [step(saleId, 'shipment', '/V1/order/{orderId}/ship', { body: {}, keeps: { shipmentId: '' } })]),
  ];
}

interface OrderTerms {
  totals: SaleTotals;
  attributes: { pos_layaway_status?: 'open'; pos_layaway_expires_at?: string };
  state?: 'new' | 'pending_payment';
}

/** The request that places the order of a sale. */
export function orderStep(place: Place, sale: Sale & { saleId: string }, terms: OrderTerms): Step {
  return step(sale.saleId, 'order', `/V1/orders?${answerOfOrder}`, {
    body: { entity: orderOf(place, sale, terms) },
    keeps: {
      ...{ orderId: 'entity_id', number: 'increment_id', grandTotal: 'grand_total' },
      ...Object.fromEntries(sale.lines.map((_, at) => [`item${at}`, `items.${at}.item_id`])),
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

function orderOf(place: Place, sale: Sale & { saleId: string }, { totals, attributes, state = 'new' }: OrderTerms) {
  const { buyer, payment, credits = [] } = sale;
  const rated = ratedOf(place.money);
  const each = (key: 'subtotal' | 'taxAmount' | 'grandTotal' | 'subtotalInclTax' | 'shippingAmount') =>
    inBoth((currency) => totals[currency][key]);
  const grandTotal = each('grandTotal');
  return {
    state,
    status: state === 'new' ? 'pending' : state,
    store_id: place.storeId ?? 1,
    base_currency_code: rated.baseCurrencyCode,
    order_currency_code: rated.orderCurrencyCode,
    store_currency_code: rated.orderCurrencyCode,
    global_currency_code: rated.baseCurrencyCode,
    base_to_order_rate: Number(rated.baseToOrderRate),
    customer_is_guest: buyer?.id === undefined ? 1 : 0,
    ...(buyer?.id === undefined ? {} : { customer_id: buyer.id }),
    customer_email: buyer?.email ?? walkIn,
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
      method: payment.method,
      ...written({ amount_ordered: grandTotal }),
      ...(payment.transactionId === undefined ? {} : { last_trans_id: payment.transactionId }),
    },
    extension_attributes: {
      pos_sale_id: sale.saleId,
      ...(credits.length === 0 ? {} : { pos_applied_credits: [...credits] }),
      ...(sale.creditDue === undefined ? {} : { pos_credit_due: sale.creditDue }),
      ...attributes,
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

/** What the customer gets in the hand, in the currency that was paid. */
function receiptOf(place: Place, sale: Sale & { saleId: string }, { order: totals }: SaleTotals) {
  const { payment, lines, buyer } = sale;
  return {
    sale_id: sale.saleId,
    terminal_id: place.terminalId,
    location_id: place.locationId,
    staff_id: place.staffId,
    staff_name: place.staffName,
    payment_method: payment.label ?? payment.method,
    subtotal: toWire(totals.subtotal),
    tax_amount: toWire(totals.taxAmount),
    discount_amount: toWire(totals.discountAmount),
    grand_total: toWire(totals.grandTotal),
    currency: place.money.currency,
    ...(payment.tendered === undefined
      ? {}
      : { amount_tendered: payment.tendered, change_due: sumOf(payment.tendered, -toWire(totals.grandTotal)) }),
    ...(payment.transactionId === undefined ? {} : { terminal_payment_id: payment.transactionId }),
    ...(buyer === undefined ? {} : { customer_email: buyer.email }),
    items: lines.map(({ sku, name, qty }, at) => {
      const figures = totals.lines[at];
      return {
        ...{ sku, name, qty },
        ...(figures === undefined
          ? {}
          : {
              price: toWire(figures.price),
              row_total: toWire(figures.rowTotal),
              tax_amount: toWire(figures.taxAmount),
              discount_amount: toWire(figures.discountAmount),
            }),
      };
    }),
  } satisfies Partial<Sent<'Receipt'>>;
}
