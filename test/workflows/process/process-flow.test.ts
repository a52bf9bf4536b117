import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { verify } from '../../../books/verify/verify.ts';
import { startReturnsSimulator, type ReturnsSimulator } from '../../../local/returns-simulator/server.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { recordHistory } from '../../support/record-history.ts';
import { aRegister, type Register } from '../../support/register.ts';
import { waitUntil } from '../../support/wait-until.ts';

let warehouse: ReturnsSimulator;
let flow: Flow;
let register: Register;
beforeAll(async () => {
  warehouse = await startReturnsSimulator();
  flow = await aFlow({
    gatewayTimeoutSeconds: 2,
    reconcileAfterSeconds: 0,
    settings: { RETURNS_SERVICE_URL: warehouse.url, RETURNS_TIMEOUT_SECONDS: '3' },
  });
  register = aRegister(flow);
});
afterAll(async () => {
  await flow.close();
  await warehouse.stop();
});
beforeEach(async () => {
  warehouse.mood = 'answers';
  warehouse.objections.clear();
  await worksWith('builtin');
});

const em = () => flow.api.orm.em.fork();
const worksWith = async (codes: string) => {
  await em().execute(`delete from config_value where path = 'vendor_pos_terminal/returns/providers'`);
  await em().execute(
    `insert into config_value (path, value, is_encrypted) values ('vendor_pos_terminal/returns/providers', ?, false)`,
    [codes],
  );
};

type Sale = { orderId: number; itemId: number };

const process = (sale: Sale, more: Record<string, unknown> = {}, row: Record<string, unknown> = {}) =>
  register.call('POST', '/V1/pos/rma/process', {
    orderId: sale.orderId,
    items: JSON.stringify([{ order_item_id: sale.itemId, qty: 1, condition: 'Unopened', ...row }]),
    resolution: 'refund',
    isOnline: false,
    ...more,
  });

const refunded = () => flow.gateway.ledger.refunds.filter(({ state }) => state === 'refunded').length;
const mugsOnFloor = async () => {
  const [row] = await em().execute<{ quantity: string }[]>(
    `select quantity from inventory_source_item where sku = 'MUG' and source_code = 'floor'`,
  );
  return Number(row!.quantity);
};
const runs = (orderId: number) =>
  em().execute<{ state: string; stage: string; request_key: string; return_id: number | null }[]>(
    'select state, stage, request_key, return_id from return_process where order_id = ? order by process_id',
    [orderId],
  );
const commentsOf = async (orderId: number) =>
  (
    await em().execute<{ comment: string }[]>(
      'select comment from sales_order_status_history where parent_id = ? order by entity_id',
      [orderId],
    )
  ).map(({ comment }) => comment);

/** The run has ended, and its history is kept under a name. */
async function recorded(sale: Sale, name: string) {
  const [run] = (await runs(sale.orderId)).slice(-1);
  const id = `process-${sale.orderId}-${run!.request_key}`;
  const isOver = async () => (await flow.client.workflow.getHandle(id).describe()).status.name !== 'RUNNING';
  await waitUntil('the workflow has ended', isOver);
  return recordHistory(flow.client, id, name);
}

