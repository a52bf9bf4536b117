import type { TaxPlaceRate } from '../domain/platform/carts/cart-totals.ts';
import { fixedTaxSums } from '../domain/platform/carts/shop-choices.ts';
import { negate, toWire, inBoth } from '../domain/money.ts';
import type { Step } from './jobs.ts';
import { receiptOf } from './receipt.ts';
import { mainTender, modelOf, type SaleModel } from './sale-model.ts';
import type { Sent } from './shapes.ts';
import { ratedOf, sumOf, written, type SaleLine, type SaleTotals, type ShopMoney } from './totals.ts';

/** Where and by whom is sold: `placeOf` makes it of the register's configuration and the cashier's session. */
export interface Place {
  terminalId: number;
  locationId: number;
  staffId: number;
  staffName: string;
  /** The store view of the location: it decides currency, prices and taxes. */
  storeId: number;
  money: ShopMoney;
  /** The store's own, for customers who give none. */
  address: Address;
  /** For guests who give no e-mail. Absent: `walk-in@example.com`. */
  guestEmail?: string;
  /** The tax rates here for a guest; `taxPercentOf` reads them. Absent: each line says its own. */
  taxes?: readonly TaxPlaceRate[];
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

/** One of several ways of paying one sale. */
export interface SplitPayment extends Payment {
  /** Its part, in the customer's currency. */
  amount: number;
}

/** Credit that pays a part: what `credit()` said is there. */
export interface AppliedCredit {
  credit_type: 'store_credit' | 'gift_card' | 'reward_points' | (string & {});
  /** In the customer's currency. */
  amount: number;
  points?: number;
  code?: string;
}

export interface Sale {
  /** Made when the cashier presses the key. Absent: made here. */
  saleId?: string;
  lines: readonly SaleLine[];
  /**
   * How the customer pays what credits leave. Several parts, such as cash and card, each with its amount: together they
   * are what is to be paid. A refund to the card is possible up to the part of the first one with a `transactionId`.
   */
  payment: Payment | readonly SplitPayment[];
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
