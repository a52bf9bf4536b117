import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pieces } from '../../../domain/money.ts';
import { type ReturnsSimulator, startReturnsSimulator } from '../../../local/simulators/app.ts';
import { booksOf } from '../../support/books.ts';
import { aProcess, aProcessedItem } from '../../support/builders/process.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { setGatewayMode } from '../../support/gateway-mode.ts';
import { lookNow } from '../../support/housekeeping.ts';
import { minutesAgo } from '../../support/moments.ts';
import { aWorkerProcess } from '../../support/own-process.ts';
import { patiently } from '../../support/patiently.ts';
import { recordHistory } from '../../support/record-history.ts';
import { aRegister, type Register } from '../../support/register.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { waitUntil } from '../../support/wait-until.ts';
import {
  flow,
  opensAProcessDesk,
  process,
  recorded,
  refunded,
  register,
  runs,
  type Sale,
  warehouse,
  worksWith,
} from './a-process-desk.ts';

describe('process crashes', () => {
  let warehouse: ReturnsSimulator;
  let flow: Flow;
  let register: Register;
  let workers: { kill(): Promise<void> }[] = [];

  const { find, change, configure } = booksOf(() => flow.api.orm);

  const settings = () => ({ RETURNS_SERVICE_URL: warehouse.url, RETURNS_TIMEOUT_SECONDS: '15' });
  const worker = async () => {
    const started = await aWorkerProcess(flow, { env: settings() });
    workers.push(started);
    return started;
  };

  beforeEach(async () => {
    workers = [];
    warehouse = await startReturnsSimulator();
    flow = await aFlow({ startsWorker: false, settings: settings() });
    register = aRegister(flow);
    await setGatewayMode(flow.gateway, { slow_ms: 2_500 });
  });
  afterEach(async () => {
    await Promise.all(workers.map((one) => one.kill()));
    await flow.close();
    await warehouse.stop();
  });

  const worksWith = (codes: string) => configure('vendor_pos_terminal/returns/providers', codes);
  const process = (sale: { orderId: number; itemId: number }, isOnline: boolean, headers = {}) =>
    flow.api.call('POST', '/V1/pos/rma/process', {
      token: flow.api.tokens.register,
      headers,
      body: {
        orderId: sale.orderId,
        items: JSON.stringify([{ order_item_id: sale.itemId, qty: 1 }]),
        resolution: 'refund',
        isOnline,
      },
    });
  const refunded = () => flow.gateway.ledger.refunds.filter(({ state }) => state === 'refunded').length;

  test('a worker killed after the gateway refunded goods without a return: one memo, one refund', async () => {
    await worksWith('');
    const first = await worker();
    const sale = await register.sale('12.81');

    const headers = { 'x-request-id': `killed-${sale.orderId}` };
    const answer = process(sale, true, headers);
    await waitUntil('the gateway has refunded', async () => refunded() === 1);
    await first.kill();
    await worker();

    // Its caller hears in time that the gateway is silent, and the same request hears how it ended.
    let last = await answer;
    const isAnswered = async () => {
      if (last.status === 200) return true;
      expect(last).toMatchObject({ status: 409, body: { parameters: { outcome: 'gateway_uncertain' } } });
      last = await process(sale, true, headers);
      return last.status === 200;
    };
    await waitUntil('the same request is answered', isAnswered);
    expect(last.body).toMatchObject({
      success: true,
      rma_id: null,
      is_online_refund: true,
      refund_total: 12.81,
    });
    expect(await register.memosOf(sale.orderId)).toHaveLength(1);
    expect(refunded()).toBe(1);
  });

  test('a worker killed while a provider hangs over a return it wrote: asked again under the same key, there is one', async () => {
    await worksWith('warehouse,builtin');
    const first = await worker();
    const sale = await register.sale('12.00');
    warehouse.mood = 'hangs_after_writing';

    const headers = { 'x-request-id': `killed-${sale.orderId}` };
    const answer = process(sale, false, headers);
    await waitUntil('the warehouse has written it', async () => warehouse.returns.size === 1);
    await first.kill();
    warehouse.mood = 'answers';
    await worker();

    // Its caller hears in time that the work goes on, and the same request hears how it ended.
    expect([200, 503]).toContain((await answer).status);
    const isDone = async () => (await process(sale, false, headers)).status === 200;
    await waitUntil('the same request is answered', isDone);
    expect((await process(sale, false, headers)).body).toMatchObject({ success: true, refund_total: 12 });
    expect(warehouse.returns.size).toBe(1);
    expect(await register.memosOf(sale.orderId)).toHaveLength(1);
  });

  test('a run whose workflow never began is found by the sweep and finished; its goods were not free meanwhile', async () => {
    const sale = await register.sale('12.00');
    await aProcess(flow.api.orm, {
      orderId: sale.orderId,
      requestKey: `left-${sale.orderId}`,
      items: [aProcessedItem(sale.itemId, { qty: pieces(2) })],
      author: 'a register that died',
    });
    expect((await process(sale, false)).body.parameters).toMatchObject({ reason_code: 'quantity' });
    await change('return_process', {}, { updated_at: minutesAgo(5) });
    await worker();

    await lookNow(flow);

    const state = async () => (await find('return_process', {}, 'state'))[0]?.state;
    await waitUntil('the run is done', async () => (await state()) === 'done');
    expect(await register.memosOf(sale.orderId)).toHaveLength(1);
  });
});

