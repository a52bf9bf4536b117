import { beforeEach, describe, expect, test } from 'vitest';
import { booksOf } from '../../support/books.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { opensAProcessDesk, flow, register, worksWith, process, refunded, runs, recorded } from './a-process-desk.ts';

opensAProcessDesk();

const { creditRefundsOf, find, fork, walletsOf, shelf, storyOf, booksHold } = booksOf(() => flow.api.orm);

describe('with the built-in returns', () => {
  test('cash: return, goods and memo in one call', async () => {
    const sale = await register.sale('12.00');
    const before = await shelf();

    const { status, body } = await process(sale, { comment: 'does not like it' });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      error: null,
      refund_total: 12,
      store_credit_issued: 0,
      exchange_credit_amount: 0,
      is_online_refund: false,
      payment_method: 'provider_a',
      transaction_id: null,
    });
    expect(await register.returnOf(body.rma_id)).toMatchObject({
      status: 'closed',
      refund_method: 'cash',
      credit_memo_id: body.credit_memo_id,
    });
    expect(await shelf()).toBe(before + 1);
    const [run] = await runs(sale.orderId);
    expect(run).toMatchObject({ state: 'done', stage: 'taken', return_id: body.rma_id });
    expect(await recorded(sale, 'return-collapsed-cash')).toBeLessThanOrEqual(9);
  });

  test('online: the gateway gives it back, once', async () => {
    const sale = await register.sale('12.00');
    const before = refunded();
    const { body } = await process(sale, { isOnline: true });
    expect(body).toMatchObject({ success: true, refund_total: 12, is_online_refund: true });
    expect(body.transaction_id).toBeTruthy();
    expect(refunded() - before).toBe(1);
    const [run] = await runs(sale.orderId);
    expect(run).toMatchObject({ state: 'done', stage: 'taken', return_id: body.rma_id });
    expect(await recorded(sale, 'return-collapsed-card')).toBeLessThanOrEqual(14);
  });

  test('store credit is issued with the memo, and counts against what may be given back', async () => {
    const customerId = await aCustomer(fork());
    const sale = await register.sale('12.00', { customerId });
    const { body } = await process(sale, { resolution: 'store_credit', isOnline: true });
    expect(body).toMatchObject({ success: true, store_credit_issued: 12, is_online_refund: false });
    const [wallet] = await walletsOf(customerId, 'amount');
    expect(Number(wallet!.amount)).toBe(12);
    const credited = await creditRefundsOf(sale.orderId, 'state');
    expect(credited).toEqual([{ state: 'booked' }]);
  });

  test('store credit for a guest is refused before anything moves', async () => {
    const sale = await register.sale('12.00');
    const { status, body } = await process(sale, { resolution: 'store_credit' });
    expect(status).toBe(400);
    expect(body.message).toContain('needs a customer');
    expect(await runs(sale.orderId)).toEqual([]);
  });

  test('an exchange says what the new goods may cost', async () => {
    const sale = await register.sale('12.00');
    // A row may name its resolution in the run's words, too.
    const { body } = await process(sale, { resolution: 'exchange' }, { resolution: 'exchange' });
    expect(body).toEqual({
      success: true,
      error: null,
      rma_id: expect.any(Number),
      rma_increment_id: expect.any(String),
      credit_memo_id: expect.any(Number),
      credit_memo_increment_id: expect.any(String),
      refund_total: 12,
      store_credit_issued: 0,
      exchange_credit_amount: 12,
      is_online_refund: false,
      payment_method: 'provider_a',
      transaction_id: null,
    });
    expect(await register.returnOf(body.rma_id)).toMatchObject({ items: [{ resolution: 'Exchange' }] });
  });

  test('of eight submissions at once one goes through; the others are not eligible', async () => {
    const sale = await register.sale('12.00');
    const all = { qty: 2 };
    const answers = await eightAtOnce(() => process(sale, { isOnline: true }, all));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
      expect(status).toBe(400);
      expect(body.parameters).toMatchObject({ outcome: 'return_not_eligible', reason_code: 'quantity' });
    }
    expect(await register.memosOf(sale.orderId)).toHaveLength(1);
  });

  test('a gateway’s no is told, the order says who ran it, the return stays parked', async () => {
    const sale = await register.sale('12.51');
    const { status, body } = await process(sale, { isOnline: true });
    expect(status).toBe(400);
    expect(body.parameters).toMatchObject({ outcome: 'gateway_refused', refund_attempt_state: 'failed' });
    expect(await register.returnOf(body.parameters.return_id)).toMatchObject({ status: 'awaiting_refund' });
    expect((await storyOf(sale.orderId)).join('\n')).toContain('the returns provider "builtin" did not go through');
  });

  test('an unknown outcome is 409, the run stays open, and an operator’s word ends it with one memo', async () => {
    const sale = await register.sale('12.73');
    const { status, body } = await process(sale, { isOnline: true });
    expect(status).toBe(409);
    expect(body.parameters).toMatchObject({ outcome: 'gateway_uncertain' });
    expect((await runs(sale.orderId))[0]).toMatchObject({ state: 'open' });
    expect((await storyOf(sale.orderId)).join('\n')).toContain(
      'the returns provider "builtin" is undecided: it is not known yet',
    );
    expect((await process(sale, {}, { qty: 2 })).body.parameters).toMatchObject({ reason_code: 'quantity' });
    const attemptId: number = body.parameters.refund_attempt_id;
    await register.call('POST', `/V1/pos/rma/refund-attempts/${attemptId}/resolve`, {
      resolution: 'refunded',
      staffName: 'Olga',
      note: 'seen in the portal',
    });
    expect((await runs(sale.orderId))[0]).toMatchObject({ state: 'done' });
    expect(await register.memosOf(sale.orderId)).toHaveLength(1);
    await recorded(sale, 'return-collapsed-uncertain');
  });
});

