import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { replayHeader } from '../../../api/http/within.ts';
import { openProcessOfReturn } from '../../../db/process/open-process.ts';
import { leaveUnattempted, refuseProcess } from '../../../db/process/process-steps.ts';
import { initialiseReturn } from '../../../db/returns/create-return.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { type ReturnsSimulator, startReturnsSimulator } from '../../../local/simulators/app.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { lastRequest } from '../../support/books/lost-answer.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aPostedSale } from '../../support/builders/posted-sale.ts';
import { aProcess, aProcessedItem } from '../../support/builders/process.ts';
import { aRefundAttempt, aRequestedReturn, aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { atOnce, eightAtOnce } from '../../support/rivals.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { flow, opensACounter, register } from './settled-returns.ts';

describe('money before goods', () => {
  opensACounter();

  const { memosOf, movementsOf, wordsOf, returnsOf, theReturn, attemptsOf, fork, booksHold } = booksOf(
    () => flow.api.orm,
  );
  const admin = (method: string, path: string, body?: unknown) =>
    flow.api.call(method, path, { token: flow.api.tokens.admin, ...(body === undefined ? {} : { body }) });

  /** Two mugs at 10.00, paid and still in the shop, by this payment. */
  const aSale = (more: object = {}) => register.sale('10.00', { shipped: false, ...more });
  const hold = (orderId: number) => admin('POST', `/V1/orders/${orderId}/hold`);
  const unhold = (orderId: number) => admin('POST', `/V1/orders/${orderId}/unhold`);
  const goodwill = (orderId: number, itemId: number, sum: number) =>
    admin('POST', `/V1/order/${orderId}/refund`, {
      items: [{ order_item_id: itemId, qty: 0 }],
      arguments: { adjustment_positive: sum, shipping_amount: 0 },
    });
  const heldSentence =
    'Creditmemo Document Validation Error(s):\nA creditmemo can not be created when an order has a status of holded';
  const stands = async (rmaId: number) => {
    const { status, credit_memo_id: memo } = await register.returnOf(rmaId);
    const { is_ready: isReady } = await theReturn(rmaId, 'is_ready');
    return { status, isReady, memo, moved: (await movementsOf(rmaId, 'kind')).length };
  };
  const noGoodsMoved = { status: 'pending', isReady: false, memo: null, moved: 0 };

  test.each(['cash', 'terminal', 'exchange', 'store_credit', 'original_payment'])(
    'an order on hold: the return by %s stands without its goods, in the words of a settle, and goes on once the hold is gone',
    async (refundMethod) => {
      const sale = await aSale();
      await hold(sale.orderId);
      const posSaleId = randomUUID();
      const send = () => register.returnOne(sale, { refundMethod, posSaleId });

      const refused = await send();
      expect(refused).toMatchObject({ status: 400, body: { message: heldSentence } });
      const rmaId: number = refused.body.parameters.return_id;
      expect(await stands(rmaId)).toEqual(noGoodsMoved);
      expect(await wordsOf(rmaId, 'comment')).toEqual([{ comment: `Not ready yet: ${heldSentence}` }]);
      expect((await register.call('GET', `/V1/pos/rma/eligibility/${sale.orderId}`)).body).toMatchObject({
        outcome: 'forbidden',
        reason_code: 'vendor_rule',
        reason: heldSentence,
      });
      expect(await send()).toMatchObject({
        status: 409,
        body: { parameters: { outcome: 'sale_return_being_created', return_id: rmaId } },
      });
      expect(await stands(rmaId)).toEqual(noGoodsMoved);

      await unhold(sale.orderId);
      const isByCard = refundMethod === 'original_payment';
      expect(await send()).toMatchObject({
        status: 200,
        body: { id: rmaId, reused: true, status: isByCard ? 'closed' : 'awaiting_refund' },
      });
      if (!isByCard) await register.settle(rmaId, { method: refundMethod });
      expect(await stands(rmaId)).toMatchObject({ status: 'closed', moved: 1 });
      await booksHold();
    },
  );

  test('nobody but who asks goes on with it: a sweep does not take goods in that may have left the shop', async () => {
    const sale = await aSale();
    await hold(sale.orderId);
    const { body } = await register.returnOne(sale, { refundMethod: 'original_payment' });
    const rmaId: number = body.parameters.return_id;
    await unhold(sale.orderId);

    const swept = await initialiseReturn(fork(), { returnId: rmaId, isAsked: false, canRefundThrough: () => true });
    expect(swept).toMatchObject({ status: 'pending', waitsForCaller: true });
    await flow.client.workflow.getHandle(`return-${rmaId}`).signal('refresh');
    expect(await stands(rmaId)).toEqual(noGoodsMoved);
    expect(await attemptsOf(rmaId)).toEqual([]);
    expect((await register.call('POST', `/V1/pos/rma/${rmaId}/close`, {})).body).toMatchObject({ status: 'closed' });
    expect((await register.returnOne(sale, { refundMethod: 'cash' })).status).toBe(200);
    await booksHold();
  });

  test('a card that took a part of the sale is asked for no more: the refusal names what it can take back', async () => {
    const entity = aPostedSale({
      payment: { method: 'provider_a', last_trans_id: 'pay_half', amount_ordered: 60, base_amount_ordered: 60 },
    });
    const { body: order } = await admin('POST', '/V1/orders', { entity });
    const sale = { orderId: order.entity_id as number, itemId: order.items[0].item_id as number };
    await admin('POST', `/V1/order/${sale.orderId}/invoice`, { capture: true });
    await admin('POST', `/V1/order/${sale.orderId}/ship`, {});
    const calls = flow.gateway.ledger.calls.length;

    const both = await register.returnOne(sale, { refundMethod: 'original_payment' }, { qty_requested: 2 });
    expect(both).toMatchObject({
      status: 400,
      body: {
        message: expect.stringContaining('took 60 of this sale and can take back 60, not 108'),
        parameters: { outcome: 'card_took_less', card_took: '60', card_left: '60' },
      },
    });
    expect(await stands(both.body.parameters.return_id)).toEqual(noGoodsMoved);
    expect(flow.gateway.ledger.calls.length).toBe(calls);
    await register.call('POST', `/V1/pos/rma/${both.body.parameters.return_id}/close`, {});

    const one = await register.returnOne(sale, { refundMethod: 'original_payment' });
    expect(one.body).toMatchObject({ status: 'closed', base_handback: 54 });
    const other = await register.returnOne(sale, { refundMethod: 'original_payment' });
    expect(other.body.parameters).toMatchObject({ outcome: 'card_took_less', card_left: '6' });
    const atOnceByCard = { orderId: sale.orderId, resolution: 'refund', isOnline: true };
    const rmaId: number = other.body.parameters.return_id;
    expect((await register.settle(rmaId, { method: 'cash' })).body).toMatchObject({
      status: 'closed',
      base_handback: 54,
    });
    const items = JSON.stringify([{ order_item_id: sale.itemId, qty: 1 }]);
    expect((await register.call('POST', '/V1/pos/rma/process', { ...atOnceByCard, items })).status).toBe(400);
    await booksHold();
  });

  test('nor is it asked for more by the settle of a return whose goods are in', async () => {
    const entity = aPostedSale({
      payment: { method: 'provider_a', last_trans_id: 'pay_less', amount_ordered: 60, base_amount_ordered: 60 },
    });
    const { body: order } = await admin('POST', '/V1/orders', { entity });
    const sale = { orderId: order.entity_id as number, itemId: order.items[0].item_id as number };
    await admin('POST', `/V1/order/${sale.orderId}/invoice`, { capture: true });
    const { body } = await register.returnOne(sale, { refundMethod: 'cash' }, { qty_requested: 2 });
    expect(await register.settle(body.id, { method: 'original_payment' })).toMatchObject({
      status: 400,
      body: { parameters: { outcome: 'card_took_less', card_left: '60' } },
    });
    expect((await register.settle(body.id, { method: 'cash' })).body).toMatchObject({ status: 'closed' });
    await booksHold();
  });

  test('in one call by the card, more than it took leaves nothing, and what it took goes back', async () => {
    const entity = aPostedSale({
      payment: { method: 'provider_a', last_trans_id: 'pay_part', amount_ordered: 60, base_amount_ordered: 60 },
    });
    const { body: order } = await admin('POST', '/V1/orders', { entity });
    const orderId: number = order.entity_id;
    await admin('POST', `/V1/order/${orderId}/invoice`, { capture: true });
    const process = (qty: number) =>
      register.call('POST', '/V1/pos/rma/process', {
        orderId,
        items: JSON.stringify([{ order_item_id: order.items[0].item_id, qty }]),
        resolution: 'refund',
        isOnline: true,
      });
    expect((await process(2)).body.parameters).toMatchObject({ outcome: 'card_took_less', card_left: '60' });
    expect(await returnsOf(orderId)).toEqual([]);
    expect((await process(1)).body).toMatchObject({ success: true, refund_total: 54 });
    await booksHold();
  });

  test('all money went back by goodwill: the return is refused before its goods, names the memo, and the preview says none', async () => {
    const sale = await aSale({ method: 'checkmo' });
    await goodwill(sale.orderId, sale.itemId, 20);
    const [memo] = await memosOf(sale.orderId, 'increment_id');
    const sentence = `Nothing is left to refund: credit memo ${memo!.increment_id} took it.`;

    const refused = await register.returnOne(sale, { refundMethod: 'cash' });
    expect(refused).toMatchObject({
      status: 400,
      body: { message: sentence, parameters: { outcome: 'nothing_left_to_refund' } },
    });
    expect(await stands(refused.body.parameters.return_id)).toEqual(noGoodsMoved);
    const items = JSON.stringify([{ order_item_id: sale.itemId, qty: 1 }]);
    const wish = { orderId: sale.orderId, items };
    expect((await register.call('POST', '/V1/pos/refunds/preview', wish)).body).toMatchObject({
      handback: 0,
      returnable_max: 0,
    });
    const later = await register.returnOne(sale, { autoApprove: false });
    expect(later.body).toMatchObject({
      message: `The order cannot be returned: ${sentence}`,
      parameters: { outcome: 'return_not_eligible', reason_code: 'vendor_rule', order_item_id: 0 },
    });
    await booksHold();
  });

  test('a part went back by goodwill: the preview says what is left, and that goes back', async () => {
    const sale = await aSale({ method: 'checkmo' });
    await goodwill(sale.orderId, sale.itemId, 5);
    const items = JSON.stringify([{ order_item_id: sale.itemId, qty: 2 }]);
    const preview = await register.call('POST', '/V1/pos/refunds/preview', { orderId: sale.orderId, items });
    expect(preview).toMatchObject({ status: 200, body: { handback: 15, returnable_max: 15 } });
    const { body } = await register.returnOne(sale, { refundMethod: 'cash' }, { qty_requested: 2 });
    const settled = await register.settle(body.id, { method: 'cash' });
    const [memo] = await memosOf(sale.orderId, 'increment_id');
    expect(settled.body.base_handback).toBe(15);
    expect(settled.body.comments.map(({ comment }: { comment: string }) => comment)).toContain(
      `$5.00 less than the goods: credit memo ${memo!.increment_id} gave $5.00 before.`,
    );
    await booksHold();
  });

  test('money that another memo took after the goods were in: the return is parked, with a comment', async () => {
    const sale = await aSale({ method: 'checkmo' });
    const { body } = await register.returnOne(sale, { refundMethod: 'cash' });
    await goodwill(sale.orderId, sale.itemId, 20);
    expect(await register.settle(body.id, { method: 'cash' })).toMatchObject({
      status: 400,
      body: { parameters: { outcome: 'nothing_left_to_refund' } },
    });
    expect(await stands(body.id)).toMatchObject({ status: 'awaiting_refund', moved: 1 });
    expect((await wordsOf(body.id, 'comment')).at(-1)).toEqual({ comment: expect.stringMatching(/^Not settled: /) });
  });

  test('a payment that no gateway can give back is settled in another way, and only then its goods are in', async () => {
    const sale = await aSale({ method: 'checkmo' });
    const refused = await register.returnOne(sale, { refundMethod: 'original_payment' });
    expect(refused.body.parameters).toMatchObject({ outcome: 'refund_from_admin' });
    const rmaId: number = refused.body.parameters.return_id;
    expect(await stands(rmaId)).toEqual(noGoodsMoved);
    expect((await register.settle(rmaId, { method: 'original_payment' })).status).toBe(409);
    expect(await stands(rmaId)).toEqual(noGoodsMoved);
    expect((await register.settle(rmaId, { method: 'cash' })).body).toMatchObject({
      status: 'closed',
      base_handback: 10,
    });
    expect(await stands(rmaId)).toMatchObject({ moved: 1 });
    await booksHold();
  });

  test('eight tills with one sale of an order on hold: one return stands, and no goods moved', async () => {
    const sale = await aSale();
    await hold(sale.orderId);
    const posSaleId = randomUUID();
    const answers = await atOnce(8, () => register.returnOne(sale, { refundMethod: 'cash', posSaleId }));
    expect(answers.filter(({ status }) => status !== 400 && status !== 409)).toEqual([]);
    const returns = await returnsOf(sale.orderId, 'return_id');
    expect(returns).toHaveLength(1);
    expect(await stands(returns[0]!.return_id as number)).toEqual(noGoodsMoved);
    await unhold(sale.orderId);
    const after = await atOnce(8, () => register.returnOne(sale, { refundMethod: 'cash', posSaleId }));
    expect(after.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(await movementsOf(returns[0]!.return_id as number, 'kind')).toHaveLength(1);
    await booksHold();
  });

  test('without a way for the money nothing is judged: goods of an unpaid sale come in, to be decided line by line', async () => {
    const sale = await register.sale('10.00', {
      method: 'checkmo',
      paid: false,
      columns: { posCreditDue: 200_000 as never },
    });
    expect((await register.returnOne(sale)).body).toMatchObject({ status: 'items_received' });
  });
});

describe('process again', () => {
  /** A collapsed request sent again, and one whose workflow is late. */
  let api: TestApi;
  let locationId: number;
  let warehouse: ReturnsSimulator;

  const { memosOf, processesOf, fork, configure, find } = booksOf(() => api.orm);
  const runsOf = (orderId: number) => processesOf(orderId, 'state', 'stage');

  beforeAll(async () => {
    warehouse = await startReturnsSimulator();
    api = await testApi({
      settings: { RETURNS_SERVICE_URL: warehouse.url },
      expectsFaults: true,
      workflows: (own) => ({ ...own, ask: (question) => (asked.add(question.id), own.ask(question)) }),
    });
    ({ locationId } = await aShop(fork()));
  });
  afterAll(async () => {
    await api.close();
    await warehouse.stop();
  });
  /** Workflows that requests asked. */
  const asked = new Set<string>();
  const runBy = (providers: string) => configure('vendor_pos_terminal/returns/providers', providers);

  interface Sale {
    orderId: number;
    itemId: number;
  }

  const sale = async (wanted = {}): Promise<Sale> => {
    const order = await anOrder(fork(), wanted);
    return { orderId: order.orderId, itemId: order.itemIds[0]! };
  };

  const send = async (
    { orderId, itemId }: Sale,
    headers: Record<string, string>,
    more: Record<string, unknown> = {},
  ) => {
    const {
      status,
      body,
      headers: got,
    } = await api.call('POST', '/V1/pos/rma/process', {
      token: api.tokens.register,
      headers,
      body: {
        orderId,
        items: JSON.stringify([{ order_item_id: itemId, qty: 1, reason: 'Too big' }]),
        resolution: 'refund',
        isOnline: false,
        ...more,
      },
    });
    return { status, body, isReplay: got.get(replayHeader) === 'true' };
  };
  const process = (one: Sale, requestId?: string, more?: Record<string, unknown>) =>
    send(one, requestId === undefined ? {} : { 'x-request-id': requestId }, more);

  describe.each([
    ['the built-in returns', 'builtin'],
    ['no returns module', ''],
  ])('by %s', (_name, providers) => {
    beforeAll(() => runBy(providers));

    test('the same request again is the same refund, though more of the goods could come back', async () => {
      const one = await sale();
      const id = `till-7-${one.orderId}`;
      const first = await process(one, id);
      // What is over is answered without its workflow.
      const again = await api.without('Temporal', () => process(one, id));

      expect(first).toMatchObject({ status: 200, body: { success: true, refund_total: 54 }, isReplay: false });
      expect(again).toEqual({ ...first, isReplay: true });
      expect(await memosOf(one.orderId)).toHaveLength(1);
    });

    test('without an id of its own each request is one more refund', async () => {
      const one = await sale();
      await process(one);
      expect(await process(one)).toMatchObject({ status: 200, body: { success: true }, isReplay: false });
      expect(await memosOf(one.orderId)).toHaveLength(2);
    });

    test('eight at once with one id give the money back once, and all get the same answer', async () => {
      const one = await sale();
      const answers = await eightAtOnce(() => process(one, `till-7-${one.orderId}`));
      expect(new Set(answers.map(({ status, body }) => `${status} ${body.credit_memo_id}`)).size).toBe(1);
      expect(answers[0]).toMatchObject({ status: 200, body: { success: true } });
      expect(await memosOf(one.orderId)).toHaveLength(1);
    });

    test.each([
      ['another quantity', ({ itemId }) => ({ items: JSON.stringify([{ order_item_id: itemId, qty: 2 }]) })],
      [
        'a second row',
        ({ itemId }) => ({ items: JSON.stringify([1, 1].map((qty) => ({ order_item_id: itemId, qty }))) }),
      ],
      ['another resolution', () => ({ resolution: 'exchange' })],
      ['another way of the money', () => ({ isOnline: true })],
      ['another customer', () => ({ customerId: 999_999 })],
    ] as [string, (one: { itemId: number }) => Record<string, unknown>][])(
      'the same id with %s is refused, and nothing is booked',
      async (_case, more) => {
        const one = await sale();
        const id = `till-7-${one.orderId}`;
        await process(one, id);
        const { status, body } = await process(one, id, more(one));
        expect([status, body.message]).toEqual([400, 'This request already asked for another return.']);
        expect(await memosOf(one.orderId)).toHaveLength(1);
      },
    );

    test('another comment about the goods is still the same request, and the first one stays', async () => {
      const one = await sale({ customerId: await aCustomer(fork()) });
      const id = `till-7-${one.orderId}`;
      await process(one, id);
      expect(await process(one, id, { comment: 'Handle is loose.' })).toMatchObject({ isReplay: true });
    });

    test('two orders with one id at once: one has its refund, the other is refused', async () => {
      const sales = [await sale(), await sale()];
      const answers = await Promise.all(sales.map((one) => process(one, `till-8-${sales[0]!.orderId}`)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]));
      const memos = await Promise.all(sales.map(({ orderId }) => memosOf(orderId)));
      expect(memos.flat()).toHaveLength(1);
    });

    test('while Temporal is away nothing is written; then the same request is carried out', async () => {
      const one = await sale();
      const id = `till-7-${one.orderId}`;
      expect((await api.without('Temporal', () => process(one, id))).status).toBe(503);
      expect(await runsOf(one.orderId)).toEqual([]);
      expect(await process(one, id)).toMatchObject({ status: 200, body: { success: true } });
    });

    test('without a worker nothing begins, now or later; then the same request is carried out', async () => {
      const one = await sale();
      const key = { 'idempotency-key': `till-7-${one.orderId}` };
      expect((await api.without('a worker', () => send(one, key))).status).toBe(503);
      expect(await runsOf(one.orderId)).toEqual([]);
      expect(await send(one, key)).toMatchObject({ status: 200, body: { success: true } });
      expect(await memosOf(one.orderId)).toHaveLength(1);
    });
  });

  test('of eight at once by the built-in returns one carries the request out, and the others are told so', async () => {
    await runBy('builtin');
    const one = await sale();
    const answers = await eightAtOnce(() => process(one, `till-7-${one.orderId}`));
    expect(answers.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
  });

  describe('a run that stands', () => {
    beforeEach(() => runBy(''));

    /** A request whose run was written down, and whose workflow was lost. */
    const interrupted = async () => {
      const one = await sale();
      const key = { 'idempotency-key': `till-9-${one.orderId}` };
      await api.without('Temporal', () => send(one, key));
      const { operation_key: requestKey } = await lastRequest({ find });
      const items = [aProcessedItem(one.itemId)];
      const { processId } = await aProcess(api.orm, { orderId: one.orderId, items, requestKey });
      return { one, processId, again: () => send(one, key) };
    };

    test('is taken up by the same request', async () => {
      const { one, again } = await interrupted();
      expect(await again()).toMatchObject({ status: 200, body: { success: true }, isReplay: true });
      expect(await memosOf(one.orderId)).toHaveLength(1);
    });

    test('is 503 while nobody goes on with it', async () => {
      const { one, again } = await interrupted();
      expect((await api.without('a worker', again)).status).toBe(503);
      expect(await runsOf(one.orderId)).toMatchObject([{ state: 'open' }]);
    });

    test.each([
      ['refused', 400, 'No.'],
      ['failed', 500, 'Nobody can read what it said.'],
    ] as const)(
      'and that turns out to be %s before anybody heard so: the row has it',
      async (state, status, message) => {
        const { processId, again } = await interrupted();
        const answer = await api.without('a worker', async () => {
          const asked = again();
          await refuseProcess(api.orm.em, { processId, state, refusal: { status, message } });
          return asked;
        });
        expect(answer).toMatchObject({ status, body: { message } });
      },
    );

    test('and was refused stays so, however often it is asked again', async () => {
      await runBy('warehouse');
      warehouse.mood = 'refuses';
      const one = await sale();
      const id = `till-7-${one.orderId}`;
      const answers = [await process(one, id), await process(one, id)];
      warehouse.mood = 'answers';
      for (const { status, body } of [...answers, await api.without('Temporal', () => process(one, id))])
        expect({ status, message: body.message }).toEqual({
          status: 400,
          message: 'The warehouse does not take this product.',
        });
      expect(await runsOf(one.orderId)).toMatchObject([{ state: 'refused' }]);
    });

    test('and was delayed by another refund is judged again by the same request, once that refund is decided', async () => {
      const { attemptId } = await aRefundAttempt(api.orm, { locationId });
      const { one, processId, again } = await interrupted();
      const parameters = { outcome: 'gateway_uncertain', refund_attempt_id: attemptId };
      const refusal = { status: 409, message: 'Another refund is undecided.', parameters };
      await refuseProcess(api.orm.em, { processId, state: 'refused', refusal });
      expect(await again()).toMatchObject({ status: 409, isReplay: true });
      await recordFinding(api.orm.em, {
        attemptId,
        finding: { evidence: 'not_refunded', isFinal: true },
        now: new Date(),
      });
      expect(await again()).toMatchObject({ status: 200, body: { success: true }, isReplay: false });
      expect(await again()).toMatchObject({ status: 200, isReplay: true });
      expect(await memosOf(one.orderId)).toHaveLength(1);
    });
  });

  test.each([
    ['refused', { status: 400, body: { message: 'No.' } }],
    [
      'left',
      { status: 200, body: { success: false, error: expect.stringMatching(/^No returns provider took return/) } },
    ],
    ['open', { status: 503 }],
  ] as const)('of a return, too: a late answer is what its run came to, %s', async (end, expected) => {
    await runBy('');
    const { returnId } = await aRequestedReturn(api.orm);
    const refusal = { status: 400, message: 'No.' };
    const answer = await api.without('a worker', async () => {
      const body = { resolution: 'refund', isOnline: false };
      const late = api.call('POST', `/V1/pos/rma/${returnId}/process`, { token: api.tokens.register, body });
      // It has looked for a run by then, and found none.
      await waitUntil('the request asks its workflow', async () => asked.has(`return-${returnId}`));
      const { processId } = await openProcessOfReturn(api.orm.em, {
        ...{ returnId, requestKey: `late-${returnId}`, resolution: 'refund', isOnline: false, author: 'Ann' },
        ...{ canRefundThrough: () => false, storeCreditIn: undefined },
      });
      if (end === 'refused') await refuseProcess(api.orm.em, { processId: processId ?? 0, state: 'refused', refusal });
      if (end === 'left') await leaveUnattempted(api.orm.em, processId ?? 0);
      return late;
    });
    expect(answer).toMatchObject(expected);
  });
});

describe('receive return', () => {
  /** A warehouse runs the returns; among its conditions is "As new" (`N`). */
  let warehouse: ReturnsSimulator;
  let api: TestApi;
  let locationId: number;
  let returnId: number;
  let itemId: number;
  const { itemsOf, fork, change, find } = booksOf(() => api.orm);

  beforeAll(async () => {
    warehouse = await startReturnsSimulator();
    api = await testApi({ settings: { RETURNS_SERVICE_URL: warehouse.url, RETURNS_TIMEOUT_SECONDS: '15' } });
    ({ locationId } = await aShop(fork()));
  });
  afterAll(async () => {
    await api.close();
    await warehouse.stop().catch(() => undefined);
  });
  beforeEach(async () => {
    warehouse.asked.length = 0;
    ({ returnId } = await aRequestedReturn(api.orm));
    await isTheWarehouses();
  });

  /** Approved, and the warehouse's to judge. */
  async function isTheWarehouses(): Promise<void> {
    await change('sale_return', { return_id: returnId }, { status: 'approved', provider_code: 'warehouse' });
    const [item] = await itemsOf(returnId, 'entity_id');
    itemId = item!.entity_id;
  }
  const nothingIsTakenIn = async () =>
    expect(await find('sale_return', { return_id: returnId }, 'status')).toEqual([{ status: 'approved' }]);
  const receive = (condition: string) =>
    api.call('POST', `/V1/pos/rma/${returnId}/receive`, {
      token: api.tokens.register,
      body: { itemsJson: JSON.stringify([{ rma_item_id: itemId, condition }]), locationId },
    });

  test.each(['As new', 'N', ' N '])('the condition "%s" of the provider is kept as its word', async (condition) => {
    const { status, body } = await receive(condition);

    expect({ status, body }).toMatchObject({
      status: 200,
      body: { status: 'items_received', items: [{ condition: 'As new' }] },
    });
  });

  test('the provider is asked for the store the goods were sold in, whichever the request came through', async () => {
    const order = { storeId: 2, currency: 'CAD', rate: '1.3600' };
    ({ returnId } = await aReturn(api.orm, { order, locationId: null, isAutoApproved: false, refundMethod: null }));
    await isTheWarehouses();
    const options = jest.spyOn(api.providers.returns.byCode('warehouse')!, 'options');

    expect((await receive('As new')).status).toBe(200);
    expect(options.mock.calls).toEqual([[2]]);
    options.mockRestore();
  });

  test('our own words need no provider', async () => {
    expect((await receive('damaged')).body).toMatchObject({ status: 'items_received' });
    expect(await itemsOf(returnId, 'inspected_condition')).toEqual([{ inspected_condition: 'damaged' }]);
    expect(warehouse.asked).toEqual([]);
  });

  test('a word that the return’s own provider does not offer is refused', async () => {
    expect(await receive('eaten')).toMatchObject({ status: 400, body: { parameters: { value: 'eaten' } } });
    await change('sale_return', { return_id: returnId }, { provider_code: 'builtin' });
    expect((await receive('As new')).status).toBe(400);
    await nothingIsTakenIn();
  });

  test('a provider that cannot be asked is 503, and nothing is taken in', async () => {
    await warehouse.stop();
    expect((await receive('As new')).status).toBe(503);
    await nothingIsTakenIn();
  });
});
