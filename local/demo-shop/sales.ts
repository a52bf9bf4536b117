import { cardMethods, cashMethod } from './settings.ts';

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
