import type { Product } from '../../db/platform/catalog/product.entity.ts';
import type { Customer } from '../../db/platform/customers/customer.entity.ts';
import type { PostedColumns, PostedLine, PostedOrder } from '../../db/platform/orders/posted-order.ts';
import { add, scale, zero, type Amount } from '../../domain/money/amount.ts';
import { coinOf, type Coin } from '../../domain/money/coins.ts';
import { inBoth } from '../../domain/money/in-both.ts';
import { columnsOfMoney, moneyOf, twins } from '../../domain/money/twins.ts';
import { plus, pieces } from '../../domain/money/quantity.ts';
import type { DemoSale } from './sales.ts';

interface Sale {
  sale: DemoSale;
  products: readonly Product[];
  customer: Customer | undefined;
  now: Date;
}

const layawayDays = 30;
const dayMs = 86_400_000;

/** A demo sale as a register would post it, with every figure in both currencies. */
export function postedSale({ sale, products, customer, now }: Sale): PostedOrder {
  const lines = sale.lines.map((line) => {
    const product = products.find(({ sku }) => sku === line.sku);
    if (!product) throw new Error(`The demo shop does not sell ${line.sku}.`);
    return postedLine(product, sale, line);
  });
  const totals = totalsOf(lines);
  return {
    columns: {
      ...totals,
      ...currenciesOf(sale),
      ...buyerOf(customer),
      ...(sale.layaway ? layawayOf(totals.grandTotal, now) : { state: 'new', status: 'pending' }),
      storeId: sale.storeId,
      extOrderId: sale.id,
      isVirtual: lines.every((line) => line.isVirtual),
    },
    lines,
    billingAddress: addressOf(customer),
    payment: {
      method: sale.method,
      amountOrdered: totals.grandTotal,
      baseAmountOrdered: totals.baseGrandTotal,
      ...(sale.lastTransId === undefined ? {} : { lastTransId: sale.lastTransId }),
    },
    comments: [{ comment: 'Sold in the demo shop.', status: sale.layaway ? 'pending_payment' : 'pending' }],
  };
}

function postedLine(product: Product, sale: DemoSale, line: DemoSale['lines'][number]) {
  const percent = line.taxPercent ?? sale.taxPercent;
  const base = figuresOf(product.price, { qty: line.qty, percent, coin: coinOf(sale.currency.base) });
  const own = figuresOf(inOwn(product.price, sale), { qty: line.qty, percent, coin: coinOf(sale.currency.own) });
  return {
    sku: product.sku,
    name: product.name,
    productId: product.entityId,
    productType: product.typeId,
    isVirtual: product.typeId === 'virtual',
    storeId: sale.storeId,
    qtyOrdered: pieces(line.qty),
    taxPercent: String(percent),
    ...columnsOfMoney(lineFigures, { base, order: own }),
  } satisfies PostedLine;
}

const lineFigures = twins('price', 'originalPrice', 'priceInclTax', 'rowTotal', 'rowTotalInclTax', 'taxAmount');

/** Tax is worked out per row and rounded once. */
function figuresOf(price: Amount, { qty, percent, coin }: { qty: number; percent: number; coin: Coin }) {
  const rowTotal = scale(price, qty, 1, coin);
  const taxAmount = scale(rowTotal, percent, 100, coin);
  return {
    price,
    originalPrice: price,
    priceInclTax: scale(price, 100 + percent, 100, coin),
    rowTotal,
    taxAmount,
    rowTotalInclTax: add(rowTotal, taxAmount),
  };
}

/** Rates of the demo shop have two decimals. */
const inOwn = (base: Amount, { currency }: DemoSale) =>
  scale(base, Math.round(currency.rate * 100), 100, coinOf(currency.own));

function totalsOf(lines: readonly ReturnType<typeof postedLine>[]) {
  const money = inBoth((currency) => {
    const rows = lines.map((line) => moneyOf(line, lineFigures, currency));
    const sum = (name: keyof typeof lineFigures) => add(zero, ...rows.map((row) => row[name]));
    const grandTotal = sum('rowTotalInclTax');
    return { subtotal: sum('rowTotal'), subtotalInclTax: grandTotal, taxAmount: sum('taxAmount'), grandTotal };
  });
  return {
    ...columnsOfMoney(twins('subtotal', 'subtotalInclTax', 'taxAmount', 'grandTotal'), money),
    totalQtyOrdered: plus(...lines.map((line) => line.qtyOrdered)),
  };
}

const currenciesOf = ({ currency }: DemoSale): PostedColumns => ({
  baseCurrencyCode: currency.base,
  globalCurrencyCode: 'USD',
  storeCurrencyCode: currency.base,
  orderCurrencyCode: currency.own,
  baseToOrderRate: String(currency.rate),
});

const buyerOf = (customer: Customer | undefined): PostedColumns =>
  customer
    ? {
        customerIsGuest: false,
        customerId: customer.id,
        customerGroupId: customer.groupId,
        customerEmail: customer.email,
        customerFirstname: customer.firstname,
        customerLastname: customer.lastname,
      }
    : {
        customerIsGuest: true,
        customerGroupId: 0,
        customerEmail: 'walk-in@example.com',
        customerFirstname: 'Walk-in',
        customerLastname: 'Customer',
      };

const addressOf = (customer: Customer | undefined) => ({
  firstname: customer?.firstname ?? 'Walk-in',
  lastname: customer?.lastname ?? 'Customer',
  street: ['12 High Street'],
  city: 'Troy',
  region: 'New York',
  regionId: 43,
  regionCode: 'NY',
  postcode: '12180',
  countryId: 'US',
  telephone: '+1 518 555 0112',
});

const layawayOf = (grandTotal: Amount, now: Date) =>
  ({
    state: 'pending_payment',
    status: 'pending_payment',
    posLayawayStatus: 'open',
    posLayawayDepositAmount: zero,
    posLayawayBalanceOwed: grandTotal,
    posLayawayExpiresAt: new Date(now.getTime() + layawayDays * dayMs),
  }) as const;