describe('with the built-in returns', () => {
  test('cash: return, goods and memo in one call', async () => {
    const sale = await register.sale('12.00');
    const before = await mugsOnFloor();

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
    expect(await mugsOnFloor()).toBe(before + 1);
    const [run] = await runs(sale.orderId);
    expect(run).toMatchObject({ state: 'done', stage: 'taken', return_id: body.rma_id });
    await expect(
      flow.client.workflow.getHandle(`process-${sale.orderId}-${run!.request_key}`).describe(),
    ).rejects.toThrow('not found');
  });

  test('online: the gateway gives it back, once', async () => {
    const sale = await register.sale('12.00');
    const before = refunded();
    const { body } = await process(sale, { isOnline: true });
    expect(body).toMatchObject({ success: true, refund_total: 12, is_online_refund: true });
    expect(body.transaction_id).toBeTruthy();
    expect(refunded() - before).toBe(1);
    await recorded(sale, 'process-online');
  });

  test('store credit is issued with the memo, and counts against what may be given back', async () => {
    const customerId = await aCustomer(em());
    const sale = await register.sale('12.00', { customerId });
    const { body } = await process(sale, { resolution: 'store_credit', isOnline: true });
    expect(body).toMatchObject({ success: true, store_credit_issued: 12, is_online_refund: false });
    const [wallet] = await em().execute<{ amount: string }[]>(
      'select amount from store_credit_wallet where customer_id = ?',
      [customerId],
    );
    expect(Number(wallet!.amount)).toBe(12);
    const credited = await em().execute('select state from credit_refund where order_id = ?', [sale.orderId]);
    expect(credited).toEqual([{ state: 'booked' }]);
  });

  test('store credit for nobody is refused before anything moves', async () => {
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
    const answers = await Promise.all(Array.from({ length: 8 }, () => process(sale, { isOnline: true }, all)));
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
    expect((await commentsOf(sale.orderId)).join('\n')).toContain('the returns provider "builtin" did not go through');
    await recorded(sale, 'process-declined');
  });

  test('nobody knows: 409, the run stays open, and an operator’s word ends it with one memo', async () => {
    const sale = await register.sale('12.73');
    const { status, body } = await process(sale, { isOnline: true });
    expect(status).toBe(409);
    expect(body.parameters).toMatchObject({ outcome: 'gateway_uncertain' });
    expect((await runs(sale.orderId))[0]).toMatchObject({ state: 'open' });
    expect((await commentsOf(sale.orderId)).join('\n')).toContain(
      'the returns provider "builtin" is undecided: nobody',
    );
    expect((await process(sale, {}, { qty: 2 })).body.parameters).toMatchObject({ reason_code: 'quantity' });
    const attemptId: number = body.parameters.refund_attempt_id;
    await recorded(sale, 'process-uncertain');
    await register.call('POST', `/V1/pos/rma/refund-attempts/${attemptId}/resolve`, {
      resolution: 'refunded',
      staffName: 'Olga',
      note: 'seen in the portal',
    });
    expect((await runs(sale.orderId))[0]).toMatchObject({ state: 'done' });
    expect(await register.memosOf(sale.orderId)).toHaveLength(1);
  });
});

