import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { GatewayFacts } from '../../../providers/gateways/payment-gateway.ts';
import { sourcesOf } from '../../house/sources.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { aCartShop } from '../../support/builders/cart.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aShop } from '../../support/builders/shop.ts';
import { documents, framework, type Trigger } from './message-rows.ts';
import { records, saved } from './record-message-rows.ts';
import { useApi } from '../../support/fixtures.ts';

describe('comment documents', () => {
  const api = useApi();
  let ids: Record<string, number>;
  beforeAll(async () => {
    await aShop(api.orm.em.fork());
    const { orderId } = await anOrder(api.orm.em.fork(), { shipped: false });
    const ship = await ask('POST', `order/${orderId}/ship`, {});
    const invoices = await ask('GET', 'invoices?searchCriteria=');
    const refund = await ask('POST', `order/${orderId}/refund`, {});
    ids = { shipment: ship.body, invoices: invoices.body.items[0].entity_id, creditmemo: refund.body };
  });

  const ask = (method: 'GET' | 'POST', path: string, body?: object) =>
    api.call(method, `/V1/${path}`, { token: api.tokens.admin, ...(body ? { body } : {}) });

  const say = (document: string, id: number | undefined, comment: unknown) =>
    document === 'invoices'
      ? ask('POST', 'invoices/comments', { entity: { comment, parent_id: id, is_visible_on_front: 1 } })
      : ask('POST', `${document}/${id}/comments`, { entity: { comment, parent_id: 999_999, is_visible_on_front: 1 } });

  test.each(['shipment', 'invoices', 'creditmemo'])(
    'what is said about a document is kept with it: %s',
    async (document) => {
      const id = ids[document];
      const line = {
        parent_id: id,
        comment: 'Left with the neighbour',
        is_customer_notified: 0,
        is_visible_on_front: 1,
      };
      expect(await say(document, id, line.comment)).toMatchObject({ status: 200, body: line });
      expect(await say(document, id, line.comment)).toMatchObject({ status: 200, body: line });
      expect((await ask('GET', `${document}/${id}/comments`)).body).toMatchObject({
        items: [line, line],
        total_count: 2,
      });
    },
  );

  test.each(['shipment', 'invoices', 'creditmemo'])(
    'nothing is said about an unknown document: %s',
    async (document) => {
      expect(await say(document, 999_999, 'Hello')).toMatchObject({
        status: 404,
        body: { message: "The entity that was requested doesn't exist. Verify the entity and try again." },
      });
    },
  );

  test.each(['shipment', 'invoices', 'creditmemo'])('a card number is kept with no document: %s', async (document) => {
    expect(await say(document, ids[document], 'paid by 4111 1111 1111 1111')).toMatchObject({ status: 400 });
    expect(await say(document, ids[document], undefined)).toMatchObject({ status: 400 });
  });
});

describe('documents not saved', () => {
  const api = useApi({ expectsFaults: true });
  beforeAll(() => aShop(api.orm.em.fork()));
  const books = booksOf(() => api.orm);

  const cases = [
    { path: 'invoice', document: 'an invoice', items: 'sales_invoice_item', order: { paid: false, shipped: false } },
    { path: 'refund', document: 'a Creditmemo', items: 'sales_creditmemo_item', order: {} },
    { path: 'ship', document: 'a shipment', items: 'sales_shipment_item', order: { shipped: false } },
  ];

  test.each(cases)(
    'what breaks while $document is saved is told in the platform’s words, and is made up for by a repeat',
    async ({ path, document, items, order }) => {
      const { orderId } = await anOrder(api.orm.em.fork(), order);
      const key = randomUUID();
      const make = () =>
        api.call('POST', `/V1/order/${orderId}/${path}`, {
          token: api.tokens.admin,
          body: {},
          headers: { 'Idempotency-Key': key },
        });
      const faultsBefore = api.faults.length;
      const mend = await books.refuseWrites({ to: items, says: 'disk is odd' });
      const broken = await make();
      await mend();

      expect({ status: broken.status, body: broken.body }).toEqual({
        status: 400,
        body: { message: `Could not save ${document}, see error log for details` },
      });
      expect(api.faults.slice(faultsBefore)).toMatchObject([{ message: expect.stringContaining('disk is odd') }]);
      expect(await make()).toMatchObject({ status: 200, body: expect.any(Number) });
    },
  );
});

