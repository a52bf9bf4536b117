import { afterAll, beforeAll, expect, test } from 'vitest';
import { booksOf } from '../../support/books.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { recordHistory } from '../../support/record-history.ts';
import { daysAgo } from '../../support/moments.ts';

let flow: Flow;
beforeAll(async () => {
  flow = await aFlow();
});
afterAll(() => flow.close());

const { howMany, insertAll } = booksOf(() => flow.api.orm);

test('the night’s run removes what is out of date, batch after batch; two runs at once remove the same', async () => {
  const old = { attempts: 1, window_ends_at: daysAgo(2) };
  await insertAll(
    'rate_limit',
    Array.from({ length: 12_000 }, (_, at) => ({ bucket: String(at), ...old })),
  );
  const night = (name: string) =>
    flow.client.workflow.execute('purgeLeftovers', {
      taskQueue: flow.taskQueue,
      workflowId: `purge-${name}-${flow.taskQueue}`,
      args: [],
    }) as Promise<Record<string, number>>;

  const nights = await Promise.all([night('1'), night('2')]);
  await recordHistory(flow.client, `purge-1-${flow.taskQueue}`, 'purge-leftovers');

  expect(nights.reduce((sum, removed) => sum + (removed['rate_limit'] ?? 0), 0)).toBe(12_000);
  expect(await howMany('rate_limit')).toBe(0);
});
