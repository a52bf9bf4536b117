import { expect, test } from 'vitest';
import { createReturn } from '../../../db/returns/create-return.ts';
import { soldOrder } from '../../../db/returns/sold-order.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { verify } from '../../../books/verify/verify.ts';
import { pieces } from '../../../domain/money/quantity.ts';
import { qtyReturnable } from '../../../domain/returns/eligibility.ts';
import { anItem, aReturn } from '../../support/builders/return.ts';
import { booksOf } from '../../support/books.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import {
  opensACounter,
  orm,
  activities,
  locationId,
  commentsOf,
  auditOf,
  aNote,
  aRequest,
  approve,
  takeIn,
  aReceived,
  resolve,
  plain,
  isLimbo,
} from './a-returns-counter.ts';

opensACounter();

const { memosOf, itemsOf, attemptsOf, theReturn, fork, howMany } = booksOf(() => orm);

test('an approval with a word is carried out once, however often and however concurrently it is asked for', async () => {
  const { returnId } = await aRequest();
  const noteId = await aNote(returnId, 'Fine by me');
  const wanted = { returnId, status: 'approved' as const, noteId };

  const answers = await eightAtOnce(() => activities.setReturnStatus(wanted));
  const again = await activities.setReturnStatus(wanted);

  expect([...answers, again]).toEqual(Array.from({ length: 9 }, () => ({ status: 'approved' })));
  expect(await commentsOf(returnId)).toEqual(['Fine by me']);
  expect(await auditOf(returnId)).toEqual([{ old_value: 'pending', new_value: 'approved' }]);
  expect(await howMany('sale_return_note', { return_id: returnId })).toBe(0);
});

test('a word that another return was given is not told in this one', async () => {
  const [mine, other] = [await aRequest(), await aRequest()];
  const noteId = await aNote(other.returnId, 'not yours');

  await activities.setReturnStatus({ returnId: mine.returnId, status: 'approved', noteId });

  expect(await commentsOf(mine.returnId)).toEqual([]);
});

test('an authorisation grants the quantities, an approval approves them', async () => {
  const { returnId } = await aRequest();
  const granted = () => itemsOf(returnId, 'qty_authorized', 'qty_approved');

  await activities.setReturnStatus({ returnId, status: 'authorized', noteId: null });
  expect(await granted()).toEqual([{ qty_authorized: '2.0000', qty_approved: null }]);
  await approve(returnId);
  expect(await granted()).toEqual([{ qty_authorized: '2.0000', qty_approved: '2.0000' }]);
});

test('a creation that is not finished may be refused, not taken over', async () => {
  const { returnId } = await aReturn(orm, { locationId });

  expect(await approve(returnId)).toMatchObject({
    refused: { status: 409, parameters: { outcome: 'return_not_ready', return_id: returnId } },
  });
  expect(await activities.setReturnStatus({ returnId, status: 'denied', noteId: null })).toEqual({ status: 'denied' });
  expect(await activities.initialiseReturn({ returnId })).toMatchObject({ status: 'denied', isReady: true });
});

test('a resolution in cash books one memo, however often and however concurrently it is asked for', async () => {
  const { returnId, orderId, itemId } = await aReceived();

  const answers = await eightAtOnce(() => resolve(returnId, itemId, 'refund', 'cash'));
  const again = await resolve(returnId, itemId, 'refund', 'cash');

  for (const answer of [...answers, again]) expect(answer).toMatchObject({ status: 'resolved' });
  expect(await memosOf(orderId, 'grand_total')).toEqual([{ grand_total: '108.0000' }]);
  expect((await commentsOf(returnId))[0]).toBe('Resolved: MUG Refund by cash.');
  expect((await auditOf(returnId)).at(-1)).toEqual({ old_value: 'items_received', new_value: 'resolved' });
});

test('a resolution through the gateway opens one attempt, and resolves the return when it is booked', async () => {
  const { returnId, orderId, itemId } = await aReceived();

  const answers = await eightAtOnce(() => resolve(returnId, itemId, 'refund', 'original_payment'));

  const attempts = await attemptsOf(returnId, 'attempt_id', 'amount');
  expect(attempts).toHaveLength(1);
  const attemptId = Number(attempts[0]!['attempt_id']);
  for (const answer of answers)
    expect(answer).toMatchObject({
      status: 'awaiting_refund',
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
  const attemptId = 'refused' in opened ? 0 : opened.attempt!.attemptId;
  const finding = { evidence: 'not_refunded', isFinal: true, gatewayOutcome: 'declined' } as const;
  await recordFinding(orm.em, { attemptId, finding, now: new Date() });

  const settled = await activities.bookSettlement({ returnId, method: 'cash', options: plain, requestId: 'r' });

  expect(settled).toEqual({ status: 'resolved' });
  expect(await memosOf(orderId)).toHaveLength(1);
});

test('a refund without a method resolves the return and gives nothing back, and says so', async () => {
  const { returnId, orderId, itemId } = await aReceived();

  expect(await resolve(returnId, itemId, 'refund', null)).toMatchObject({ status: 'resolved' });

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

    expect(await resolve(returnId, itemId, mode, null)).toMatchObject({ status: 'resolved' });

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
  const unknown = { returnId: 999_999, noteId: null };
  const answers = [
    await activities.setReturnStatus({ ...unknown, status: 'approved' }),
    await activities.cancelRefund(unknown),
    await activities.closeReturn(unknown),
    await takeIn({ returnId: 999_999, itemId: 1 }),
    await resolve(999_999, 1, 'repair', null),
  ];
  expect(answers).toEqual(answers.map(() => ({ refused: expect.objectContaining({ status: 404 }) })));
});

test('after all of that the books balance', async () => {
  expect((await verify(fork(), { lookAgainAfterMs: 1 })).filter(({ id }) => !isLimbo(id))).toEqual([]);
});