describe('manners', () => {
  const api = useApi();
  beforeAll(() => aShop(api.orm.em.fork()));

  const get = (path: string) => api.call('GET', path, { token: api.tokens.admin });
  const skusOf = (body: { items: { sku: string }[] }) => body.items.map(({ sku }) => sku);

  test('one value without brackets is a list of one', async () => {
    const { body } = await get('/V1/store/storeConfigs?storeCodes=ca');
    expect(body.map(({ code }: { code: string }) => code)).toEqual(['ca']);
    expect((await get('/V1/inventory/are-products-salable?skus=MUG&stockId=1')).body).toEqual([
      { sku: 'MUG', stock_id: 1, salable: true },
    ]);
  });

  test('of a query key sent twice the last one counts', async () => {
    const { body } = await get('/V1/products?searchCriteria[page_size]=1&searchCriteria[page_size]=2');
    expect(body.items).toHaveLength(2);
  });

  test('the platform’s other address answers the same', async () => {
    const { body } = await get('/index.php/rest/V1/products/MUG');
    expect(body).toEqual((await get('/rest/V1/products/MUG')).body);
  });

  test('a sort may be written as a field and its direction', async () => {
    const { status, body } = await get('/V1/products?searchCriteria[sort_orders][price]=ASC');
    expect({ status, skus: skusOf(body) }).toEqual({ status: 200, skus: ['GIFTWRAP', 'PLATE', 'MUG'] });
    const wrong = await get('/V1/products?searchCriteria[sort_orders][price]=UP');
    expect(wrong.status).toBe(400);
    expect((await get('/V1/products?searchCriteria[sort_orders][0]=ASC')).status).toBe(400);
  });

  test.each([{}, [], { a: 1 }])('%j is refused as a flag, and nothing is changed', async (manage_stock) => {
    const product = { extension_attributes: { stock_item: { manage_stock } } };
    const answer = await api.call('PUT', '/V1/products/MUG', { token: api.tokens.admin, body: { product } });
    expect(answer.status).toBe(400);
    expect((await get('/V1/products/MUG')).body.extension_attributes.stock_item.manage_stock).toBe(true);
  });

  test('the region of an address may bring what other modules added to it', async () => {
    const region = { region_id: 43, extension_attributes: { county: 'Rensselaer' } };
    const address = {
      ...{ firstname: 'Ann', lastname: 'Lee', street: ['1 Main St'], city: 'Troy', postcode: '12180' },
      ...{ country_id: 'US', telephone: '555-0100', region },
    };
    const customer = { email: 'region@example.com', firstname: 'Ann', lastname: 'Lee', addresses: [address] };
    const { status, body } = await api.call('POST', '/V1/customers', { token: api.tokens.admin, body: { customer } });
    expect({ status, region: body.addresses[0].region }).toEqual({
      status: 200,
      region: { region_code: 'NY', region: 'New York', region_id: 43 },
    });
  });

  test('the verbs of an address are told as they are', async () => {
    const { headers } = await api.call('PATCH', '/V1/customers/me', { token: api.tokens.admin });
    expect(headers.get('allow')).toBe('GET, PUT');
  });

  test.each([
    ['/V1/invoices', 'can_void_flag', '0'],
    ['/V1/creditmemos', 'creditmemo_status', '2'],
    ['/V1/shipments', 'shipment_status', '1'],
  ])('%s is searched and sorted by %s', async (path, field, value) => {
    const filter = `searchCriteria[filter_groups][0][filters][0][field]=${field}&searchCriteria[filter_groups][0][filters][0][value]=${value}`;
    const { status, body } = await get(`${path}?${filter}&searchCriteria[sort_orders][0][field]=${field}`);
    expect({ status, count: body.total_count }).toEqual({ status: 200, count: 0 });
  });
});

