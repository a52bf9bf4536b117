import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startWebhookCatcher, type WebhookCatcher } from '../../../local/webhook-catcher/server.ts';
import { secretKey } from '../../support/builders/counter.ts';
import { aPostedSale } from '../../support/builders/posted-sale.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { recordHistory } from '../../support/record-history.ts';
import { waitUntil } from '../../support/wait-until.ts';

let flow: Flow;
let catcher: WebhookCatcher;
beforeAll(async () => {
  flow = await aFlow({ settings: { POS_SECRET_KEY: secretKey, WEBHOOKS_TO_PRIVATE_NETWORKS: '1' } });
});
afterAll(() => flow.close());
beforeEach(async () => {
  catcher = await startWebhookCatcher();
});
afterEach(() => catcher.stop());

const call = (method: string, path: string, body?: unknown) =>
  flow.api.call(method, path, { token: flow.api.tokens.admin, ...(body === undefined ? {} : { body }) });

const endpoints = '/V1/pos/events/endpoints';

async function anEndpoint(wish: object = {}): Promise<{ endpointId: number; path: string }> {
  const path = `/hook-${catcher.secrets.size}`;
  const { status, body } = await call('POST', endpoints, { endpoint: { url: catcher.url + path, ...wish } });
  expect(status).toBe(200);
  catcher.secrets.set(path, body.secret);
  return { endpointId: body.endpoint_id, path };
}

async function aSale(): Promise<number> {
  const { status, body } = await call('POST', '/V1/orders', { entity: aPostedSale({ customer_id: null }) });
  expect(status).toBe(200);
  return body.entity_id;
}

const caughtOf = (orderId: number) =>
  catcher.caught.filter(({ body }) => (body as { object: { id: string } }).object.id === String(orderId));

test('a sale is told to an endpoint, signed, with the order as its route answers it', async () => {
  const { endpointId } = await anEndpoint({ types: ['order.placed', 'order.cancelled'] });
  const orderId = await aSale();
  await waitUntil('it came', async () => caughtOf(orderId).length === 1);

  const [caught] = caughtOf(orderId);
  expect(caught).toMatchObject({ type: 'order.placed', isSigned: true });
  const { body: feed } = await call('GET', '/V1/pos/events?after=0&wait=0&types=order.placed');
  expect(caught?.body).toEqual(feed.events.at(-1));

  await call('PUT', `${endpoints}/${endpointId}`, { endpoint: { is_on: false } });
  const run = flow.client.workflow.getHandle(`webhook-${endpointId}`);
  expect(await run.result()).toEqual({ delivered: 1, failed: 0 });
  await recordHistory(flow.client, `webhook-${endpointId}`, 'webhookWorkflow-switched-off');
});