describe('process flow', () => {
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
      const items = JSON.stringify([{ order_item_id: sale.itemId, qty: 2, condition: 'Unopened' }]);
      const answers = await eightAtOnce((number) =>
        patiently(() =>
          flow.api.call('POST', '/V1/pos/rma/process', {
            token: flow.api.tokens.register,
            headers: { 'Idempotency-Key': `eight-${sale.orderId}-${number}` },
            body: { orderId: sale.orderId, items, resolution: 'refund', isOnline: true },
          }),
        ),
      );
      const refused = '400 return_not_eligible quantity';
      expect(
        answers
          .map(({ status, body }) =>
            status === 200 ? 'refunded' : `${status} ${body.parameters.outcome} ${body.parameters.reason_code}`,
          )
          .toSorted(),
      ).toEqual([...Array.from({ length: 7 }, () => refused), 'refunded']);
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
      const decided = await register.call('POST', `/V1/pos/rma/refund-attempts/${attemptId}/resolve`, {
        resolution: 'not_refunded',
        staffName: 'Olga',
        note: 'not on the statement',
      });
      expect(decided).toMatchObject({ status: 200, body: { resolved_by: 'Olga', effective_at: expect.any(String) } });
      const isRefused = async () => (await runs(sale.orderId))[0]?.state === 'refused';
      await waitUntil('the decision takes effect', isRefused);
      expect((await runs(sale.orderId))[0]).toMatchObject({ return_id: null });
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
});

describe('process page', () => {
  let flow: Flow;
  beforeAll(async () => {
    flow = await aFlow();
  });
  afterAll(() => flow.close());

  test('the page of a run that was refused says why in words, with what they are about', async () => {
    const run = await flow.client.workflow.start('processWorkflow', {
      workflowId: `process-${flow.taskQueue}`,
      taskQueue: flow.taskQueue,
      args: [{ processId: 2_000_000_000 }],
    });
    expect(await run.result()).toBe('refused: Return process with id 2000000000 does not exist');

    const { currentDetails } = await run.query<{ currentDetails: string }>('__temporal_workflow_metadata');

    expect(currentDetails).toBe('This collapsed return: refused: Return process with id 2000000000 does not exist');
  });
});

describe('process with warehouse', () => {
  opensAProcessDesk();

  const { theReturn, fork, entriesOf, shelf, storyOf, booksHold } = booksOf(() => flow.api.orm);

  describe('with a returns warehouse before the built-in returns', () => {
    beforeEach(() => worksWith('warehouse,builtin'));

    /** In a condition that the warehouse offers. */
    const bring = (sale: Sale, more: Record<string, unknown> = {}, row: Record<string, unknown> = {}) =>
      process(sale, more, { condition: 'As new', ...row });

    test('it takes the return, and keeps the goods', async () => {
      const sale = await register.sale('12.00');
      const before = await shelf();
      const { body } = await bring(sale);
      expect(body).toMatchObject({ success: true, refund_total: 12 });
      const rma = await theReturn(body.rma_id, 'provider_code', 'provider_reference', 'status');
      expect(rma).toMatchObject({ provider_code: 'warehouse', status: 'closed' });
      expect([...warehouse.returns.values()].map(({ returnNumber }) => returnNumber)).toContain(
        Reflect.get(rma!, 'provider_reference'),
      );
      expect(await shelf()).toBe(before);
      await recorded(sale, 'process-warehouse');
    });

    test('a row may name its options by their ids, and the return has their labels', async () => {
      const sale = await register.sale('12.00');
      const { body } = await bring(sale, {}, { reason: 'W1', condition: 'N', resolution: 'R' });
      expect(body).toMatchObject({ success: true });
      expect(await register.returnOf(body.rma_id)).toMatchObject({
        items: [{ reason: 'Does not fit', condition: 'As new', resolution: 'Refund' }],
      });
    });

    test('it passes before it wrote anything: the built-in returns take over', async () => {
      warehouse.mood = 'passes';
      const sale = await register.sale('12.00');
      const { body } = await bring(sale);
      expect(body).toMatchObject({ success: true });
      expect(await theReturn(body.rma_id, 'provider_code')).toEqual({ provider_code: 'builtin' });
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
      const answer = await bring(sale, { isOnline: true });
      expect(answer.status).toBe(status);
      if (status === 400) expect(answer.body.message).toContain(said);
      const comments = (await storyOf(sale.orderId)).join('\n');
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
      const { status, body } = await bring(sale);
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
      const customerId = await aCustomer(fork());
      const sale = await register.sale('12.00', { customerId });
      const rmaId = await pending(sale);
      const answers = await eightAtOnce(() => patiently(() => fastTrack(rmaId, { resolution: 'store_credit' })));
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
      expect(new Set(answers.map(({ body }) => body.store_credit_issued))).toEqual(new Set([12]));
      expect(await entriesOf(customerId)).toHaveLength(1);
    });

    test('that no provider takes on is answered with success false', async () => {
      const sale = await register.sale('12.00');
      const rmaId = await pending(sale);
      await worksWith('');
      const { status, body } = await fastTrack(rmaId);
      expect(status).toBe(200);
      expect(body).toMatchObject({ success: false, rma_id: rmaId, credit_memo_id: null });
      expect(body.error).toContain('No returns provider took');
      // No member of staff ran it, so no name is kept.
      expect(await storyOf(sale.orderId)).toContain(`A return was not processed: ${body.error}`);
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
    await booksHold();
  });
});