describe('messages', () => {
  /** Every message of platform facts 2.3 and 2.4: which route answers it, and to what; or why no route answers it. */
  let api: TestApi;
  let ids: Record<string, number>;
  let tokens: Record<'owner' | 'cartless', string>;
  beforeAll(async () => {
    api = await testApi({ providers: { gatewayFacts: { for: async ({ paymentMethod }) => gateways[paymentMethod] } } });
    await aCartShop(fork());
    const [paid, fresh, shipping, large, foreign, unnamed] = [
      await anOrder(fork()),
      await anOrder(fork(), { paid: false, shipped: false }),
      await anOrder(fork(), { shipping: '10' }),
      await anOrder(fork(), { shipped: false, lines: [{ sku: 'PLATE', qty: 101, price: '1' }] }),
      await anOrder(fork(), { method: 'somebody_elses_card' }),
      await anOrder(fork(), { method: 'card' }),
    ];
    const { orderId: closed } = await anOrder(fork());
    const memo = await made('POST', `/V1/order/${closed}/refund`, {});
    const [owner, cartless] = [await account('owner@example.com'), await account('cartless@example.com')];
    tokens = { owner: await api.customerToken(owner), cartless: await api.customerToken(cartless) };
    await made('POST', '/V1/carts/mine', undefined, tokens.owner);
    await made('POST', '/V1/carts/mine/items', { cartItem: { sku: 'MUG', qty: 1 } }, tokens.owner);
    await made('POST', '/V1/cmsPage', { page: saved.page.page });
    await made('POST', '/V1/cmsBlock', saved.block);
    ids = {
      ...{ owner, cartless, memo, closed },
      ...{ paid: paid.orderId, line: paid.itemIds[0]!, invoice: paid.invoiceId! },
      ...{ fresh: fresh.orderId, freshLine: fresh.itemIds[0]! },
      ...{ shipping: shipping.orderId, large: large.orderId },
      ...{ foreignInvoice: foreign.invoiceId!, unnamedInvoice: unnamed.invoiceId! },
      emptyCart: await made('POST', '/V1/carts', {}),
    };
  });
  afterAll(() => api.close());

  const fork = () => api.orm.em.fork();

  /** The one gateway there is can give no payment back that it has no reference of. */
  const gateways: Readonly<Record<string, GatewayFacts>> = {
    card: { canLookUp: false, canTrack: (payment) => payment !== null },
  };

  async function made(method: string, path: string, body?: unknown, token = api.tokens.admin) {
    const answer = await api.call(method, path, { token, ...(body === undefined ? {} : { body }) });
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  const account = async (email: string): Promise<number> =>
    (await made('POST', '/V1/customers', { customer: { email, firstname: 'Ann', lastname: 'Lee' } })).id;

  /** With the ids in place of their names. */
  const filled = (text: string) => text.replaceAll(/"?\{([a-zA-Z]+)\}"?/g, (_, name: string) => String(ids[name]));
  const filledIn = (value: unknown): unknown =>
    typeof value === 'object' ? JSON.parse(filled(JSON.stringify(value))) : value;

  function send([method, path, body, { headers = {}, as } = {}]: Trigger) {
    const token = as ? tokens[as] : api.tokens.admin;
    return api.call(method, filled(path), { token, headers, ...(body === undefined ? {} : { body: filledIn(body) }) });
  }

  const rows = [...framework, ...documents, ...records].map(([status, message, trigger, parameters]) => ({
    ...{ status, message, trigger, parameters },
  }));

  test.each(rows)('$status $message', async ({ status, message, trigger, parameters }) => {
    const { status: answered, body } = await send(trigger);
    const wanted = parameters === undefined ? {} : { parameters: filledIn(parameters) };
    const got = parameters === undefined ? {} : { parameters: body.parameters };
    expect({ status: answered, message: body.message, ...got }).toEqual({ status, message, ...wanted });
  });

  test('401 The consumer is not authorised, whatever is asked for', async () => {
    expect(await api.call('GET', '/V1/orders/1')).toMatchObject({
      status: 401,
      body: {
        message: "The consumer isn't authorized to access %resources.",
        parameters: { resources: 'Platform_Sales::actions_view' },
      },
    });
  });

  /** Messages that no route answers, and why. */
  const unanswered: [message: string, why: string][] = [
    ['Operation allowed only in HTTPS', 'TLS ends before this process: it cannot tell'],
    ['This email address is already subscribed.', 'a repeated subscription is answered with the present state'],
  ];

  test.each(unanswered)('%s: %s', (message) => {
    const texts = sourcesOf('api', 'db', 'domain', 'providers').map(({ text }) => text);
    expect(texts.filter((text) => text.includes(message))).toEqual([]);
  });
});
