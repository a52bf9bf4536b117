import { describe, expect, test } from 'vitest';
import { claimRefundCall } from '../../../db/refunds/claim-refund-call.ts';
import { previewRefund } from '../../../db/refunds/preview-refund.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { findRefundAttempt } from '../../../db/refunds/refund-attempt.repository.ts';
import { initialiseReturn } from '../../../db/returns/initialise-return.ts';
import { findReturn } from '../../../db/returns/return.repository.ts';
import { startGatewaySettlement } from '../../../db/returns/start-gateway-settlement.ts';
import { money } from '../../../domain/money/amount.ts';
import { pieces } from '../../../domain/money/quantity.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import { reserveStoreCredit, walletOf } from '../../support/builders/credit.ts';
import { aReturn } from '../../support/builders/return.ts';
import { booksOf } from '../../support/books.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import {
  opensAShopWithCredit,
  orm,
  locationId,
  reachable,
  anOrderOnCredit,
  aParkedReturn,
  andTheOther,
  settle,
  leg,
} from './orders-on-credit.ts';

opensAShopWithCredit();

const { creditsOf, attemptsOf, theOrder, fork, change } = booksOf(() => orm);

const attemptOf = async (returnId: number) =>
  (await attemptsOf(returnId, 'attempt_id', 'amount', 'credited', 'state')).at(-1)!;

