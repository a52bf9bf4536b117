import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { replayHeader } from '../../api/http/within.ts';
import { markFollowed } from '../../db/returns/followed.ts';
import { openSession } from '../../db/staff/sessions.ts';
import { secretKey } from '../support/builders/counter.ts';
import { aRequestedReturn } from '../support/builders/return.ts';
import { someTelemetry } from '../support/builders/telemetry.ts';
import { booksOf } from '../support/books.ts';
import { aFlow, type Flow } from '../support/flow.ts';
import { housekeeper, lookNow } from '../support/housekeeping.ts';
import { daysAgo, inMinutes } from '../support/moments.ts';
import { anApiProcess, aWorkerProcess, type OwnProcess } from '../support/own-process.ts';
import { waitUntil } from '../support/wait-until.ts';

const preload = fileURLToPath(new URL('../support/shifted-clock.mjs', import.meta.url));
const hourMs = 3_600_000;
const today = () => new Date().toISOString().slice(0, 10);

/** Machines whose clocks are wrong by more than everything is kept for. The database's is the test's own. */
describe.each([400, -400])('a worker and an API whose clocks are wrong by %i days', (days) => {
  let flow: Flow;
  let worker: OwnProcess;
  let api: OwnProcess & { url: string };
  beforeAll(async () => {
    flow = await aFlow({ startsWorker: false, settings: { POS_SECRET_KEY: secretKey } });
    const env = { CLOCK_AHEAD_DAYS: String(days), POS_SECRET_KEY: secretKey };
    [worker, api] = await Promise.all([aWorkerProcess(flow, { preload, env }), anApiProcess(flow, { preload, env })]);
  });
  afterAll(async () => {
    await Promise.all([worker?.kill(), api?.kill()]);
    await flow.close();
  });

  const { fork, insert, howMany, find, findOne, rows } = booksOf(() => flow.api.orm);
  const call = async (method: string, path: string, given: { token?: string; body?: object; key?: string } = {}) => {
    const { token = flow.api.tokens.admin, body, key } = given;
    const answer = await fetch(`${api.url}/rest/V1/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // oxlint-disable-next-line typescript/no-explicit-any
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as any };
  };
  const night = (workflow: string) =>
    flow.client.workflow.execute(workflow, {
      taskQueue: flow.taskQueue,
      workflowId: `${workflow}-${flow.taskQueue}`,
      args: [],
    });

  test('a night’s purge frees no key, signs nobody out, and removes what is really old', async () => {
    const key = randomUUID();
    const body = { group: { code: `group-of-${flow.taskQueue}`, tax_class_id: 3 } };
    const made = await call('POST', 'customerGroups', { body, key });
    expect(made.status).toBe(200);
    await openSession(fork(), { staffId: 7, emailKey: 'a@b.example', terminalId: undefined });
    await insert('rate_limit', { bucket: 'old', attempts: 1, window_ends_at: daysAgo(2) });
    await insert('rate_limit', { bucket: 'present', attempts: 1, window_ends_at: inMinutes(5) });
    await insert('pos_staff_session', { digest: 'gone', staff_id: 7, expires_at: daysAgo(31) });

    await night('purgeLeftovers');

    const again = await call('POST', 'customerGroups', { body, key });
    expect([again.body.id, again.headers.get(replayHeader)]).toEqual([made.body.id, 'true']);
    expect(await howMany('pos_staff_session', { staff_id: 7 })).toBe(1);
    expect(await find('rate_limit', {}, 'bucket')).toEqual([{ bucket: 'present' }]);
  });

  test('telemetry of yesterday is summed up and kept, and the prices are of today', async () => {
    await someTelemetry(fork(), { day: daysAgo(1).toISOString().slice(0, 10), count: 3 });
    await night('rollUpTelemetry');
    await night('reindexCatalogRules');

    expect(await find('pos_telemetry_summary', {}, 'event_count')).toEqual([{ event_count: 3 }]);
    expect(await howMany('pos_telemetry_event')).toBe(3);
    const opened = await rows<{ relname: string }>(
      `select relname from pg_class where relname = 'pos_telemetry_event_' || to_char(now() at time zone 'UTC',
        'YYYYMMDD')`,
    );
    expect(opened).toHaveLength(1);
    const [index] = await rows(`select indexed_at > now() - interval '1 hour' and indexed_at <= now() as is_new
      from catalog_rule_index limit 1`);
    expect(index).toEqual({ is_new: true });
  });

  test('a token lives its hours, a locked user name waits its minutes, and what is written is of today', async () => {
    const customer = { email: `ann-${days}@shop.test`, firstname: 'Ann', lastname: 'Lee' };
    const password = 'Paper-Lantern-7';
    expect((await call('POST', 'customers', { body: { customer, password } })).status).toBe(200);
    const signIn = (word: string) =>
      call('POST', 'integration/customer/token', { body: { username: customer.email, password: word } });
    const { body: token } = await signIn(password);
    expect((await call('GET', 'customers/me', { token })).status).toBe(200);

    const [{ expires_at: expiresAt }] = (await find('access_token', { user_type: 'customer' }, 'expires_at')) as [
      { expires_at: string },
    ];
    const livesMs = Date.parse(expiresAt) - Date.now();
    expect([livesMs > 0.9 * hourMs, livesMs < 1.1 * hourMs]).toEqual([true, true]);
    const { created_at: createdAt } = await findOne('customer', { email: customer.email }, 'created_at');
    expect(String(createdAt).slice(0, 10)).toBe(today());
    expect((await call('GET', 'customers/me', { token })).body.created_at.slice(0, 10)).toBe(today());
  });

  test('a return whose workflow was terminated is followed again within the hour', async () => {
    const { returnId } = await aRequestedReturn(flow.api.orm);
    await markFollowed(fork(), returnId);
    const handle = flow.client.workflow.getHandle(`return-${returnId}`);
    const { taskQueue } = flow;
    await flow.client.workflow.start('returnWorkflow', {
      ...{ workflowId: handle.workflowId, taskQueue, args: [{ rmaId: returnId }] },
    });
    await handle.terminate('an operator was in a hurry');
    const query = `WorkflowId = '${handle.workflowId}' AND ExecutionStatus = 'Terminated'`;
    await waitUntil('it is listed', async () => (await flow.client.workflow.count(query)).count === 1);

    // A new life looks for them at once. The comparison of each day would find it too, later.
    await housekeeper(flow).terminate('its look came before the end of that workflow');
    await lookNow(flow, {}, { comparedAt: Number.MAX_SAFE_INTEGER });
    expect((await handle.describe()).status.name).toBe('RUNNING');
    await housekeeper(flow).terminate('the test is over');
  });

  test('content is published once its moment has come by the database’s clock', async () => {
    const token = await flow.api.adminTokenFor('Magento_Cms::block', 'Vendor_Cms::schedule');
    const { body: block } = await call('POST', 'cmsBlock', {
      token,
      body: { block: { identifier: `later-${days}`, title: 'Later', content: '<p>later</p>' } },
    });
    const due = new Date(Date.now() + 2_000).toISOString().slice(0, 19).replace('T', ' ');
    const schedule = { content_id: Number(block.id), action: 'publish', due_at: due };
    const planned = await call('POST', 'vendorCms/schedule', { token, body: { schedule } });
    expect(planned).toMatchObject({ status: 200, body: { state: 'pending' } });
    await waitUntil('it is published', async () => (await howMany('content_publication')) === 1, 30_000);
    const { published_at: publishedAt } = await findOne('content_publication', {}, 'published_at');
    expect(String(publishedAt).slice(0, 10)).toBe(today());
  });
});
