import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Location } from '../../../db/locations/location.entity.ts';
import { Product } from '../../../db/platform/catalog/product.entity.ts';
import { Customer } from '../../../db/platform/customers/customer.entity.ts';
import { createInvoice } from '../../../db/platform/invoices/invoices.ts';
import { cancelOrder } from '../../../db/platform/orders/cancel-order.ts';
import { addEntry } from '../../../db/store-credit/add-entry.ts';
import { pieces } from '../../../domain/money.ts';
import { createCustomerValidators, type CustomerValidator } from '../../../providers/customer-validators.ts';
import { insightsOf, type InsightProvider } from '../../../providers/insights.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { loseAnswer } from '../../support/books/lost-answer.ts';
import { anOrder } from '../../support/builders/order.ts';
import { refundPieces } from '../../support/builders/refunded-sale.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer, anEntry } from '../../support/builders/wallet.ts';
import { expectRefused } from '../../support/expect-refused.ts';
import { useApi } from '../../support/fixtures.ts';
import { anEmail } from '../../support/kiosk.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import {
  call,
  isSubscribed,
  opensAShop,
  rowOf,
  save,
  shop,
  statusOf,
  subscribe,
  subscribed,
  unconfirmed,
  unsubscribe,
  unsubscribed,
} from './subscriptions.ts';

