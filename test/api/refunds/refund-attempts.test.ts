import { afterAll, beforeAll, expect, test } from 'vitest';
import { replayHeader } from '../../../api/http/mark-replayed.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { aRefundAttempt } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';

/** What of refund attempts needs no workflow: reads, decided attempts, refusals. The rest is in test/workflows/refunds. */
let api: TestApi;
let locationId: number;
beforeAll(async () => {
  api = await testApi();
  ({ locationId } = await aShop(api.orm.em.fork()));
});
afterAll(() => api.close());

const call = (method: string, path: string, body?: object) =>
  api.call(method, `/V1/pos/rma/refund-attempts/${path}`, { token: api.tokens.register, ...(body ? { body } : {}) });
const word = { resolution: 'refunded', staffName: 'Ada', note: '' };

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

test('an attempt has every key of the interface; an unknown value is null', async () => {
  const { attemptId, orderId, returnId } = await aRefundAttempt(api.orm, { locationId });
  const uncertain = {
    attempt_id: attemptId,
    order_id: orderId,
    return_id: returnId,
    payment_method: 'provider_a',
    channel: 'original',
    state: 'uncertain',
    base_amount: 54,
    credit_memo_id: null,
    credit_memo_increment_id: null,
    gateway_outcome: null,
    gateway_reference: null,
    message: null,
    resolved_by: null,
    resolution_note: null,
    created_at: moment,
    updated_at: moment,
  };
  expect((await call('GET', `${attemptId}`)).body).toEqual(uncertain);

  const finding = {
    evidence: 'refunded' as const,
    gatewayOutcome: 'approved',
    gatewayReference: `re_${attemptId}`,
    message: 'Seen in the portal.',
    resolvedBy: 'Ada',
    resolutionNote: 'statement of May',
  };
  await recordFinding(api.orm.em, { attemptId, finding, now: new Date() });

  const booked = await call('GET', `${attemptId}`);
  expect(booked.body).toEqual({
    ...uncertain,
    state: 'booked',
    credit_memo_id: expect.any(Number),
    credit_memo_increment_id: expect.any(String),
    gateway_outcome: 'approved',
    gateway_reference: `re_${attemptId}`,
    message: 'Seen in the portal.',
    resolved_by: 'Ada',
    resolution_note: 'statement of May',
  });
  const again = [
    await call('POST', `${attemptId}/reconcile`),
    await call('POST', `${attemptId}/resolve`, { ...word, resolution: 'not_refunded' }),
  ];
  for (const { body, headers } of again) expect([body, headers.get(replayHeader)]).toEqual([booked.body, 'true']);
  const rma = await api.call('GET', `/V1/pos/rma/${returnId}`, { token: api.tokens.register });
  expect(rma.body).toMatchObject({ refund_attempt_id: attemptId, refund_attempt_state: 'booked', status: 'closed' });
});

test('an unknown attempt is 404, on every route', async () => {
  const answers = [
    await call('GET', '999999'),
    await call('POST', '999999/reconcile'),
    await call('POST', '999999/resolve', word),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
});

test.each([
  ['without a resolution', { resolution: undefined }],
  ['with an unknown one', { resolution: 'uncertain' }],
  ['without a name', { staffName: undefined }],
  ['in nobody’s name', { staffName: ' ' }],
  ['with a card number in the note', { note: 'card 4111 1111 1111 1111' }],
])('a word %s is refused, and the attempt is as it was', async (_case, more) => {
  const { attemptId } = await aRefundAttempt(api.orm, { locationId });
  expect((await call('POST', `${attemptId}/resolve`, { ...word, ...more })).status).toBe(400);
  expect((await call('GET', `${attemptId}`)).body).toMatchObject({ state: 'uncertain', resolved_by: null });
});
