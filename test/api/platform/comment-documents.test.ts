import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../support/api.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aShop } from '../../support/builders/shop.ts';

let api: TestApi;
let ids: Record<string, number>;
beforeAll(async () => {
  api = await testApi();
  await aShop(api.orm.em.fork());
  const { orderId } = await anOrder(api.orm.em.fork(), { shipped: false });
  const ship = await ask('POST', `order/${orderId}/ship`, {});
  const invoices = await ask('GET', 'invoices?searchCriteria=');
  const refund = await ask('POST', `order/${orderId}/refund`, {});
  ids = { shipment: ship.body, invoices: invoices.body.items[0].entity_id, creditmemo: refund.body };
});
afterAll(() => api.close());

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
    const line = { parent_id: id, comment: 'Left with the neighbour', is_customer_notified: 0, is_visible_on_front: 1 };
    expect(await say(document, id, line.comment)).toMatchObject({ status: 200, body: line });
    expect(await say(document, id, line.comment)).toMatchObject({ status: 200, body: line });
    expect((await ask('GET', `${document}/${id}/comments`)).body).toMatchObject({
      items: [line, line],
      total_count: 2,
    });
  },
);

test.each(['shipment', 'invoices', 'creditmemo'])('nothing is said about an unknown document: %s', async (document) => {
  expect(await say(document, 999_999, 'Hello')).toMatchObject({
    status: 404,
    body: { message: "The entity that was requested doesn't exist. Verify the entity and try again." },
  });
});

test.each(['shipment', 'invoices', 'creditmemo'])('a card number is kept with no document: %s', async (document) => {
  expect(await say(document, ids[document], 'paid by 4111 1111 1111 1111')).toMatchObject({ status: 400 });
  expect(await say(document, ids[document], undefined)).toMatchObject({ status: 400 });
});
