import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WorkflowNotFoundError } from '@temporalio/client';
import { booksOf } from '../../support/books.ts';
import { shownWith } from '../../support/books/content.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { lookNow } from '../../support/housekeeping.ts';
import { inSeconds, minutesAgo } from '../../support/moments.ts';
import { aWorkerProcess } from '../../support/own-process.ts';
import { recordHistory } from '../../support/record-history.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('content renewal', () => {
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
});

describe('content schedule', () => {
  let flow: Flow;
  let names = 0;
  beforeAll(async () => {
    flow = await aFlow();
  });
  afterAll(() => flow.close());

  const call = async (method: string, path: string, body?: unknown) => {
    const { api } = flow;
    const answer = await api.call(method, path, { token: api.tokens.admin, ...(body === undefined ? {} : { body }) });
    expect({ path, ...answer }).toMatchObject({ status: 200 });
    return answer.body;
  };
  const aBlock = async () =>
    (await call('POST', '/V1/cmsBlock', { block: { identifier: `b-${++names}`, title: 'T', content: 'x' } }))
      .id as number;
  const plan = async (contentId: number, dueAt: Date, more: object = {}) =>
    (await call('POST', '/V1/vendorCms/schedule', {
      schedule: { content_id: contentId, action: 'publish', due_at: dueAt, ...more },
    })) as { id: number };
  const stateOf = async (id: number) => (await call('GET', `/V1/vendorCms/schedule/${id}`)).state as string;
  const shownVersion = async (contentId: number) =>
    (await call('GET', `/V1/cmsBlock/${contentId}`)).extension_attributes.published_version as number | undefined;
  const handle = (id: number) => flow.client.workflow.getHandle(`content-schedule-${id}`);
  /** Until its workflow waits for its moment, or has ended it. */
  const waits = (id: number) =>
    waitUntil(`schedule ${id} is followed`, async () => {
      const schedule = await findOne('content_schedule', { schedule_id: id }, 'followed_at', 'state');
      return schedule.followed_at !== null || schedule.state !== 'pending';
    });
  /**
   * What became of it. Its workflow starts after the answer, so it is looked for first; one that is due is never seen
   * to wait.
   */
  const outcomeOf = async (id: number) => {
    await waitUntil(`schedule ${id} has a workflow`, () => isThere(id));
    return handle(id).result();
  };
  const isThere = async (id: number) => {
    try {
      await handle(id).describe();
      return true;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  };
  const { findOne, change } = booksOf(() => flow.api.orm);

  test('a block is published when its moment comes, and taken back at another', async () => {
    const block = await aBlock();
    const schedule = await plan(block, inSeconds(4));
    expect(await shownVersion(block)).toBeUndefined();

    expect(await outcomeOf(schedule.id)).toBe('done');
    expect([await shownVersion(block), await stateOf(schedule.id)]).toEqual([1, 'done']);
    expect(
      await recordHistory(flow.client, `content-schedule-${schedule.id}`, 'content-schedule-published'),
    ).toBeLessThanOrEqual(25);

    const end = await plan(block, inSeconds(-5), { action: 'unpublish' });
    expect(await outcomeOf(end.id)).toBe('done');
    expect(await shownVersion(block)).toBeUndefined();
  });

  test('the plans of content that is deleted end with it, and nothing is published any more', async () => {
    const block = await aBlock();
    const { id } = await plan(block, inSeconds(3600));
    await waits(id);
    await call('DELETE', `/V1/cmsBlock/${block}`);
    expect(await handle(id).result()).toBe('unknown');
  });

  test('a plan that is moved is carried out at its new moment, the version it names', async () => {
    const block = await aBlock();
    const { id } = await plan(block, inSeconds(3600), { version: 1 });
    await waits(id);
    await call('PUT', `/V1/cmsBlock/${block}`, { block: { content: 'y' } });
    await call('PUT', `/V1/vendorCms/schedule/${id}`, { schedule: { due_at: inSeconds(-1) } });
    expect(await handle(id).result()).toBe('done');
    expect(await shownVersion(block)).toBe(1);
  });

  test('a clock that runs ahead of the database’s: the timer finds that it is not due and waits on', async () => {
    const block = await aBlock();
    const { id } = await plan(block, inSeconds(4));
    await change('content_schedule', { schedule_id: id }, { due_at: inSeconds(7) });
    expect(await outcomeOf(id)).toBe('done');
    const { ended_at: ended, due_at: due } = await findOne(
      'content_schedule',
      { schedule_id: id },
      'ended_at',
      'due_at',
    );
    expect(Date.parse(ended)).toBeGreaterThanOrEqual(Date.parse(due));
  });

  test('called off by its editor, by an operator on the Temporal page, or deleted: nothing is published', async () => {
    const block = await aBlock();
    const [one, two, three] = [
      await plan(block, inSeconds(3600)),
      await plan(block, inSeconds(3601)),
      await plan(block, inSeconds(3602)),
    ];
    await Promise.all([one, two, three].map(({ id }) => waits(id)));

    for (let times = 0; times < 2; times++)
      expect(await call('POST', `/V1/vendorCms/schedule/${one.id}/cancel`, {})).toMatchObject({ state: 'cancelled' });
    await handle(two.id).cancel();
    await call('DELETE', `/V1/vendorCms/schedule/${three.id}`);

    expect(await handle(one.id).result()).toBe('cancelled');
    expect(await handle(two.id).result()).toBe('cancelled');
    expect(await handle(three.id).result()).toBe('unknown');
    expect(await stateOf(two.id)).toBe('cancelled');
    expect(await shownVersion(block)).toBeUndefined();
    await recordHistory(flow.client, `content-schedule-${two.id}`, 'content-schedule-cancelled-by-operator');
    await recordHistory(flow.client, `content-schedule-${three.id}`, 'content-schedule-deleted');
  });

  test('the sweep of each minute takes up a schedule without a workflow, and one whose workflow was terminated', async () => {
    const block = await aBlock();
    const late = await plan(block, inSeconds(3600));
    await waits(late.id);
    await handle(late.id).terminate('an operator was in a hurry');
    await change('content_schedule', { schedule_id: late.id }, { due_at: minutesAgo(2) });
    expect((await lookNow(flow)).counts).toMatchObject({ 'content schedules': 1 });

    expect(await handle(late.id).result()).toBe('done');
    expect(await shownVersion(block)).toBe(1);
  });

  test('a worker that is killed while it waits: the next one publishes, once', async () => {
    const own = await aFlow({ startsWorker: false });
    const other = flow;
    flow = own;
    let workers = [await aWorkerProcess(own)];
    try {
      const block = await aBlock();
      const { id } = await plan(block, inSeconds(8));
      await waits(id);
      await Promise.all(workers.map((one) => one.kill()));
      workers = [await aWorkerProcess(own)];
      expect(await handle(id).result()).toBe('done');
      expect(await shownVersion(block)).toBe(1);
      const { extension_attributes } = await call('GET', `/V1/cmsBlock/${block}`);
      expect(extension_attributes.revision).toBe(2);
    } finally {
      await Promise.all(workers.map((one) => one.kill()));
      flow = other;
      await own.close();
    }
  });
});
