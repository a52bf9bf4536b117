import type { EntityManager } from '@mikro-orm/postgresql';
import { addEntry } from '../../../db/store-credit/add-entry.ts';
import { Product } from '../../../db/platform/catalog/product.entity.ts';
import { SourceItem } from '../../../db/platform/inventory/stock.entity.ts';
import { SalesCoupon, SalesRule } from '../../../db/platform/sales-rules/sales-rule.entity.ts';
import { taxGoods } from '../../../db/platform/tax/tax-goods.ts';
import { money, parseQuantity, pieces } from '../../../domain/money.ts';
import type { TestApi } from '../api.ts';
import { aShop } from './shop.ts';
import { aCustomer, anEntry } from './wallet.ts';

/**
 * A shop for carts. Beside the goods of `aShop` it has cheese by weight, a rug on order, a disabled sign, a shirt in
 * sizes and a last vase. Tax is 8 % in New York and 0 elsewhere. The coupons are `TENOFF` (10 %), `FIVE` (5 off the
 * cart), `ONCE` (10 %, for one use) and `OVER` (expired).
 */
export async function aCartShop(em: EntityManager) {
  const shop = await aShop(em);
  const product = (sku: string, price: string, more: Partial<Omit<Product, symbol>> = {}) =>
    em.create(Product, {
      attributeSetId: 4,
      sku,
      name: sku.toLowerCase(),
      price: money(price),
      websiteIds: [1],
      ...more,
    });
  product('CHEESE', '21.90', { isQtyDecimal: true, weight: pieces(1), minSaleQty: parseQuantity('0.1')! });
  product('RUG', '240', { backorders: 1 });
  product('SIGN', '75', { status: 2 });
  product('SHIRT', '30', { typeId: 'configurable', manageStock: false });
  product('FOREIGN', '10', { websiteIds: [2] });
  product('VASE', '80');
  product('GOLD', '900000000');
  em.create(SourceItem, { sku: 'CHEESE', sourceCode: 'floor', quantity: parseQuantity('12.5')! });
  em.create(SourceItem, { sku: 'SIGN', sourceCode: 'floor', quantity: pieces(5) });
  em.create(SourceItem, { sku: 'VASE', sourceCode: 'floor', quantity: pieces(1) });
  em.create(SourceItem, { sku: 'GOLD', sourceCode: 'floor', quantity: pieces(10_000) });
  await taxGoods(em, { code: 'US-NY-8', taxClassId: 2, countryId: 'US', regionId: 43, percent: '8' });
  await em.flush();
  await aCoupon(em, 'TENOFF');
  await aCoupon(em, 'FIVE', { simpleAction: 'cart_fixed', discountAmount: money('5') });
  await aCoupon(em, 'ONCE', { usesPerCoupon: 1 });
  await aCoupon(em, 'OVER', { toDate: '2020-01-01' });
  return shop;
}

/** A promotion of ten percent off any cart, with its coupon; the promotion has the name of the code. */
export async function aCoupon(em: EntityManager, code: string, more: Partial<Omit<SalesRule, symbol>> = {}) {
  const rule = em.create(SalesRule, {
    name: code,
    couponType: 'SPECIFIC_COUPON',
    simpleAction: 'by_percent',
    discountAmount: money('10'),
    ...more,
  });
  await em.flush();
  em.create(SalesCoupon, { rule, code, isPrimary: true });
  await em.flush();
  return rule;
}

/** An address in Troy, New York, with 8 % tax. */
export const troy = {
  firstname: 'Wilma',
  lastname: 'Wallet',
  street: ['8 Ferry Street'],
  city: 'Troy',
  regionId: 43,
  postcode: '12180',
  countryId: 'US',
  telephone: '555',
};

/** A customer who shops: with what every test of a cart does. */
export async function aShopper(api: TestApi, { credit }: { credit?: string } = {}) {
  const em = () => api.orm.em.fork();
  const customerId = await aCustomer(em());
  const token = await api.customerToken(customerId);
  const call = (method: string, path = '', body?: unknown) =>
    api.call(method, `/V1/carts/mine${path}`, { token, ...(body === undefined ? {} : { body }) });
  if (credit) await addEntry(em(), anEntry(customerId, { amount: credit }));
  return {
    customerId,
    token,
    call,
    open: async (): Promise<number> => (await call('POST')).body,
    put: (sku: string, qty: unknown = 1) => call('POST', '/items', { cartItem: { sku, qty } }),
    ship: (more: object = {}) =>
      call('POST', '/shipping-information', {
        addressInformation: {
          shippingAddress: troy,
          billingAddress: troy,
          shippingCarrierCode: 'flatrate',
          shippingMethodCode: 'flatrate',
          ...more,
        },
      }),
    totals: async () => (await call('GET', '/totals')).body,
    place: (method = 'checkmo') => call('PUT', '/order', { paymentMethod: { method } }),
    wallet: async () =>
      em().execute<object[]>(
        `select w.amount, e.entry_id, e.delta, e.booking_key from store_credit_wallet w
         join store_credit_entry e using (wallet_id) where w.customer_id = ? order by e.entry_id`,
        [customerId],
      ),
  };
}
export type Shopper = Awaited<ReturnType<typeof aShopper>>;

/** A shopper with two mugs (50 each) in the cart, shipped to Troy at 5 a piece: 100, 10, 8, in all 118. */
export async function aShopperWithMugs(api: TestApi, wish: { credit?: string } = {}): Promise<Shopper> {
  const shopper = await aShopper(api, wish);
  await shopper.open();
  await shopper.put('MUG', 2);
  await shopper.ship();
  return shopper;
}
