import type { EntityManager } from '@mikro-orm/postgresql';
import { createCreditSpender } from '../../../db/credits/spend-credits.ts';
import { Product } from '../../../db/platform/catalog/product.entity.ts';
import { createInvoice } from '../../../db/platform/invoices/invoices.ts';
import { createOrder } from '../../../db/platform/place-order.ts';
import type { OrderHook } from '../../../db/platform/orders/saved-order.ts';
import type { PostedColumns, PostedLine, PostedOrder } from '../../../db/platform/orders/posted-order.ts';
import { createShipment } from '../../../db/platform/shipments/shipments.ts';
import { add, money, scale, subtract, zero, quantity, type Amount, type Quantity } from '../../../domain/money.ts';
import { aCent } from '../coins.ts';

export interface WantedOrderLine {
  sku: string;
  /** How many; fractions are fine. */
  qty: number;
  /** Of one. */
  price: string;
  /** Of the whole row. */
  tax?: string;
  /** Of the whole row, positive. */
  discount?: string;
  isVirtual?: boolean;
  isQtyDecimal?: boolean;
}

export interface WantedOrder {
  lines?: readonly WantedOrderLine[];
  method?: string;
  /** Invoice the order, which pays it. */
  paid?: boolean;
  /** Hand everything over. */
  shipped?: boolean;
  storeId?: number;
  /** What a card terminal answered. */
  lastTransId?: string;
  shipping?: string;
  shippingTax?: string;
  customerId?: number;
  customerEmail?: string;
  posSaleId?: string;
  /** Units of the order's currency for one of the base currency. */
  rate?: string;
  currency?: string;
  /** The currency of the books; USD by default. */
  baseCurrency?: string;
  /** The unit to which a register rounds figures: cents by default, 1 for four decimals. */
  step?: number;
  /** Placed as an open layaway: not paid and not shipped. */
  layaway?: boolean;
  /** Other columns to post, in place of the calculated ones. */
  columns?: PostedColumns;
  hooks?: readonly OrderHook[];
  /** Credits to pay with, as a register posts them: `[{ credit_type: 'store_credit', amount: 25 }]`. */
  credits?: readonly object[];
}

/**
 * Places an order through the real transactions. By default it has two mugs at 50 with 8 tax, 108 in all, in USD, by
 * `checkmo`, invoiced and handed over. The shop must exist (`aShop`).
 */
export async function anOrder(em: EntityManager, wanted: WantedOrder = {}) {
  const posted = await aPostedOrder(em, wanted);
  const {
    credits,
    hooks = credits ? [createCreditSpender()] : [],
    layaway = false,
    paid = !layaway,
    shipped = !layaway,
  } = wanted;
  const saved = await createOrder(em, posted, { hooks, now: new Date() });
  const { orderId } = saved;
  const invoiceId = paid ? await createInvoice(em, { orderId }) : undefined;
  const isGoods = !(posted.lines ?? []).every((line) => line.isVirtual);
  const shipmentId = shipped && isGoods ? await createShipment(em, { orderId }) : undefined;
  const items = await em
    .fork()
    .execute<{ item_id: number; sku: string }[]>(
      'select item_id, sku from sales_order_item where order_id = ? order by item_id',
      [orderId],
    );
  return {
    ...saved,
    itemIds: items.map((item) => item.item_id),
    items: items.map((item) => ({ itemId: item.item_id, sku: item.sku })),
    invoiceId,
    shipmentId,
    grandTotal: posted.columns.grandTotal ?? zero,
  };
}

const twoMugs: readonly WantedOrderLine[] = [{ sku: 'MUG', qty: 2, price: '50', tax: '8' }];

