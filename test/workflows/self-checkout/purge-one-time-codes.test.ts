import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { aTerminal } from '../../support/builders/counter.ts';
import { booksOf } from '../../support/books.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { recordHistory } from '../../support/record-history.ts';

let flow: Flow;
beforeAll(async () => {
  flow = await aFlow();
});
afterAll(() => flow.close());

const { fork } = booksOf(() => flow.api.orm);

test('an hour removes the codes that have expired, with their mails; two at once come to the same', async () => {
  const em = fork();
  const { terminalId } = await aTerminal(em, { locationId: flow.shop.locationId });
  await em.execute(
    `with c as (
       insert into pos_one_time_code (email_digest, terminal_id, website_id, code_digest, most_guesses, request_key, expires_at)
       select n::text, ?, 1, 'x', 5, gen_random_uuid(), now() + case when n = 1 then interval '1 minute' else interval '0' end
       from generate_series(1, 6001) n returning code_id, expires_at)
     insert into mail_outbox (mail_key, kind, code_id, dies_at)
     select 'code-' || code_id, 'one_time_code', code_id, expires_at from c`,
    [terminalId],
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
  expect(await em.execute('select email_digest from pos_one_time_code')).toEqual([{ email_digest: '1' }]);
  expect(await em.execute('select count(*)::int as n from mail_outbox where code_id is not null')).toEqual([{ n: 1 }]);
});