describe('without a returns module', () => {
  beforeEach(() => worksWith(''));

  test('the memo is booked and the goods come back, without a return', async () => {
    const sale = await register.sale('12.00');
    const before = await mugsOnFloor();
    const { body } = await process(sale);
    expect(body).toMatchObject({ success: true, rma_id: null, rma_increment_id: null, refund_total: 12 });
    expect(await mugsOnFloor()).toBe(before + 1);
    expect((await process(sale, {}, { condition: 'Damaged' })).body).toMatchObject({ success: true, rma_id: null });
    expect(await mugsOnFloor()).toBe(before + 1);
    await recorded(sale, 'process-core-memo');
  });

  test.each([false, true])('what was said of the goods stands with their memo, online: %s', async (isOnline) => {
    const sale = await register.sale('12.00');
    const { body } = await process(sale, { isOnline, comment: 'Handle is loose.' });
    expect(
      await em().execute(`select comment from sales_document_comment where document = 'creditmemo' and parent_id = ?`, [
        body.credit_memo_id,
      ]),
    ).toEqual([{ comment: 'Handle is loose.' }]);
  });

  test('online, nobody knows: 409 without a return, and “not refunded” frees the goods', async () => {
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

  test('a plain create says that there is none', async () => {
    const sale = await register.sale('12.00');
    expect((await register.returnOne(sale)).status).toBe(400);
  });
});

describe('with a returns warehouse before the built-in returns', () => {
  beforeEach(() => worksWith('warehouse,builtin'));

  test('it takes the return, and keeps the goods', async () => {
    const sale = await register.sale('12.00');
    const before = await mugsOnFloor();
    const { body } = await process(sale);
    expect(body).toMatchObject({ success: true, refund_total: 12 });
    const [rma] = await em().execute(
      'select provider_code, provider_reference, status from sale_return where return_id = ?',
      [body.rma_id],
    );
    expect(rma).toMatchObject({ provider_code: 'warehouse', status: 'closed' });
    expect([...warehouse.returns.values()].map(({ returnNumber }) => returnNumber)).toContain(
      Reflect.get(rma!, 'provider_reference'),
    );
    expect(await mugsOnFloor()).toBe(before);
    await recorded(sale, 'process-warehouse');
  });

  test('a row may name its options by their ids, and the return has their labels', async () => {
    const sale = await register.sale('12.00');
    const { body } = await process(sale, {}, { reason: 'W1', condition: 'N', resolution: 'R' });
    expect(body).toMatchObject({ success: true });
    expect(await register.returnOf(body.rma_id)).toMatchObject({
      items: [{ reason: 'Does not fit', condition: 'As new', resolution: 'Refund' }],
    });
  });

  test('it passes before it wrote anything: the built-in returns take over', async () => {
    warehouse.mood = 'passes';
    const sale = await register.sale('12.00');
    const { body } = await process(sale);
    expect(body).toMatchObject({ success: true });
    expect(await em().execute('select provider_code from sale_return where return_id = ?', [body.rma_id])).toEqual([
      { provider_code: 'builtin' },
    ]);
    await recorded(sale, 'process-passed-on');
  });

  test.each([
    ['refuses', 400, 'The warehouse does not take this product.', 'refused'],
    ['hangs', 500, 'did not answer in time', 'failed'],
    ['hangs_after_writing', 500, 'did not answer in time', 'failed'],
    ['drops_after_writing', 500, 'broke the connection off', 'failed'],
    ['babbles', 500, 'something unreadable', 'failed'],
  ] as const)('it %s: %d, no money moves, and the order’s history names it', async (mood, status, said, state) => {
    warehouse.mood = mood;
    const sale = await register.sale('12.00');
    const before = refunded();
    const answer = await process(sale, { isOnline: true });
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.body.message).toContain(said);
    const comments = (await commentsOf(sale.orderId)).join('\n');
    expect(comments).toContain('"warehouse"');
    expect(comments).toContain(said);
    expect(await runs(sale.orderId)).toMatchObject([{ state, return_id: null }]);
    expect(refunded()).toBe(before);
    expect(await register.memosOf(sale.orderId)).toEqual([]);
    await recorded(sale, `process-warehouse-${mood.replaceAll('_', '-')}`);
  });

  test('its word counts in eligibility, before anything is written', async () => {
    const sale = await register.sale('12.00');
    warehouse.objections.set(sale.itemId, 'Hygiene goods stay sold.');
    const { status, body } = await process(sale);
    expect(status).toBe(400);
    expect(body.parameters).toMatchObject({ outcome: 'return_not_eligible', reason_code: 'vendor_rule' });
  });

  test('a plain return is made with it, and a sale of another provider is a conflict', async () => {
    const sale = await register.sale('12.00');
    const row = { resolution: undefined, resolution_id: 'R' };
    const made = await register.returnOne(sale, { posSaleId: `w-${sale.orderId}` }, row);
    expect(made.body).toMatchObject({ status: 'items_received', ready: true });
    await worksWith('builtin');
    const again = await register.returnOne(sale, { posSaleId: `w-${sale.orderId}` });
    expect(again.status).toBe(409);
    expect(again.body.parameters).toMatchObject({ outcome: 'sale_return_conflict', provider_code: 'warehouse' });
  });

  test('where it passes, the sale’s return is the next one’s, and is found again', async () => {
    await worksWith('warehouse,builtin');
    warehouse.mood = 'passes';
    const sale = await register.sale('12.00');
    const wish = [{ posSaleId: `w-${sale.orderId}` }, { resolution: undefined, resolution_id: 'R' }] as const;
    const made = await register.returnOne(sale, ...wish);
    const again = await register.returnOne(sale, ...wish);
    expect(again).toMatchObject({ status: 200, body: { id: made.body.id, reused: true, ready: true } });
  });

  test('why it refused a return is said once, however often it is asked again', async () => {
    await worksWith('warehouse');
    warehouse.mood = 'refuses';
    const sale = await register.sale('12.00');
    const wish = [{ posSaleId: `w-${sale.orderId}` }, { resolution: undefined, resolution_id: 'R' }] as const;
    const { body } = await register.returnOne(sale, ...wish);
    expect((await register.returnOne(sale, ...wish)).status).toBe(409);
    const { comments } = await register.returnOf(body.parameters.return_id);
    expect(comments.map(({ comment }: { comment: string }) => comment)).toEqual([
      'The warehouse does not take this product.',
    ]);
  });
});

describe('an existing return', () => {
  const pending = async (sale: Sale) =>
    (await register.returnOne(sale, { autoApprove: false, locationId: undefined })).body.id as number;
  const fastTrack = (rmaId: number, more: Record<string, unknown> = {}) =>
    register.call('POST', `/V1/pos/rma/${rmaId}/process`, { resolution: 'refund', isOnline: false, ...more });

  test('is taken from pending to closed in one call, and answered the same ever after', async () => {
    const sale = await register.sale('12.00');
    const rmaId = await pending(sale);
    const first = await fastTrack(rmaId, { isOnline: true });
    expect(first.body).toMatchObject({ success: true, rma_id: rmaId, refund_total: 12, is_online_refund: true });
    expect((await fastTrack(rmaId)).body).toEqual(first.body);
    expect(await register.memosOf(sale.orderId)).toHaveLength(1);
    const id = `return-${rmaId}`;
    const isOver = async () => (await flow.client.workflow.getHandle(id).describe()).status.name !== 'RUNNING';
    await waitUntil('the workflow has ended', isOver);
    await recordHistory(flow.client, id, 'return-fast-tracked');
  });

  test('eight fast tracks at once give the credit once', async () => {
    const customerId = await aCustomer(em());
    const sale = await register.sale('12.00', { customerId });
    const rmaId = await pending(sale);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => fastTrack(rmaId, { resolution: 'store_credit' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(new Set(answers.map(({ body }) => body.store_credit_issued))).toEqual(new Set([12]));
    const entries = await em().execute(
      `select delta from store_credit_entry e join store_credit_wallet w on w.wallet_id = e.wallet_id where w.customer_id = ?`,
      [customerId],
    );
    expect(entries).toHaveLength(1);
  });

  test('that nobody takes on is answered with success false', async () => {
    const sale = await register.sale('12.00');
    const rmaId = await pending(sale);
    await worksWith('');
    const { status, body } = await fastTrack(rmaId);
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: false, rma_id: rmaId, credit_memo_id: null });
    expect(body.error).toContain('No returns provider took');
    // Nobody ran it, so it is laid to nobody.
    expect(await commentsOf(sale.orderId)).toContain(`A return was not processed: ${body.error}`);
    expect(await register.returnOf(rmaId)).toMatchObject({ status: 'pending' });
  });

  test('that is over without a memo has nothing to give', async () => {
    const sale = await register.sale('12.00');
    const rmaId = await pending(sale);
    await register.call('PUT', `/V1/pos/rma/${rmaId}/status`, { status: 'rejected' });
    expect((await fastTrack(rmaId)).body).toMatchObject({ success: false, credit_memo_id: null });
  });
});

test('after all that the books hold', async () => {
  expect(await verify(em(), { lookAgainAfterMs: 1 })).toEqual([]);
});