/** The same order as a register would post it. */
export async function aPostedOrder(em: EntityManager, wanted: WantedOrder = {}): Promise<PostedOrder> {
  const { lines = twoMugs, method = 'checkmo', storeId = 1, rate = '1' } = wanted;
  const { baseCurrency = 'USD', currency = baseCurrency, step = aCent } = wanted;
  const skus = lines.map((line) => line.sku);
  const products = await em.fork().find(Product, { sku: { $in: skus } });
  const own = lines.map((line) =>
    postedLine(
      line,
      products.find((product) => product.sku === line.sku),
      { rate, step },
    ),
  );
  const shipping = money(wanted.shipping ?? '0');
  const shippingTax = money(wanted.shippingTax ?? '0');
  const columns = totals(own, { shipping, shippingTax, rate, step });
  return {
    columns: {
      ...(wanted.layaway
        ? {
            state: 'pending_payment',
            status: 'pending_payment',
            posLayawayStatus: 'open',
            posLayawayDepositAmount: zero,
          }
        : { state: 'new', status: 'pending' }),
      storeId,
      baseCurrencyCode: baseCurrency,
      globalCurrencyCode: baseCurrency,
      storeCurrencyCode: baseCurrency,
      orderCurrencyCode: currency,
      baseToOrderRate: rate,
      isVirtual: own.every((line) => line.isVirtual),
      customerIsGuest: wanted.customerId === undefined,
      customerEmail: wanted.customerEmail ?? 'ann@example.com',
      customerFirstname: 'Ann',
      customerLastname: 'Lee',
      ...columns,
      ...(wanted.customerId === undefined ? {} : { customerId: wanted.customerId }),
      ...(wanted.posSaleId === undefined ? {} : { posSaleId: wanted.posSaleId }),
      ...wanted.columns,
    },
    lines: own,
    billingAddress: { firstname: 'Ann', lastname: 'Lee', street: ['1 Main St'], city: 'Troy', countryId: 'US' },
    payment: { method, ...(wanted.lastTransId === undefined ? {} : { lastTransId: wanted.lastTransId }) },
    ...(wanted.credits === undefined ? {} : { extras: { posAppliedCredits: wanted.credits } }),
  };
}

interface Converted {
  rate: string;
  /** What figures are rounded to; see `WantedOrder.step`. */
  step: number;
}

const inOwn = (base: Amount, { rate, step }: Converted): Amount =>
  scale(base, Number(rate.replace('.', '')), 10 ** decimals(rate), step);
const decimals = (rate: string) => rate.split('.')[1]?.length ?? 0;

/** Prices are given in the order's base currency; the order's own follows by the rate, to the cent. */
function postedLine(
  line: WantedOrderLine,
  product: Product | undefined,
  to: Converted,
): PostedLine & { qtyOrdered: Quantity } {
  const qtyOrdered = quantity(Math.round(line.qty * 10_000));
  const base = { price: money(line.price), tax: money(line.tax ?? '0'), discount: money(line.discount ?? '0') };
  const own = { price: inOwn(base.price, to), tax: inOwn(base.tax, to), discount: inOwn(base.discount, to) };
  const row = (price: Amount) => scale(price, qtyOrdered, 10_000, to.step);
  return {
    sku: line.sku,
    name: product?.name ?? line.sku,
    productId: product?.entityId ?? null,
    productType: product?.typeId ?? 'simple',
    isVirtual: line.isVirtual ?? product?.typeId === 'virtual',
    isQtyDecimal: line.isQtyDecimal ?? product?.isQtyDecimal ?? false,
    qtyOrdered,
    price: own.price,
    basePrice: base.price,
    originalPrice: own.price,
    baseOriginalPrice: base.price,
    rowTotal: row(own.price),
    baseRowTotal: row(base.price),
    rowTotalInclTax: add(row(own.price), own.tax),
    baseRowTotalInclTax: add(row(base.price), base.tax),
    taxAmount: own.tax,
    baseTaxAmount: base.tax,
    discountAmount: own.discount,
    baseDiscountAmount: base.discount,
  };
}

function totals(
  lines: readonly PostedLine[],
  { shipping, shippingTax, ...to }: { shipping: Amount; shippingTax: Amount } & Converted,
) {
  const sum = (
    key: 'rowTotal' | 'baseRowTotal' | 'taxAmount' | 'baseTaxAmount' | 'discountAmount' | 'baseDiscountAmount',
  ) => add(...lines.map((line) => line[key] ?? zero));
  const own = { shipping: inOwn(shipping, to), shippingTax: inOwn(shippingTax, to) };
  const taxAmount = add(sum('taxAmount'), own.shippingTax);
  const baseTaxAmount = add(sum('baseTaxAmount'), shippingTax);
  return {
    subtotal: sum('rowTotal'),
    baseSubtotal: sum('baseRowTotal'),
    subtotalInclTax: add(sum('rowTotal'), sum('taxAmount')),
    baseSubtotalInclTax: add(sum('baseRowTotal'), sum('baseTaxAmount')),
    taxAmount,
    baseTaxAmount,
    discountAmount: subtract(zero, sum('discountAmount')),
    baseDiscountAmount: subtract(zero, sum('baseDiscountAmount')),
    shippingAmount: own.shipping,
    baseShippingAmount: shipping,
    shippingInclTax: add(own.shipping, own.shippingTax),
    baseShippingInclTax: add(shipping, shippingTax),
    shippingTaxAmount: own.shippingTax,
    baseShippingTaxAmount: shippingTax,
    grandTotal: subtract(add(sum('rowTotal'), taxAmount, own.shipping), sum('discountAmount')),
    baseGrandTotal: subtract(add(sum('baseRowTotal'), baseTaxAmount, shipping), sum('baseDiscountAmount')),
  };
}