describe('without a returns module', () => {
  beforeEach(() => worksWith(''));

  test('the memo is booked and the goods come back, without a return', async () => {
    const sale = await register.sale('12.00');
    const before = await shelf();
    const { body } = await process(sale);
    expect(body).toMatchObject({ success: true, rma_id: null, rma_increment_id: null, refund_total: 12 });
    expect(await shelf()).toBe(before + 1);
    expect((await process(sale, {}, { condition: 'Damaged' })).body).toMatchObject({ success: true, rma_id: null });
    expect(await shelf()).toBe(before + 1);
    await recorded(sale, 'process-core-memo');
  });

  test.each([false, true])('what was said of the goods stands with their memo, online: %s', async (isOnline) => {
    const sale = await register.sale('12.00');
    const { body } = await process(sale, { isOnline, comment: 'Handle is loose.' });
    expect(
      await find('sales_document_comment', { document: 'creditmemo', parent_id: body.credit_memo_id }, 'comment'),
    ).toEqual([{ comment: 'Handle is loose.' }]);
  });

  test('an unknown outcome online is 409 without a return, and “not refunded” frees the goods', async () => {
    const sale = await register.sale('12.73');
    const { status, body } = await process(sale, { isOnline: true });
    expect(status).toBe(409);
    expect(body.parameters).toMatchObject({ outcome: 'gateway_uncertain', return_id: null });
    const attemptId: number = body.parameters.refund_attempt_id;
    expect(await register.attempt(attemptId)).toMatchObject({ state: 'uncertain', return_id: null });
    await recorded(sale, 'process-core-uncertain');
    await register.call('POST', `/V1/pos/rma/refund-attempts/${attemptId}/resolve`, {
      resolution: 'not_refunded',
      staffName: 'Olga',
      note: 'not on the statement',
    });
    expect((await runs(sale.orderId))[0]).toMatchObject({ state: 'refused', return_id: null });
    expect((await process(sale, {}, { qty: 2 })).body).toMatchObject({ success: true });
    expect(await register.memosOf(sale.orderId)).toHaveLength(1);
  });

  test('a run that another refund held up goes on when the same request asks again, once that refund is settled', async () => {
    const sale = await register.sale('12.73');
    const headers = { 'x-request-id': `held-up-${sale.orderId}` };
    const ask = () =>
      flow.api.call('POST', '/V1/pos/rma/process', {
        token: flow.api.tokens.register,
        headers,
        body: {
          orderId: sale.orderId,
          items: JSON.stringify([{ order_item_id: sale.itemId, qty: 1 }]),
          resolution: 'refund',
          isOnline: true,
        },
      });
    const settled = (attemptId: number) =>
      register.call('POST', `/V1/pos/rma/refund-attempts/${attemptId}/resolve`, {
        resolution: 'refunded',
        staffName: 'Olga',
        note: 'seen in the portal',
      });
    const first = (await process(sale, { isOnline: true })).body.parameters.refund_attempt_id;
    expect((await ask()).body.parameters).toMatchObject({ refund_attempt_id: first });
    expect((await ask()).body.parameters).toMatchObject({ refund_attempt_id: first });
    expect((await runs(sale.orderId)).map(({ state }) => state)).toEqual(['open', 'refused']);
    await settled(first);

    const second = (await ask()).body.parameters.refund_attempt_id;
    expect(second).not.toBe(first);
    await settled(second);

    expect(await ask()).toMatchObject({ status: 200, body: { success: true } });
    expect(await register.memosOf(sale.orderId)).toHaveLength(2);
  });

  test('a plain create says that the shop has no returns module', async () => {
    const sale = await register.sale('12.00');
    expect((await register.returnOne(sale)).status).toBe(400);
  });
});

test('after all that the books hold', async () => {
  await booksHold();
});
