import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { aTerminal } from '../../support/builders/counter.ts';
import { booksOf } from '../../support/books.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { recordHistory } from '../../support/record-history.ts';
import { something } from '../../support/books/which.ts';
import { inSeconds } from '../../support/moments.ts';

let flow: Flow;
beforeAll(async () => {
  flow = await aFlow();
});
afterAll(() => flow.close());

const { find, fork, howMany, insertAll } = booksOf(() => flow.api.orm);

test('an hour removes the codes that have expired, with their mails; two at once come to the same', async () => {
  const { terminalId } = await aTerminal(fork(), { locationId: flow.shop.locationId });
  const codes = await insertAll(
    'pos_one_time_code',
    Array.from({ length: 6_001 }, (_, at) => ({
      ...{ email_digest: String(at), terminal_id: terminalId, website_id: 1, code_digest: 'x', most_guesses: 5 },
      ...{ request_key: randomUUID(), expires_at: inSeconds(at === 1 ? 60 : 0) },
    })),
  );
  await insertAll(
    'mail_outbox',
    codes.map(({ code_id, expires_at }) => ({
      ...{ mail_key: `code-${code_id}`, kind: 'one_time_code', code_id, dies_at: expires_at },
    })),
  );
  const hour = (name: string) =>
    flow.client.workflow.execute('purgeOneTimeCodes', {
      taskQueue: flow.taskQueue,
      workflowId: `purge-codes-${name}-${flow.taskQueue}`,
      args: [],
    });

  const removed = (await Promise.all([hour('1'), hour('2')])).map(Number);
  await recordHistory(flow.client, `purge-codes-1-${flow.taskQueue}`, 'purge-one-time-codes');

  expect((removed[0] ?? 0) + (removed[1] ?? 0)).toBe(6_000);
  expect(await find('pos_one_time_code', {}, 'email_digest')).toEqual([{ email_digest: '1' }]);
  expect(await howMany('mail_outbox', { code_id: something })).toBe(1);
});
