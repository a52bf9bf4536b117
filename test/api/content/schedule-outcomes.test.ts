import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testApi, type TestApi } from '../../support/api.ts';
import { aShop } from '../../support/builders/shop.ts';
import { expectRefused } from '../../support/expect-refused.ts';

let api: TestApi;
let contentId: number;
beforeAll(async () => {
  const unasked = () => Promise.reject(new Error('nobody asks here'));
  const nothing = async () => undefined;
  api = await testApi({
    workflows: {
      ask: unasked,
      start: nothing,
      signal: nothing,
      refuseWhileAway: async () => undefined,
      isReachable: async () => true,
    },
  });
  await aShop(api.orm.em.fork());
  const block = { identifier: 'offer', title: 'Offer', content: 'x' };
  contentId = (await call('POST', '/V1/cmsBlock', { block })).body.id;
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const call = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  api.call(method, path, { token: api.tokens.admin, headers, ...(body === undefined ? {} : { body }) });
const path = '/V1/vendorCms/schedule';

let year = 2030;
const plan = (more: object = {}) => ({
  schedule: { content_id: contentId, action: 'publish', due_at: `${++year}-01-01 06:00:00`, ...more },
});
const made = async (more: object = {}) => (await call('POST', path, plan(more))).body as { id: number; due_at: string };

/** A plan is changed by PUT, and by POST with its id. */
const changes = (id: number) => [
  (more: object, headers?: Record<string, string>) => call('PUT', `${path}/${id}`, plan(more), headers),
  (more: object, headers?: Record<string, string>) => call('POST', path, plan({ id, ...more }), headers),
];

test('a plan that is not there is not changed', async () => {
  const said = `The schedule with the "%1" ID doesn't exist.`;
  for (const change of changes(999_999)) await expectRefused({ send: () => change({}), status: 404, said });
});

test('a plan that was called off is over', async () => {
  const { id } = await made();
  await call('POST', `${path}/${id}/cancel`, {});
  for (const change of changes(id))
    await expectRefused({ send: () => change({}), status: 400, said: 'The schedule is over: %1.' });
});

test('a plan that another editor changed is refused with 409, or 412 by its header', async () => {
  const { id } = await made();
  await call('PUT', `${path}/${id}`, plan());
  for (const change of changes(id)) {
    await expectRefused({ send: () => change({ revision: 1 }), status: 409, said: 'content_changed' });
    await expectRefused({ send: () => change({}, { 'if-match': '"1"' }), status: 412, said: 'content_changed' });
  }
});

test('a plan names a version that there is, and a moment of its own', async () => {
  const [one, other] = [await made(), await made()];
  for (const change of changes(one.id)) {
    await expectRefused({ send: () => change({ version: 9 }), status: 404, said: 'The version %1 does not exist.' });
    const said = 'The same is scheduled for this moment already.';
    await expectRefused({ send: () => change({ due_at: other.due_at }), status: 400, said });
  }
});