describe('a refund through the gateway', () => {
  const book = (attemptId: number, reference: string) =>
    recordFinding(orm.em, {
      attemptId,
      finding: { evidence: 'refunded', gatewayReference: reference },
      now: new Date(),
    });

  test('asks for the handback only, and gives the credit back with the memo', async () => {
    const { customerId, order } = await anOrderOnCredit(40);
    const { returnId, orderId } = await aParkedReturn(order, 'original_payment');
    const { attempt_id: attemptId, ...attempt } = await attemptOf(returnId);
    expect(attempt).toEqual({ amount: '34.0000', credited: '20.0000', state: 'started' });
    expect(await walletOf(orm, customerId)).toBe('0.0000');
    expect(await theOrder(orderId, 'base_pending_refund')).toEqual({ base_pending_refund: '54.0000' });
    // Never captured: a gateway must not be told that the credit was.
    expect((await claimRefundCall(fork(), { attemptId, timeoutSeconds: 20 }))?.capturedAmount).toBe(money('68'));

    await eightAtOnce(() => book(attemptId, `ref-${attemptId}`));

    expect(await walletOf(orm, customerId)).toBe('20.0000');
    expect(await findRefundAttempt(fork(), attemptId)).toMatchObject({
      state: 'booked',
      baseAmount: 34,
      amount: 34,
    });
    expect(await findReturn(fork(), returnId)).toMatchObject({
      status: 'closed',
      refundMethod: 'original_payment',
      baseRefundTotal: 54,
      baseHandback: 34,
      refundLegs: [{ amount: money('20') }],
    });
  });

  test('goes out once: no credit is given for what the gateway gave back', async () => {
    const { customerId, order } = await anOrderOnCredit(40);
    const { returnId, orderId } = await aParkedReturn(order, 'original_payment');
    const { attempt_id: attemptId } = await attemptOf(returnId);
    await book(attemptId, `ref-${attemptId}`);
    const asCredit = reserveStoreCredit(orm, { orderId, customerId, amount: money('1') });
    await expect(asCredit).rejects.toMatchObject({ status: 400, parameters: ['1', '0'] });
  });

  test('that is refused by the gateway frees the credit it had kept', async () => {
    const { customerId, order } = await anOrderOnCredit(40);
    const { returnId, orderId } = await aParkedReturn(order, 'original_payment');
    const { attempt_id: attemptId } = await attemptOf(returnId);
    await recordFinding(orm.em, {
      attemptId,
      finding: { evidence: 'not_refunded', isFinal: true, gatewayOutcome: 'declined' },
      now: new Date(),
    });
    expect(await creditsOf(orderId, 'base_reserved', 'amount_reserved')).toEqual([
      { base_reserved: '0.0000', amount_reserved: '0.0000' },
    ]);
    await change('sale_return', { return_id: returnId }, { is_ready: true });
    await settle(returnId);
    expect(await walletOf(orm, customerId)).toBe('20.0000');
  });

  test('that stays uncertain keeps its legs from every other refund of the order', async () => {
    const { customerId, order } = await anOrderOnCredit(40);
    const first = await aParkedReturn(order, 'original_payment');
    const { attempt_id: attemptId } = await attemptOf(first.returnId);
    const preview = await previewRefund(fork(), {
      orderId: first.orderId,
      items: [{ orderItemId: first.orderItemId, qty: pieces(1) }],
      options: plainSettlement,
    });
    expect(preview).toMatchObject({ handback: { base: money('34') }, returnableMax: { base: money('54') } });

    const second = await andTheOther(first, 'cash');
    await settle(second);
    expect(await walletOf(orm, customerId)).toBe('20.0000');
    await book(attemptId, `late-${attemptId}`);
    expect(await walletOf(orm, customerId)).toBe('40.0000');
    const found = await findReturn(fork(), first.returnId);
    expect(found).toMatchObject({ baseHandback: 34, refundLegs: [{ amount: money('20') }] });
  });

  test('of two at once on one order each has its own legs', async () => {
    const { customerId, order } = await anOrderOnCredit(40.01);
    const first = await aParkedReturn(order, 'cash');
    const second = await andTheOther(first, 'cash');
    const open = (returnId: number) =>
      startGatewaySettlement(orm.em, {
        ...{ returnId, options: plainSettlement, canRefundThrough: reachable },
        operationKey: `settle-${returnId}`,
      });
    await Promise.all([open(first.returnId), open(second), open(first.returnId), open(second)]);
    const attempts = [await attemptOf(first.returnId), await attemptOf(second)];
    expect(attempts.map(({ amount: asked }) => Number(asked)).reduce((sum, asked) => sum + asked, 0)).toBeCloseTo(
      67.99,
      4,
    );
    await Promise.all(attempts.map(({ attempt_id: attemptId }) => book(attemptId, `two-${attemptId}`)));
    expect(await walletOf(orm, customerId)).toBe('40.0100');
  });

  test('says how the credit differs from what the register was shown', async () => {
    const { order } = await anOrderOnCredit(40);
    const { returnId } = await aParkedReturn(order, 'cash');
    const options = plainSettlement;
    await startGatewaySettlement(orm.em, { returnId, options, canRefundThrough: reachable, expectedLegs: [leg('1')] });
    const { attempt_id: attemptId } = await attemptOf(returnId);
    await book(attemptId, `differs-${attemptId}`);
    expect(await findReturn(fork(), returnId)).toMatchObject({
      refundDifference: 'The credit given back differs from the preview (store_credit: expected 1, booked 20).',
    });
  });

  describe('of an order that credit paid whole', () => {
    const noGateway = () => false;

    test('asks no gateway: the memo is booked at once, without an attempt', async () => {
      const { customerId, order } = await anOrderOnCredit(108);
      const { returnId } = await aReturn(orm, { locationId, refundMethod: 'original_payment', order });
      const begin = () => initialiseReturn(orm.em, { returnId, canRefundThrough: noGateway });
      const answers = await eightAtOnce(begin);
      expect(answers.filter(({ attempt }) => attempt)).toEqual([]);
      expect(await begin()).toMatchObject({ status: 'closed', isReady: true });
      expect(await findReturn(fork(), returnId)).toMatchObject({
        refundMethod: 'original_payment',
        attemptId: null,
        baseRefundTotal: 54,
        baseHandback: 0,
      });
      expect(await walletOf(orm, customerId)).toBe('54.0000');
    });

    test('a settle of a parked return does the same', async () => {
      const { customerId, order } = await anOrderOnCredit(108);
      const { returnId } = await aParkedReturn(order, 'cash');
      const asked = { returnId, options: plainSettlement, canRefundThrough: noGateway };
      expect(await startGatewaySettlement(orm.em, asked)).toEqual({ status: 'closed' });
      expect(await startGatewaySettlement(orm.em, asked)).toEqual({ status: 'closed' });
      expect(await walletOf(orm, customerId)).toBe('54.0000');
    });

    test('a store that cannot take it back leaves the return parked, its goods in, and says why', async () => {
      const { customerId, order } = await anOrderOnCredit(108);
      const { returnId } = await aReturn(orm, { locationId, refundMethod: 'original_payment', order });
      await change('website', { website_id: 1 }, { base_currency_code: 'SEK' });
      const answer = await initialiseReturn(orm.em, { returnId, canRefundThrough: noGateway });
      await change('website', { website_id: 1 }, { base_currency_code: 'USD' });
      expect(answer).toMatchObject({ status: 'awaiting_refund', isReady: true, refused: { status: 400 } });
      expect(await walletOf(orm, customerId)).toBe('0.0000');
      await settle(returnId);
      expect(await walletOf(orm, customerId)).toBe('54.0000');
    });
  });
});
