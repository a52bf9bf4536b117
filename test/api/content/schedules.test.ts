import { afterAll, beforeAll, expect, test } from 'vitest';
import { carryOutSchedule } from '../../../db/content/carry-out-schedule.ts';
import { invalid } from '../../../domain/errors.ts';
import type { RenderContent } from '../../../domain/content/render-content.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { aShop } from '../../support/builders/shop.ts';
import { eightAtOnce } from '../../support/rivals.ts';

let api: TestApi;
let contentId: number;
beforeAll(async () => {
  const unasked = () => Promise.reject(new Error('nobody asks here'));
  const [begin, tell] = [async () => undefined, async () => undefined];
  api = await testApi({
    workflows: {
      ask: unasked,
      start: begin,
      signal: tell,
      refuseWhileAway: async () => undefined,
      isReachable: async () => true,
    },
  });
  await aShop(api.orm.em.fork());
  const block = { identifier: 'b', title: 'T', content: 'x' };
  contentId = (await call('POST', '/V1/cmsBlock', { block })).body.id;
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const call = (method: string, path: string, body?: unknown, token = api.tokens.admin) =>
  api.call(method, path, { token, ...(body === undefined ? {} : { body }) });
const path = '/V1/vendorCms/schedule';
const wish = (more: object = {}) => ({
  schedule: { content_id: contentId, action: 'publish', due_at: '2030-01-01 06:00:00', ...more },
});
const render: RenderContent<unknown> = async () => ({ html: '', css: '', uses: [], inViews: [] });
const carryOut = (scheduleId: number, how = render) =>
  carryOutSchedule(api.orm.em, { scheduleId, render: how, now: new Date() });
const revision = async () => (await call('GET', `/V1/cmsBlock/${contentId}`)).body.extension_attributes.revision;

test('the same plan eight times is one, while it waits', async () => {
  const all = await eightAtOnce(() => call('POST', path, wish()));
  expect(new Set(all.map(({ body }) => body.id)).size).toBe(1);
  expect((await call('POST', path, wish({ version: 1 }))).status).toBe(400);
  await call('POST', `${path}/${all[0]?.body.id}/cancel`, {});
  expect((await call('POST', path, wish())).body.id).not.toBe(all[0]?.body.id);
});

test('carried out eight times at once it is carried out once, and never before its moment', async () => {
  const { body } = await call('POST', path, wish({ due_at: '2031-01-01 06:00:00' }));
  expect(await carryOut(body.id)).toMatchObject({ state: 'pending' });
  await call('PUT', `${path}/${body.id}`, { schedule: { due_at: '2020-01-01 06:00:00' } });
  const before = await revision();
  const all = await eightAtOnce(() => carryOut(body.id));
  expect(new Set(all.map(({ state }) => state))).toEqual(new Set(['done']));
  expect(await revision()).toBe(before + 1);
  // Taken back by hand afterwards: a late retry does not show it again.
  await call('POST', `/V1/cmsBlock/${contentId}/unpublish`, {});
  await carryOut(body.id);
  expect(await revision()).toBe(before + 2);
  await call('POST', `/V1/cmsBlock/${contentId}/publish`, {});
  expect(await call('PUT', `${path}/${body.id}`, wish())).toMatchObject({
    status: 400,
    body: { message: 'The schedule is over: %1.', parameters: ['done'] },
  });
});

test('after an outage the plans of one content are carried out in the order of their moments', async () => {
  const { body: block } = await call('POST', '/V1/cmsBlock', {
    block: { identifier: 'offer', title: 'T', content: 'x' },
  });
  const plan = async (action: string, due_at: string) =>
    (await call('POST', path, wish({ content_id: block.id, action, due_at }))).body.id as number;
  const end = await plan('unpublish', '2020-03-02 06:00:00');
  const begin = await plan('publish', '2020-03-01 06:00:00');
  const later = await plan('publish', '2040-03-01 06:00:00');
  const shown = async () => (await call('GET', `/V1/cmsBlock/${block.id}`)).body.extension_attributes;

  for (const id of [end, begin]) expect(await carryOut(id)).toMatchObject({ state: 'done' });
  expect(await shown()).toMatchObject({ revision: 3 });
  expect(await shown()).not.toHaveProperty('published_version');
  expect((await call('GET', `${path}/${later}`)).body.state).toBe('pending');
  await call('DELETE', `/V1/cmsBlock/${block.id}`);
});

test('content that cannot be published makes the schedule failed, with the reason, and changes nothing else', async () => {
  const { body } = await call('POST', path, wish({ action: 'unpublish', due_at: '2020-01-02 06:00:00' }));
  await carryOut(body.id);
  const again = await call('POST', path, wish({ due_at: '2020-01-03 06:00:00' }));
  const before = await revision();
  const failed = await carryOut(again.body.id, async () => {
    throw invalid('Too deep: %1.', [9]);
  });
  expect(failed).toMatchObject({ state: 'failed', refusal: 'Too deep: 9.' });
  expect(await revision()).toBe(before);
});

test('who may not publish it may not plan it, move it, call it off or delete it', async () => {
  const planner = await api.adminTokenFor('Vendor_Cms::schedule');
  const { body } = await call('POST', path, wish({ due_at: '2032-01-01 06:00:00' }));
  const refused = { status: 401, body: { parameters: { resources: 'Platform_Cms::block' } } };
  expect(await call('POST', path, wish(), planner)).toMatchObject(refused);
  expect(await call('PUT', `${path}/${body.id}`, wish(), planner)).toMatchObject(refused);
  expect(await call('POST', `${path}/${body.id}/cancel`, {}, planner)).toMatchObject(refused);
  expect(await call('DELETE', `${path}/${body.id}`, undefined, planner)).toMatchObject(refused);
  expect((await call('GET', `${path}/${body.id}`, undefined, planner)).body).toMatchObject({ state: 'pending' });
});

test.each([
  [{ content_id: 999_999 }, 404],
  [{ version: 9 }, 404],
  [{ action: 'burn' }, 400],
  [{ action: 'unpublish', version: 1 }, 400],
  [{ due_at: 'soon' }, 400],
  [{ due_at: null }, 400],
])('a plan of %j is refused with %i', async (wrong, status) => {
  expect((await call('POST', path, wish(wrong))).status).toBe(status);
});

test('plans are found by state, and go with their content', async () => {
  const filter = 'searchCriteria[filter_groups][0][filters][0]';
  const found = await call('GET', `${path}/search?${filter}[field]=state&${filter}[value]=failed`);
  expect(found.body.items).toMatchObject([{ state: 'failed', refusal: 'Too deep: 9.' }]);
  await call('DELETE', `/V1/cmsBlock/${contentId}`);
  expect((await call('GET', `${path}/search?searchCriteria`)).body.total_count).toBe(0);
});
