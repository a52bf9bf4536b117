import { afterAll, beforeAll, expect, test } from 'vitest';
import { booksOf } from '../../support/books.ts';
import { shownWith } from '../../support/books/content.ts';
import { minutesAgo } from '../../support/moments.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { lookNow } from '../../support/housekeeping.ts';
import { recordHistory } from '../../support/record-history.ts';
import { waitUntil } from '../../support/wait-until.ts';

let flow: Flow;
beforeAll(async () => {
  flow = await aFlow();
});
afterAll(() => flow.close());

const books = booksOf(() => flow.api.orm);

const call = async (method: string, path: string, body?: unknown) => {
  const { api } = flow;
  const answer = await api.call(method, path, { token: api.tokens.admin, ...(body === undefined ? {} : { body }) });
  expect({ path, ...answer }).toMatchObject({ status: 200 });
  return answer.body;
};
const texts = { title: 'T', extension_attributes: { liveview: true } };
const aBlock = async (identifier: string) =>
  (await call('POST', '/rest/all/V1/cmsBlock', { block: { identifier, content: 'one', ...texts } })).id as number;
const publish = (id: number) => call('POST', `/V1/cmsBlock/${id}/publish`, {});
const renewalOf = async (id: number) => (await call('GET', `/V1/cmsBlock/${id}`)).extension_attributes.renewal;
/** Pages that have it within, all published. */
const pages = async (identifier: string, count: number) => {
  for (let n = 1; n <= count; n++) {
    const page = { identifier: `${identifier}-${n}`, content: `{{block id="${identifier}"}}`, ...texts };
    const { id } = await call('POST', '/rest/all/V1/cmsPage', { page });
    await call('POST', `/V1/cmsPage/${id}/publish`, {});
  }
};
const shown = (identifier: string) => shownWith(books, identifier);
const renewalId = async (identifier: string) =>
  (await books.findOne('content_renewal', { identifier }, 'renewal_id')).renewal_id;

test('a worker renders what a block is part of; the answer and the Temporal page say how far it is', async () => {
  const block = await aBlock('offer');
  await publish(block);
  await pages('offer', 41);
  await call('PUT', `/V1/cmsBlock/${block}`, { block: { content: 'two' } });
  const { extension_attributes: said } = await publish(block);
  expect(said.renewal).toMatchObject({ places: 41, failures: [] });

  await waitUntil('all are rendered', async () => (await renewalOf(block)).finished_at !== undefined);
  expect(await renewalOf(block)).toMatchObject({ places: 41, rendered: 41 });
  expect(await shown('offer')).toEqual(['two']);
  const id = `content-renewal-${await renewalId('offer')}`;
  expect(await flow.client.workflow.getHandle(id).result()).toEqual({
    places: 41,
    rendered: 41,
    failed: 0,
    isDone: true,
  });
  expect(await recordHistory(flow.client, id, 'content-renewal')).toBeLessThanOrEqual(40);
});

test('a renewal without a workflow is taken up a minute later', async () => {
  const block = await aBlock('left');
  await publish(block);
  await pages('left', 21);
  await books.insert('content_renewal', {
    ...{ identifier: 'left', is_removal: false, places: 21, updated_at: minutesAgo(2) },
  });
  expect((await lookNow(flow)).counts).toMatchObject({ 'content renewals': 1 });
  await waitUntil('all are rendered', async () => (await renewalOf(block)).finished_at !== undefined);
  expect(await renewalOf(block)).toMatchObject({ rendered: 21 });
});
