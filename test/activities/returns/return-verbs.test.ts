import { expect, test } from 'vitest';
import { createReturn } from '../../../db/returns/create-return.ts';
import { soldOrder } from '../../../db/returns/sold-order.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { verify } from '../../../books/verify/verify.ts';
import { pieces } from '../../../domain/money/quantity.ts';
import { isRefused } from '../../../domain/outcome.ts';
import { qtyReturnable } from '../../../domain/returns/eligibility.ts';
import { anItem, aReturn } from '../../support/builders/return.ts';
import { aCommand, aNotedRequest, aStatusRequest } from '../../support/builders/return-requests.ts';
import { booksOf } from '../../support/books.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import {
  opensACounter,
  orm,
  activities,
  locationId,
  commentsOf,
  auditOf,
  aRequest,
  approve,
  takeIn,
  aReceived,
  leftAs,
  resolve,
  settle,
  takeUp,
  isLimbo,
} from './a-returns-counter.ts';

opensACounter();

const { memosOf, itemsOf, attemptsOf, wordsOf, theReturn, fork } = booksOf(() => orm);

test('an approval with a word is carried out once, however often and however concurrently it is asked for', async () => {
  const { returnId } = await aRequest();
  const wanted = { returnId, request: aStatusRequest('approved', { comment: 'Fine by me' }) };

  const answers = await eightAtOnce(() => activities.setReturnStatus(wanted));
  const again = await activities.setReturnStatus(wanted);

  expect([...answers, again].map(leftAs)).toEqual(Array.from({ length: 9 }, () => 'approved'));
  expect(await wordsOf(returnId, 'comment', 'author')).toEqual([{ comment: 'Fine by me', author: 'Front register' }]);
  expect(await auditOf(returnId)).toEqual([{ old_value: 'pending', new_value: 'approved' }]);
});

test('an authorisation grants the quantities, an approval approves them', async () => {
  const { returnId } = await aRequest();
  const granted = () => itemsOf(returnId, 'qty_authorized', 'qty_approved');

  await activities.setReturnStatus({ returnId, request: aStatusRequest('authorized') });
  expect(await granted()).toEqual([{ qty_authorized: '2.0000', qty_approved: null }]);
  await approve(returnId);
  expect(await granted()).toEqual([{ qty_authorized: '2.0000', qty_approved: '2.0000' }]);
});

test('a creation that is not finished may be refused, not taken over', async () => {
  const { returnId } = await aReturn(orm, { locationId });

  expect(await approve(returnId)).toMatchObject({
    refused: { status: 409, parameters: { outcome: 'return_not_ready', return_id: returnId } },
  });
  expect(leftAs(await activities.setReturnStatus({ returnId, request: aStatusRequest('denied') }))).toBe('denied');
  expect(await takeUp(returnId)).toMatchObject({ now: { status: 'denied', isReady: true } });
});

test('a resolution in cash books one memo, however often and however concurrently it is asked for', async () => {
  const { returnId, orderId, itemId } = await aReceived();

  const answers = await eightAtOnce(() => resolve(returnId, itemId, 'refund', 'cash'));
  const again = await resolve(returnId, itemId, 'refund', 'cash');

  for (const answer of [...answers, again]) expect(leftAs(answer)).toBe('resolved');
  expect(await memosOf(orderId, 'grand_total')).toEqual([{ grand_total: '108.0000' }]);
  expect((await commentsOf(returnId))[0]).toBe('Resolved: MUG Refund by cash.');
  expect((await auditOf(returnId)).at(-1)).toEqual({ old_value: 'items_received', new_value: 'resolved' });
});

