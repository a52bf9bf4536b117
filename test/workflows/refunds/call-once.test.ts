import { afterAll, beforeAll, expect, test } from 'vitest';
import { aHalfMadeReturn, finishReturn } from '../../support/builders/half-made-return.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { aRegister } from '../../support/register.ts';

let flow: Flow;
beforeAll(async () => {
  flow = await aFlow({ gatewayTimeoutSeconds: 2 });
});
afterAll(() => flow.close());

test('Temporal hands the gateway call out once, and gives it longer than the call itself may take', async () => {
  const register = aRegister(flow);
  const rmaId = await aHalfMadeReturn(flow, await register.sale('12.00'));
  expect(await finishReturn(flow, rmaId)).toEqual({ status: 'closed' });

  const { events } = await flow.client.workflow.getHandle(`return-${rmaId}`).fetchHistory();
  const calls = (events ?? [])
    .map(({ activityTaskScheduledEventAttributes: scheduled }) => scheduled)
    .filter((scheduled) => scheduled?.activityType?.name === 'refundThroughGateway');

  expect(calls.map((call) => call?.retryPolicy?.maximumAttempts)).toEqual([1]);
  expect(Number(calls[0]?.startToCloseTimeout?.seconds)).toBeGreaterThan(2);
});
