import type { EntityManager } from '@mikro-orm/postgresql';
import { setConfigValue, type SettingChange } from '../../db/configuration/set-config-value.ts';
import type { Product } from '../../db/platform/catalog/product.entity.ts';
import type { Customer } from '../../db/platform/customers/customer.entity.ts';
import type { PostedColumns, PostedLine, PostedOrder } from '../../db/platform/orders/posted-order.ts';
import type { SecretBox } from '../../db/support/secret-box.ts';
import {
  add,
  coinOf,
  columnsOfMoney,
  inBoth,
  moneyOf,
  pieces,
  plus,
  scale,
  twins,
  zero,
  type Amount,
  type Coin,
} from '../../domain/money.ts';

/** The platform's payment methods of the two card processors in orders. */
const cardMethods = { providerA: 'vendor_provider_a', providerB: 'vendor_provider_b' } as const;
export const cashMethod = 'cashondelivery';

const providerA = 'vendor_pos_terminal/provider_a';
const providerB = 'vendor_pos_terminal/provider_b';

/** Keys stand in no file. These are made up: the gateway simulator accepts any. */
const keys: readonly SettingChange[] = [
  { path: `${providerA}/api_key`, value: 'demo-live-key-of-provider-a' },
  { path: `${providerA}/test_api_key`, value: 'demo-test-key-of-provider-a' },
  { path: `${providerB}/api_token`, value: 'demo-api-token-of-provider-b' },
  { path: `${providerB}/service_secret`, value: 'demo-service-secret-of-provider-b' },
];

/** Seals the keys of the card processors. */
export async function seedKeys(em: EntityManager, secrets: SecretBox): Promise<void> {
  for (const key of keys) await setConfigValue(em, secrets, key);
}

/** A sale of the demo shop. Prices are in the website's base currency, before tax. */
export interface DemoSale {
  /** Its external id, by which a repeat of the seed finds the order. */
  id: string;
  storeId: number;
  source: string;
  /** The base currency, the order's own, and the value of one unit of base in it. */
  currency: { base: string; own: string; rate: number };
  taxPercent: number;
  method: string;
  /** What the card terminal answered. */
  lastTransId?: string;
  /** The customer's e-mail; absent: a walk-in customer. */
  customer?: string;
  lines: readonly { sku: string; qty: number; taxPercent?: number }[];
  layaway?: boolean;
}

const usDollar = { base: 'USD', own: 'USD', rate: 1 };
const newYork = { storeId: 1, source: 'high_street', currency: usDollar, taxPercent: 8 };
const ontario = { storeId: 2, source: 'riverside', currency: { base: 'USD', own: 'CAD', rate: 1.36 }, taxPercent: 13 };
const berlin = { storeId: 3, source: 'altstadt', currency: { base: 'EUR', own: 'EUR', rate: 1 }, taxPercent: 19 };

/** All are paid and handed over, except the layaway. */
export const demoSales: readonly DemoSale[] = [
  {
    id: 'demo-cash-1',
    ...newYork,
    method: cashMethod,
    lines: [
      { sku: 'MUG-WHITE', qty: 2 },
      { sku: 'PLATE-WHITE', qty: 1 },
    ],
  },
  {
    id: 'demo-cash-2',
    ...berlin,
    method: cashMethod,
    customer: 'dora@demo.example',
    lines: [
      { sku: 'TEA-ASSAM', qty: 3 },
      { sku: 'GIFTWRAP', qty: 1 },
    ],
  },
  {
    id: 'demo-card-a-1',
    ...newYork,
    method: cardMethods.providerA,
    lastTransId: 'pay_demo_a_1',
    customer: 'grace@demo.example',
    lines: [
      { sku: 'CUSHION-RED', qty: 2 },
      { sku: 'CANDLE-CEDAR', qty: 1 },
    ],
  },
  {
    // A full refund has 73 cents, which gives the outcome of a refund that cannot be looked up.
    id: 'demo-card-a-2',
    ...newYork,
    method: cardMethods.providerA,
    lastTransId: 'pay_demo_a_2',
    lines: [{ sku: 'BOOK-LANTERNS', qty: 1, taxPercent: 0 }],
  },
  {
    id: 'demo-card-b-1',
    ...newYork,
    method: cardMethods.providerB,
    lastTransId: 'PB-DEMO-0001',
    customer: 'walter@demo.example',
    lines: [{ sku: 'MUG-BLUE', qty: 10 }],
  },
  {
    id: 'demo-cad-1',
    ...ontario,
    method: cardMethods.providerB,
    lastTransId: 'PB-DEMO-0002',
    customer: 'chloe@demo.example',
    lines: [
      { sku: 'SCARF-GREEN', qty: 1 },
      { sku: 'COFFEE-KENYA', qty: 2 },
    ],
  },
  {
    id: 'demo-layaway-1',
    ...newYork,
    method: cashMethod,
    customer: 'grace@demo.example',
    layaway: true,
    lines: [{ sku: 'LAMP-DESK', qty: 2 }],
  },
];

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