describe('create customer', () => {
  /** Holds every create until all of them have been validated. */
  let barrier: (() => Promise<void>) | undefined;
  const books = booksOf(() => api.orm);
  const { fork } = books;

  const late: CustomerValidator = {
    key: 'late',
    label: 'Late',
    field: 'email',
    validate: async () => {
      await barrier?.();
      return [];
    },
  };

  let api: TestApi;
  beforeAll(async () => {
    const pool = createCustomerValidators();
    api = await testApi({ providers: { customerValidators: { ...pool, optional: [...pool.optional, late] } } });
    await aShop(fork());
  });
  afterAll(() => api.close());

  let people = 0;
  const someone = (more: object = {}) => ({
    email: `someone${++people}@example.com`,
    firstname: 'Ada',
    lastname: 'Lovelace',
    websiteId: 1,
    ...more,
  });
  const create = (request: unknown, headers: Record<string, string> = {}) =>
    api.call('POST', '/V1/pos/customers', { token: api.tokens.register, body: { request }, headers });
  const read = async (id: number) =>
    (await api.call('GET', `/V1/customers/${id}`, { token: api.tokens.register })).body;
  const count = (email: string) => fork().count(Customer, { email });

  test('a customer is opened with an address as the cashier typed it, the company on it, without a region', async () => {
    const { body } = await create(
      someone({
        company: 'Lee Ltd',
        taxvat: 'DE136695976',
        phone: '+15185550100',
        street: '1 Main St\nFlat 2',
        city: 'Troy',
        postcode: '12180',
        countryCode: 'us',
        dob: '1990-02-28',
      }),
    );

    expect(body).toMatchObject({ success: true, errors: [{ field: 'countryCode', severity: 'normalize' }] });
    const customer = await read(body.customer_id);
    expect(customer).toMatchObject({
      firstname: 'Ada',
      taxvat: 'DE136695976',
      dob: '1990-02-28',
      group_id: 1,
      website_id: 1,
      store_id: 1,
      addresses: [
        {
          company: 'Lee Ltd',
          telephone: '+15185550100',
          street: ['1 Main St', 'Flat 2'],
          city: 'Troy',
          postcode: '12180',
          country_id: 'US',
          region_id: 0,
          default_billing: true,
          default_shipping: true,
        },
      ],
    });
    expect(customer.default_billing).toBe(String(customer.addresses[0].id));
  });

  test('no account is opened at a location that is not there', async () => {
    const draft = someone({ locationId: 999_999 });
    const said = 'Invalid value of "%value" provided for the %fieldName field.';
    await expectRefused({ send: () => create(draft), status: 400, said });
    expect(await count(draft.email)).toBe(0);
  });

  test('an account has an address only when a field of it is sent', async () => {
    const bare = await create(someone({ countryCode: 'US' }));
    expect((await read(bare.body.customer_id)).addresses).toEqual([]);
    const phoned = await create(someone({ phone: '+15185550100' }));
    expect((await read(phoned.body.customer_id)).addresses).toMatchObject([{ telephone: '+15185550100', street: [] }]);
  });

  test('only an error blocks; warnings come back with the success', async () => {
    const warned = await create(someone({ countryCode: 'US', postcode: 'ABC' }));
    expect(warned.body).toMatchObject({
      success: true,
      errors: [{ field: 'postcode', code: 'postcode_unusual', severity: 'warning' }],
    });
    const refused = someone({ taxvat: 'DE136695978' });
    expect((await create(refused)).body).toMatchObject({
      success: false,
      customer_id: null,
      errors: [{ code: 'vat_invalid', severity: 'error' }],
    });
    expect(await count(refused.email)).toBe(0);
  });

  test('the website 0 is never saved: the account is on that of the call’s store', async () => {
    const { body } = await create(someone({ websiteId: 0 }));
    expect(await read(body.customer_id)).toMatchObject({ website_id: 1, store_id: 1 });
    const inAll = await api.call('POST', '/rest/all/V1/pos/customers', {
      token: api.tokens.register,
      body: { request: someone({ websiteId: 0 }) },
    });
    expect(await read(inAll.body.customer_id)).toMatchObject({ website_id: 1, store_id: 1 });
  });

  test('an e-mail that has an account is a row, and no second account', async () => {
    const draft = someone();
    expect((await create(draft)).body.success).toBe(true);
    expect((await create({ ...draft, email: draft.email.toUpperCase() })).body).toMatchObject({
      success: false,
      customer_id: null,
      errors: [{ field: 'email', code: 'email_taken', severity: 'error' }],
    });
    expect(await count(draft.email)).toBe(1);
  });

  test('eight creates at once with one e-mail are one customer and seven rows', async () => {
    const draft = someone({ phone: '+15185550100' });
    let waiting = 0;
    let release: () => void = () => undefined;
    const all = new Promise<void>((resolve) => {
      release = resolve;
    });
    // All eight have looked for the e-mail, and found it free, before the first saves.
    barrier = () => {
      if (++waiting === 8) release();
      return all;
    };
    const answers = await eightAtOnce(() => create(draft));
    barrier = undefined;

    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(answers.filter(({ body }) => body.success)).toHaveLength(1);
    const refused = answers.filter(({ body }) => !body.success);
    expect(refused.map(({ body }) => body.errors.map(({ code }: { code: string }) => code))).toEqual(
      Array.from({ length: 7 }, () => ['email_taken']),
    );
    expect(await count(draft.email)).toBe(1);
    expect(api.faults).toEqual([]);
  });

  test('the same request again under its key is the first answer', async () => {
    const draft = someone();
    const key = { 'idempotency-key': randomUUID() };
    const atOnce = await eightAtOnce(() => create(draft, key));
    const again = await create(draft, key);

    expect(again.body).toMatchObject({ success: true, errors: [] });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    // A create that comes meanwhile is told to come again; all answers are the same.
    for (const { status, body } of atOnce) if (status !== 409) expect(body).toEqual(again.body);
    expect(atOnce.some(({ status }) => status === 200)).toBe(true);
    expect(await count(draft.email)).toBe(1);
  });

  test('a run that takes over from one that died finds the account, and opens no second one', async () => {
    const draft = someone();
    const key = { 'idempotency-key': randomUUID() };
    const first = await create(draft, key);
    await loseAnswer(books, { made_id: first.body.customer_id });
    const second = await create(draft, key);

    expect(second.body).toEqual(first.body);
    expect(await count(draft.email)).toBe(1);
  });

  test('a create that names an account opens no second one', async () => {
    const { body } = await create(someone({ customerId: 1 }));
    expect(body).toMatchObject({ success: false, errors: [{ field: 'customerId', code: 'customer_exists' }] });
  });
});