test('a resolution through the gateway opens one attempt, and resolves the return when it is booked', async () => {
  const { returnId, orderId, itemId } = await aReceived();

  const request = {
    ...aCommand(),
    resolutions: [{ rmaItemId: itemId, mode: 'refund' as const, refundMethod: 'original_payment' as const }],
  };
  const answers = await eightAtOnce(() => activities.resolveReturn({ returnId, request }));

  const attempts = await attemptsOf(returnId, 'attempt_id', 'amount');
  expect(attempts).toHaveLength(1);
  const attemptId = Number(attempts[0]!['attempt_id']);
  for (const answer of answers)
    expect(answer).toMatchObject({
      now: { status: 'awaiting_refund', attemptId },
      attempt: { attemptId, isClaimed: false, endsAs: 'resolved' },
    });

  await recordFinding(orm.em, {
    attemptId,
    finding: { evidence: 'refunded', gatewayReference: 'gw-7' },
    now: new Date(),
  });
  expect(await theReturn(returnId, 'status', 'refund_method')).toEqual({
    status: 'resolved',
    refund_method: 'original_payment',
  });
  expect(await memosOf(orderId, 'grand_total')).toEqual([{ grand_total: '108.0000' }]);
});

test('a gateway that refuses leaves the return parked with its resolutions, and cash resolves it then', async () => {
  const { returnId, orderId, itemId } = await aReceived();
  const opened = await resolve(returnId, itemId, 'refund', 'original_payment');
  const attemptId = isRefused(opened) ? 0 : opened.attempt!.attemptId;
  const finding = { evidence: 'not_refunded', isFinal: true, gatewayOutcome: 'declined' } as const;
  await recordFinding(orm.em, { attemptId, finding, now: new Date() });

  expect(leftAs(await settle(returnId))).toBe('resolved');
  expect(await memosOf(orderId)).toHaveLength(1);
});

test('a refund without a method resolves the return and gives nothing back, and says so', async () => {
  const { returnId, orderId, itemId } = await aReceived();

  expect(leftAs(await resolve(returnId, itemId, 'refund', null))).toBe('resolved');

  expect(await memosOf(orderId)).toEqual([]);
  expect(await commentsOf(returnId)).toEqual(['Resolved: MUG Refund, no money moves.']);
});

test.each([
  ['refund', 'requested', true],
  ['store_credit', 'requested', true],
  ['exchange', 'requested', false],
  ['refund', 'taken in', false],
] as const)(
  'goods resolved as %s without money when they were %s can come back another day: %s',
  async (mode, stage, canComeBack) => {
    const { returnId, orderId, itemId } = stage === 'requested' ? await aRequest() : await aReceived();

    expect(leftAs(await resolve(returnId, itemId, mode, null))).toBe('resolved');

    const { lines } = await soldOrder(fork(), orderId);
    expect(lines.map(qtyReturnable)).toEqual([pieces(canComeBack ? 2 : 0)]);
    if (!canComeBack) return;
    const again = await createReturn(orm.em, {
      orderId,
      customerId: null,
      locationId: null,
      items: [{ ...anItem(lines[0]!.orderItemId), qtyRequested: pieces(2) }],
      comment: null,
      isAutoApproved: false,
      refundMethod: null,
      posSaleId: null,
    });
    expect(again.isReused).toBe(false);
  },
);

test('a resolution that is refused leaves nothing behind', async () => {
  const { returnId, orderId, itemId } = await aRequest();

  expect(await resolve(returnId, itemId, 'refund', 'cash')).toMatchObject({ refused: { status: 400 } });

  expect(await itemsOf(returnId, 'resolution', 'resolution_mode')).toEqual([
    { resolution: 'Refund', resolution_mode: null },
  ]);
  expect(await commentsOf(returnId)).toEqual([]);
  expect(await memosOf(orderId)).toEqual([]);
});

test('an unknown return is a refusal of every verb', async () => {
  const returnId = 999_999;
  const answers = [
    await approve(returnId),
    await activities.cancelRefund({ returnId, request: aNotedRequest() }),
    await activities.closeReturn({ returnId, request: aNotedRequest() }),
    await activities.readReturn({ returnId }),
    await takeUp(returnId),
    await takeIn({ returnId, itemId: 1 }),
    await resolve(returnId, 1, 'repair', null),
    await settle(returnId),
    await settle(returnId, { method: 'original_payment' }),
    await activities.openFastTrack({ returnId, request: { ...aCommand(), resolution: 'refund', isOnline: false } }),
  ];
  expect(answers).toEqual(answers.map(() => ({ refused: expect.objectContaining({ status: 404 }) })));
});

test('after all of that the books balance', async () => {
  expect((await verify(fork(), { lookAgainAfterMs: 1 })).filter(({ id }) => !isLimbo(id))).toEqual([]);
});
