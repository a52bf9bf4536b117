import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PaymentGateway } from '../../../providers/gateways/payment-gateway.ts';
import { sourcesOf } from '../../house/sources.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { aCartShop } from '../../support/builders/cart.ts';
import { anOrder } from '../../support/builders/order.ts';
import { documents, framework, type Trigger } from './message-rows.ts';
import { records, saved } from './record-message-rows.ts';

/** Every message of platform facts 2.3 and 2.4: which route answers it, and to what; or why no route answers it. */
let api: TestApi;
let ids: Record<string, number>;
let tokens: Record<'owner' | 'cartless', string>;
beforeAll(async () => {
  api = await testApi({ workerProviders: { gateways: { for: async ({ paymentMethod }) => gateways[paymentMethod] } } });
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
const gateways: Readonly<Record<string, PaymentGateway>> = {
  card: {
    ...{ code: 'card', canLookUp: false, canTrack: (payment) => payment !== null },
    refund: () => Promise.reject(new Error('Nothing is refunded here.')),
    lookUpRefund: () => Promise.reject(new Error('Nothing is looked up here.')),
  },
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