describe('get customer insights', () => {
  const club: InsightProvider = {
    code: 'club',
    sections: async () => [{ title: 'Club', rows: [{ label: 'Level', value: 'Gold' }] }],
  };
  const broken: InsightProvider = {
    code: 'broken',
    sections: () => {
      throw new Error('no');
    },
  };
  const slow: InsightProvider = { code: 'slow', sections: () => new Promise(() => undefined) };

  const api = useApi({ providers: { insights: insightsOf([broken, slow, club]) } });
  let shop: Awaited<ReturnType<typeof aShop>>;
  beforeAll(async () => {
    shop = await aShop(fork());
  });

  const { theOrder, fork, change, insert } = booksOf(() => api.orm);
  const insightsOfCustomer = (customerId: number) =>
    api.call('GET', `/V1/pos/customer-insights/${customerId}`, { token: api.tokens.register });

  const soldOn = (orderId: number, moment: string) =>
    change('sales_order', { entity_id: orderId }, { created_at: moment });

  const ownerOf = async (orderId: number) => (await theOrder(orderId, 'customer_id')).customer_id ?? 0;

  const aReceiptOf = (posOrderId: string, incrementId: string, locationId: number) =>
    insert('pos_receipt', {
      pos_order_id: posOrderId,
      token_digest: posOrderId,
      sealed_token: 's',
      order_increment_id: incrementId,
      location_id: locationId,
      is_reverse_charge: false,
      created_at: new Date(),
      updated_at: new Date(),
    });

  async function aPlaceOf(websiteId: number, name: string): Promise<number> {
    const writer = fork();
    const place = writer.create(Location, { name, code: name.toLowerCase(), websiteId, sourceCode: 'floor' });
    await writer.flush();
    return place.locationId;
  }

  test('a customer who never bought has empty figures', async () => {
    const customerId = await aCustomer(fork());
    const { status, body } = await insightsOfCustomer(customerId);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      customer_id: customerId,
      currency: 'USD',
      statistics: {
        purchases: 0,
        visits: 0,
        last_purchase_at: null,
        total_spent: 0,
        average_basket: 0,
        return_rate: 0,
      },
      preferred_location: null,
      last_purchases: [],
      favourite_products: [],
      favourite_categories: [],
    });
  });

  test('the cashier sees how a customer buys, even when a provider fails', async () => {
    const customerId = await aCustomer(fork());
    const writer = fork();
    writer.assign(await writer.findOneOrFail(Product, { sku: 'MUG' }), { categoryIds: ['4', '7'] });
    writer.assign(await writer.findOneOrFail(Product, { sku: 'PLATE' }), { categoryIds: ['4'] });
    await writer.flush();
    const mugs = await anOrder(fork(), { customerId });
    const both = await anOrder(fork(), {
      customerId,
      lines: [
        { sku: 'MUG', qty: 1, price: '50' },
        { sku: 'PLATE', qty: 3, price: '10' },
      ],
    });
    const stays = await anOrder(fork(), { customerId, lines: [{ sku: 'PLATE', qty: 1, price: '12' }] });
    const cancelled = await anOrder(fork(), { customerId, paid: false, shipped: false });
    await cancelOrder(fork(), cancelled.orderId);
    await anOrder(fork(), { customerId, layaway: true });
    await anOrder(fork(), { customerId: await aCustomer(fork()) });
    await refundPieces(fork(), mugs, 1);
    await soldOn(mugs.orderId, '2026-11-01T10:00:00Z');
    await soldOn(both.orderId, '2026-11-20T10:00:00Z');
    await soldOn(stays.orderId, '2026-11-20T12:00:00Z');
    await aReceiptOf('r-1', both.incrementId, shop.locationId);
    await addEntry(fork(), anEntry(customerId, { amount: '25' }));

    const { body } = await insightsOfCustomer(customerId);
    // 108 + 80 + 12 bought, 54 of the mugs' 108 came back.
    expect(body.statistics).toEqual({
      purchases: 3,
      visits: 2,
      first_purchase_at: '2026-11-01 10:00:00',
      last_purchase_at: '2026-11-20 12:00:00',
      total_spent: 146,
      total_refunded: 54,
      average_basket: 66.67,
      return_rate: 27,
    });
    expect(body.preferred_location).toEqual({ location_id: shop.locationId, name: 'High Street', purchases: 1 });
    expect(body.last_purchases.map((order: { order_id: number }) => order.order_id)).toEqual([
      stays.orderId,
      both.orderId,
      mugs.orderId,
    ]);
    expect(body.favourite_products).toMatchObject([
      { sku: 'PLATE', qty: 4, purchases: 2 },
      { sku: 'MUG', qty: 2, purchases: 2 },
    ]);
    expect(body.favourite_categories).toEqual([
      { category_id: 4, qty: 6, purchases: 3 },
      { category_id: 7, qty: 2, purchases: 2 },
    ]);
    expect(body.credits).toMatchObject([{ type: 'store_credit', balance: 25 }]);
    expect(body.sections).toEqual([{ provider: 'club', title: 'Club', rows: [{ label: 'Level', value: 'Gold' }] }]);
  });

  test('goods that came back completely are not a favourite, though they were a purchase', async () => {
    const customerId = await aCustomer(fork());
    await refundPieces(fork(), await anOrder(fork(), { customerId }), 2);
    const kept = await anOrder(fork(), { customerId, lines: [{ sku: 'PLATE', qty: 1, price: '12' }] });
    const { body } = await insightsOfCustomer(customerId);
    expect(body.statistics).toMatchObject({ purchases: 2, total_spent: 12, total_refunded: 108, return_rate: 90 });
    expect(body.last_purchases[0].order_id).toBe(kept.orderId);
    expect(body.favourite_products).toMatchObject([{ sku: 'PLATE', qty: 1, purchases: 1 }]);
  });

  test('cancelled goods were not bought; a refund without a memo shows on its order', async () => {
    const customerId = await aCustomer(fork());
    const { orderId, items } = await anOrder(fork(), { customerId, paid: false, shipped: false });
    await createInvoice(fork(), { orderId, items: [{ orderItemId: items[0]?.itemId ?? 0, qty: pieces(1) }] });
    await cancelOrder(fork(), orderId);
    await change('sales_order', { entity_id: orderId }, { returned_without_memo: 4, base_returned_without_memo: 4 });

    const { body } = await insightsOfCustomer(customerId);
    expect(body.statistics).toMatchObject({ purchases: 1, total_spent: 50, total_refunded: 4, average_basket: 54 });
    expect(body.last_purchases[0]).toMatchObject({ order_id: orderId, total_refunded: 4 });
  });

  test('only a receipt of the order’s own sale or website tells where it was bought, and two receipts are one purchase', async () => {
    const customerId = await aCustomer(fork());
    const bought = await anOrder(fork(), { customerId, posSaleId: 'own-sale' });
    const elsewhere = await aPlaceOf(2, 'Elsewhere');
    await aReceiptOf('others', bought.incrementId, elsewhere);
    await aReceiptOf('others-too', bought.incrementId, elsewhere);
    expect((await insightsOfCustomer(customerId)).body.preferred_location).toBeNull();

    await aReceiptOf('same-website', bought.incrementId, shop.locationId);
    await aReceiptOf('same-website-again', bought.incrementId, shop.locationId);
    const { preferred_location: preferred } = (await insightsOfCustomer(customerId)).body;
    expect(preferred).toEqual({ location_id: shop.locationId, name: 'High Street', purchases: 1 });

    const other = await anOrder(fork(), { customerId: await aCustomer(fork()), posSaleId: 'sale-abroad' });
    await aReceiptOf('sale-abroad', other.incrementId, elsewhere);
    const { body } = await insightsOfCustomer(await ownerOf(other.orderId));
    expect(body.preferred_location).toMatchObject({ location_id: elsewhere, purchases: 1 });
  });

  test('an unknown customer is 404, and only callers who may see customers get this', async () => {
    expect((await insightsOfCustomer(999_999)).status).toBe(404);
    const token = await api.tokenFor('Vendor_Pos::locations');
    expect((await api.call('GET', '/V1/pos/customer-insights/1', { token })).status).toBe(401);
  });
});

describe('newsletter', () => {
  opensAShop();

  const none = { subscribed: false, status: 'none' };
  const foreign = { status: 400, body: { message: 'Cannot create a newsletter subscription.' } };

  test('a guest joins and leaves, and repeats answer the present state', async () => {
    const email = anEmail();
    expect(await statusOf(email)).toEqual(none);
    expect((await unsubscribe(email)).body).toEqual(none);
    expect((await subscribe(email)).body).toEqual(subscribed);
    expect((await subscribe(email.toUpperCase())).body).toEqual(subscribed);
    expect(await statusOf(` ${email.toUpperCase()} `)).toEqual(subscribed);
    expect((await unsubscribe(email)).body).toEqual(unsubscribed);
    expect((await unsubscribe(email)).body).toEqual(unsubscribed);
    expect((await subscribe(email)).body).toEqual(subscribed);
    expect(await rowOf(email)).toEqual([{ status: 1, customer_id: null }]);
  });

  test('eight at once leave one subscription', async () => {
    const email = anEmail();
    const id = await shop.customer(email);
    const answers = await eightAtOnce(() => subscribe(email, id));
    expect(answers.map(({ body }) => body)).toEqual(Array(8).fill(subscribed));
    expect(await rowOf(email)).toEqual([{ status: 1, customer_id: id }]);
  });

  test('an account that names itself is linked, and the customer says so', async () => {
    const email = anEmail();
    const id = await shop.customer(email);
    expect(await isSubscribed(id)).toBe(false);
    expect((await subscribe(email, id)).body).toEqual(subscribed);
    expect(await rowOf(email)).toEqual([{ status: 1, customer_id: id }]);
    expect(await isSubscribed(id)).toBe(true);
    expect((await unsubscribe(email, id)).body).toEqual(unsubscribed);
    expect(await isSubscribed(id)).toBe(false);
  });

  test('an account’s e-mail joins or leaves only when the account is named', async () => {
    const [email, other] = [anEmail(), anEmail()];
    const id = await shop.customer(email);
    const otherId = await shop.customer(other);
    await subscribe(email, id);
    for (const customerId of [undefined, 0, null, otherId, 999_999]) {
      expect(await subscribe(email, customerId)).toMatchObject(foreign);
      expect(await unsubscribe(email, customerId ?? undefined)).toMatchObject(foreign);
    }
    expect(await statusOf(email)).toEqual(subscribed);
  });

  test('a customer with an e-mail that no account has is a guest there', async () => {
    const [email, id] = [anEmail(), await shop.customer(anEmail())];
    expect((await subscribe(email, id)).body).toEqual(subscribed);
    expect(await rowOf(email)).toEqual([{ status: 1, customer_id: null }]);
    expect(await isSubscribed(id)).toBe(false);
  });

  test('a store for accounts only refuses guests who join, and lets them leave', async () => {
    const [guest, email] = [anEmail(), anEmail()];
    const id = await shop.customer(email);
    await subscribe(guest);
    await shop.set('newsletter/subscription/allow_guest_subscribe', '0');
    expect(await subscribe(anEmail())).toMatchObject({
      status: 400,
      body: { message: 'Guests can not subscribe to the newsletter. You must create an account to subscribe.' },
    });
    expect((await subscribe(email, id)).body).toEqual(subscribed);
    expect((await unsubscribe(guest)).body).toEqual(unsubscribed);
  });

  test.each([
    ['', 'You must specify an email address to subscribe to a newsletter.'],
    ['ada', 'Enter a valid email address.'],
    ['ada@b c', 'Enter a valid email address.'],
    ['ada,eve@shop.test', 'Enter a valid email address.'],
    ['<ada@shop.test>', 'Enter a valid email address.'],
    ['ada@localhost', 'Enter a valid email address.'],
  ])('"%s" is refused on all three routes', async (email, message) => {
    for (const answer of [await subscribe(email), await unsubscribe(email)])
      expect(answer).toMatchObject({ status: 400, body: { message } });
    expect(await statusOf(email)).toMatchObject({ message });
  });

  test('each website has its own newsletter; an account’s belongs to the website of the account', async () => {
    const email = anEmail();
    const id = await shop.customer(email, { websiteId: 2 });
    expect((await subscribe(email)).body).toEqual(subscribed);
    expect(await statusOf(email, '/rest/eu_de')).toEqual(none);
    expect((await subscribe(email, id)).body).toEqual(subscribed);
    expect(await statusOf(email, '/rest/eu_de')).toEqual(subscribed);
    expect(await isSubscribed(id)).toBe(true);
  });

  test('a subscriber marked as inactive, and never asked, gets that state', async () => {
    const email = anEmail();
    await shop.insert('newsletter_subscriber', { website_id: 1, store_id: 1, email, status: 2 });
    expect(await statusOf(email)).toEqual({ subscribed: false, status: 'not_active' });
    expect((await unsubscribe(email)).body).toEqual({ subscribed: false, status: 'not_active' });
    expect((await subscribe(email)).body).toEqual(subscribed);
  });

  test('an account that awaits its own confirmation is unconfirmed, without a mail', async () => {
    const email = anEmail();
    const id = await shop.customer(email);
    await shop.change('customer', { id }, { confirmation: 'x' });
    expect((await subscribe(email, id)).body).toEqual(unconfirmed);
    expect(await rowOf(email)).toEqual([{ status: 4, customer_id: id }]);
    expect((await unsubscribe(email, id)).body).toEqual(unconfirmed);
    expect(shop.begun).toEqual([]);
  });

  test('is_subscribed of a customer works both ways, at create, save, read and search', async () => {
    const email = anEmail();
    const wishes = { extension_attributes: { is_subscribed: true } };
    const id = await shop.customer(email, wishes);
    expect(await isSubscribed(id)).toBe(true);
    expect(await statusOf(email)).toEqual(subscribed);

    expect((await save(id, { firstname: 'Augusta' })).body.extension_attributes).toEqual({ is_subscribed: true });
    const left = await save(id, { extensionAttributes: { isSubscribed: false } });
    expect(left.body.extension_attributes).toEqual({ is_subscribed: false });
    expect(await statusOf(email)).toEqual(unsubscribed);
    const back = await save(id, { ...left.body, ...wishes });
    expect(back.body.extension_attributes).toEqual({ is_subscribed: true });

    const filter = `searchCriteria[filterGroups][0][filters][0][field]=id&searchCriteria[filterGroups][0][filters][0][value]=${id}`;
    const found = await call('GET', `/V1/customers/search?${filter}`, { token: shop.api.tokens.admin });
    expect(found.body.items).toMatchObject([{ id, extension_attributes: { is_subscribed: true } }]);
  });

  test('a guest who opens an account keeps the subscription, and it follows a changed e-mail', async () => {
    const [email, later, taken] = [anEmail(), anEmail(), anEmail()];
    await subscribe(email);
    const id = await shop.customer(email);
    expect(await isSubscribed(id)).toBe(true);

    await save(id, { email: later });
    expect(await statusOf(email)).toEqual(none);
    expect(await statusOf(later)).toEqual(subscribed);

    await subscribe(taken);
    await unsubscribe(taken);
    await save(id, { email: taken });
    expect(await rowOf(taken)).toEqual([{ status: 3, customer_id: id }]);
    expect(await isSubscribed(id)).toBe(false);
  });
});
