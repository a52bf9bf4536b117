import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { replayHeader } from '../../../api/http/within.ts';
import { verify } from '../../../books/verify/verify.ts';
import { bookSettlement } from '../../../db/returns/settle-return.ts';
import { createReturn, initialiseReturn } from '../../../db/returns/create-return.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import { waitedTooLong } from '../../../domain/refusals/platform.ts';
import { freePort } from '../../../local/free-port.ts';
import { stateQuery } from '../../../workflows/returns/messages.ts';
import { returnId } from '../../../workflows/support/return-id.ts';
import { type Answer, testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { aCustomerWithCredit } from '../../support/builders/credit.ts';
import { anOrder } from '../../support/builders/order.ts';
import { anItem, aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { expectRefused } from '../../support/expect-refused.ts';
import { noCredits } from '../../support/fakes.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { daysAgo } from '../../support/moments.ts';
import { aRegister, type Register } from '../../support/register.ts';
import { atOnce, eightAtOnce } from '../../support/rivals.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { aDocumentDesk, type DocumentDesk } from '../../workflows/a-document-desk.ts';
import { approved, flow, opensACounter, post, put, receive, register, requested, resolve } from './return-by-hand.ts';

describe('no worker', () => {
  /**
   * The API moves neither goods nor money of a return, and calls no gateway: without a worker nothing happens, whatever
   * it is asked. And it needs to know no gateway's address.
   */
  let flow: Flow;
  let register: Register;
  let desk: DocumentDesk;
  beforeAll(async () => {
    flow = await aFlow({ startsWorker: false, reconcileAfterSeconds: 0 });
    register = aRegister(flow);
    desk = aDocumentDesk(flow);
  });
  afterAll(() => flow.close());

  const { find, howMany, shelf, itemsOf, change } = booksOf(() => flow.api.orm);

  /** All that money and goods leave: what a return, a refund or a credit writes when it is carried out. */
  const traces = async () => ({
    called: flow.gateway.ledger.refunds.length,
    memos: await howMany('sales_creditmemo'),
    attempts: await howMany('refund_attempt'),
    runs: await howMany('return_process'),
    moved: await howMany('sale_return_movement'),
    operations: await howMany('sale_return_operation'),
    returns: await find('sale_return', {}, 'return_id', 'status'),
    mugs: await shelf('MUG', 'floor'),
  });

  /** A return that waits for the shop, or one that is parked. */
  async function aWaitingReturn({ isParked }: { isParked: boolean }) {
    const { returnId: rmaId } = await aReturn(flow.api.orm, {
      ...{ locationId: flow.shop.locationId, isAutoApproved: isParked, refundMethod: isParked ? 'cash' : null },
      order: { lines: [{ sku: 'MUG', qty: 2, price: '12.00' }] },
    });
    if (isParked) await initialiseReturn(flow.api.orm.em, { returnId: rmaId, canRefundThrough: () => false });
    const [line] = await itemsOf(rmaId, 'entity_id');
    return { rmaId, rma_item_id: Number(line?.entity_id) };
  }

  const isTooLate = { status: 503, message: waitedTooLong.message };

  /** Each verb by its request, and what its caller is told. */
  async function verbs(): Promise<[verb: string, send: () => Promise<Answer>, told: object][]> {
    const { locationId } = flow.shop;
    const { call } = register;
    const sales = await atOnce(7, () => desk.sale('12.00'));
    const sold = (number: number) => sales[number]!;
    const processed = (number: number, isOnline: boolean) => ({
      ...{ orderId: sold(number).orderId, resolution: 'refund', isOnline },
      items: JSON.stringify([{ order_item_id: sold(number).itemId, qty: 1 }]),
    });
    const waiting = await atOnce(6, () => aWaitingReturn({ isParked: false }));
    const parked = await atOnce(4, () => aWaitingReturn({ isParked: true }));
    const of = (rmas: typeof waiting, number: number, verb: string, body: (rma_item_id: number) => object) => () =>
      call('POST', `/V1/pos/rma/${rmas[number]!.rmaId}/${verb}`, body(rmas[number]!.rma_item_id));
    const resolutions = (refund_method: string) => (rma_item_id: number) => ({
      resolutionsJson: JSON.stringify([{ rma_item_id, resolution_mode: 'refund', refund_method }]),
    });
    await change('sale_return', { return_id: waiting[1]!.rmaId }, { status: 'approved' });
    return [
      ['create', () => register.returnOne(sold(0), { refundMethod: 'original_payment' }), isTooLate],
      ['return of a sale', () => register.returnOne(sold(1), { refundMethod: 'cash', posSaleId: 'sale' }), isTooLate],
      ['process', () => call('POST', '/V1/pos/rma/process', processed(2, false)), isTooLate],
      ['process online', () => call('POST', '/V1/pos/rma/process', processed(3, true)), isTooLate],
      ['status', () => call('PUT', `/V1/pos/rma/${waiting[0]!.rmaId}/status`, { status: 'approved' }), isTooLate],
      [
        'receive',
        of(waiting, 1, 'receive', (id) => ({ locationId, itemsJson: JSON.stringify([{ rma_item_id: id }]) })),
        isTooLate,
      ],
      ['close', of(waiting, 2, 'close', () => ({})), isTooLate],
      ['fast track', of(waiting, 3, 'process', () => ({ resolution: 'refund' })), isTooLate],
      ['fast track online', of(waiting, 4, 'process', () => ({ resolution: 'refund', isOnline: true })), isTooLate],
      ['resolve by card', of(parked, 0, 'resolve', resolutions('original_payment')), isTooLate],
      ['settle', of(parked, 1, 'settle', () => ({ method: 'cash' })), { status: 503 }],
      ['settle by card', of(parked, 2, 'settle', () => ({ method: 'original_payment' })), { status: 503 }],
      ['cancel-refund', of(parked, 3, 'cancel-refund', () => ({})), isTooLate],
      ['refund of an invoice', () => desk.ofInvoice(sold(4)), isTooLate],
      ['refund with totals', () => desk.withTotals(sold(5), 12), isTooLate],
    ];
  }

  const running = async () => {
    const found: string[] = [];
    for await (const { workflowId } of flow.client.workflow.list({
      query: `TaskQueue = '${flow.taskQueue}' and ExecutionStatus = 'Running'`,
    }))
      found.push(workflowId);
    return found.toSorted();
  };

  test('without a worker no verb moves money or goods, and none does so later', async () => {
    const asked = await verbs();
    const before = await traces();
    const answers = await Promise.all(asked.map(async ([verb, send]) => ({ verb, answer: await send() })));

    expect(
      answers.map(({ verb, answer: { status, body } }) => ({ verb, status, message: body.message })),
    ).toMatchObject(asked.map(([verb, , told]) => ({ verb, ...told })));
    expect(await traces()).toEqual(before);

    // A worker comes, finds all that was asked for, and ends what never began.
    await flow.startWorker();
    const open = before.returns.map(({ return_id }) => returnId(return_id)).toSorted();
    await waitUntil('the workflows that run are those of open returns', async () => {
      const now = await running();
      return now.length > 0 && now.every((id) => open.includes(id));
    });
    for (const id of await running()) await flow.client.workflow.getHandle(id).query(stateQuery);
    expect(await traces()).toEqual(before);
  });

  test('an API that knows no gateway’s address takes part in every refund', async () => {
    const sale = await desk.sale('12.00');
    expect(flow.api.settings.GATEWAY_SIMULATOR_URL).toBeUndefined();
    const answer = await register.returnOne(sale, { refundMethod: 'original_payment' });
    expect(answer.body).toMatchObject({ status: 'closed', refund_attempt_state: 'booked' });
    expect((await desk.ofInvoice(sale)).status).toBe(200);
    expect(flow.gateway.ledger.refunds.filter(({ state }) => state === 'refunded')).toHaveLength(2);
  });
});

describe('process return', () => {
  /** What of collapsed processing needs no workflow: refusals, before anything is written. The rest is a flow. */
  let api: TestApi;
  let locationId: number;
  beforeAll(async () => {
    const nobody = `http://127.0.0.1:${await freePort()}`;
    api = await testApi({
      settings: { RETURNS_SERVICE_URL: nobody, CREDIT_SERVICE_URL: nobody, CREDIT_SERVICE_KIND: 'store_credit' },
    });
    ({ locationId } = await aShop(fork()));
  });
  afterAll(() => api.close());

  const { processesOf, fork, change, remove, configure } = booksOf(() => api.orm);
  const call = (path: string, body: unknown) => api.call('POST', path, { token: api.tokens.register, body });
  const sale = async (wanted = {}) => {
    const order = await anOrder(fork(), wanted);
    return { orderId: order.orderId, itemId: order.itemIds[0]! };
  };
  const process = (
    { orderId, itemId }: { orderId: number; itemId: number },
    more: Record<string, unknown> = {},
    row: Record<string, unknown> = {},
  ) =>
    call('/V1/pos/rma/process', {
      orderId,
      items: JSON.stringify([{ order_item_id: itemId, qty: 1, ...row }]),
      resolution: 'refund',
      isOnline: false,
      ...more,
    });
  const aReturnOf = ({ orderId, itemId }: { orderId: number; itemId: number }, customerId: number | null = null) =>
    createReturn(api.orm.em, {
      orderId,
      customerId,
      locationId: null,
      items: [anItem(itemId)],
      comment: null,
      isAutoApproved: false,
      refundMethod: null,
      posSaleId: null,
    });
  const unset = (path: string) => remove('config_value', { path });
  const runsOf = (orderId: number) => processesOf(orderId, 'process_id');

  test('an unknown order is 404, an unknown return too', async () => {
    expect((await process({ orderId: 999_999, itemId: 1 })).status).toBe(404);
    expect((await call('/V1/pos/rma/999999/process', { resolution: 'refund', isOnline: false })).status).toBe(404);
  });

  test.each([
    ['no resolution', { resolution: undefined }, {}],
    ['an unknown resolution', { resolution: 'repair' }, {}],
    ['no lines', { items: '[]' }, {}],
    ['lines that are no text', { items: [{ order_item_id: 1, qty: 1 }] }, {}],
    ['none of a line', {}, { qty: 0 }],
    ['less than none', {}, { qty: -1 }],
    ['a card number in the comment', { comment: 'card 4111 1111 1111 1111' }, {}],
    ['a card number in a reason', {}, { reason: 'card 4111 1111 1111 1111' }],
    ['a condition that is not offered', {}, { condition: 'eaten' }],
    ['a card number in a condition', {}, { condition: 'card 4111 1111 1111 1111' }],
  ])('%s: 400, and nothing is written', async (_case, more, row) => {
    const one = await sale();
    expect((await process(one, more, row)).status).toBe(400);
    expect(await runsOf(one.orderId)).toEqual([]);
  });

  test('the text of a reason is free; a customer of a guest’s order must be there', async () => {
    const one = await sale();
    expect(await process(one, { customerId: 999_999 })).toMatchObject({
      ...{ status: 404, body: { parameters: { fieldName: 'customerId', fieldValue: 999_999 } } },
    });
    expect(await runsOf(one.orderId)).toEqual([]);
    expect((await process(one, {}, { reason: 'The colour is not mine', condition: 'Opened' })).status).toBe(200);
  });

  test('what may not come back is refused with every parameter', async () => {
    const one = await sale();
    expect((await process(one, {}, { qty: 3 })).body.parameters).toEqual({
      outcome: 'return_not_eligible',
      reason_code: 'quantity',
      period_days: 0,
      order_item_id: one.itemId,
    });
    expect((await process(one, {}, { resolution: 'Teleport' })).body.parameters).toMatchObject({
      outcome: 'return_not_eligible',
      reason_code: 'resolution_unsupported',
    });
    expect(await runsOf(one.orderId)).toEqual([]);
  });

  test('what a row names does not stretch the time in which money goes back: the run’s own resolution is judged, too', async () => {
    const one = await sale({ shipped: false });
    await change('sales_order', { entity_id: one.orderId }, { created_at: daysAgo(30) });
    const periods = 'vendor_pos_advanced/returns/resolution_periods';
    await configure(periods, 'Refund:14,Exchange:60');
    const { status, body } = await process(one, { resolution: 'refund' }, { resolution: 'Exchange' });
    await unset(periods);
    expect(status).toBe(400);
    expect(body.parameters).toMatchObject({
      outcome: 'return_not_eligible',
      reason_code: 'resolution_not_allowed',
      resolution_id: 'Refund',
    });
    expect(await runsOf(one.orderId)).toEqual([]);
  });

  test('half of a whole piece is refused in the words of its credit memo, and nothing is written', async () => {
    const one = await sale();
    expect(await process(one, {}, { qty: 0.5 })).toMatchObject({
      status: 400,
      body: { message: 'We found an invalid quantity to refund item "MUG".' },
    });
    expect(await runsOf(one.orderId)).toEqual([]);
  });

  test('a payment no gateway can give back is refused before goods or money move', async () => {
    const one = await sale({ method: 'checkmo' });
    const { status, body } = await process(one, { isOnline: true });
    expect(status).toBe(400);
    expect(body.parameters).toMatchObject({ outcome: 'refund_from_admin' });
    expect(await runsOf(one.orderId)).toEqual([]);
  });

  test('only the order’s own customer gets the credit', async () => {
    const one = await sale({ customerId: await aCustomer(fork()) });
    const other = await aCustomer(fork());
    const { status, body } = await process(one, { resolution: 'store_credit', customerId: other });
    expect(status).toBe(400);
    expect(body.message).toContain('another customer');
  });

  test('store credit for an unknown customer is 404 before goods move, of new goods and of a return', async () => {
    const one = await sale();
    expect(await process(one, { resolution: 'store_credit', customerId: 999_999 })).toMatchObject({
      status: 404,
      body: { parameters: { fieldName: 'customerId', fieldValue: 999_999 } },
    });
    const { returnId } = await aReturnOf(one, 999_999);
    expect((await call(`/V1/pos/rma/${returnId}/process`, { resolution: 'store_credit' })).status).toBe(404);
    expect(await runsOf(one.orderId)).toEqual([]);
  });

  /** Store credit of new goods, and of a return. */
  async function asStoreCredit() {
    const one = await sale({ customerId: await aCustomer(fork()) });
    const { returnId } = await aReturnOf(one);
    const answers = [
      await process(one, { resolution: 'store_credit' }),
      await call(`/V1/pos/rma/${returnId}/process`, { resolution: 'store_credit' }),
    ];
    expect(await runsOf(one.orderId)).toEqual([]);
    return answers;
  }

  test('store credit that is kept outside is refused before goods move, of new goods and of a return', async () => {
    const enabled = 'vendor_store_credit/general/enabled';
    await configure(enabled, '0');
    for (const { status, body } of await asStoreCredit()) {
      expect(status).toBe(400);
      expect(body).toMatchObject({ message: expect.stringContaining('kept by "%1"'), parameters: ['credit_service'] });
    }
    await unset(enabled);
  });

  test('store credit in a shop that has none is refused before goods move, of new goods and of a return', async () => {
    const shop = api;
    api = await testApi({ providers: { credits: noCredits } });
    await aShop(fork());
    for (const { body } of await asStoreCredit())
      expect(body).toEqual({ message: 'No provider is installed for credit type %1.', parameters: ['store_credit'] });
    await api.close();
    api = shop;
  });

  test('a provider that cannot be asked is 503, and nothing is written', async () => {
    const one = await sale();
    const providers = 'vendor_pos_terminal/returns/providers';
    await configure(providers, 'warehouse');
    const token = api.tokens.admin;
    const reads = [`/V1/pos/rma/eligibility/${one.orderId}`, '/V1/pos/rma/options'];
    reads.push('/V1/returnsAttributeMetadata', '/V1/returnsAttributeMetadata/reason');
    const said = 'The returns provider "warehouse" cannot be asked. Try again in a moment.';
    for (const send of [() => process(one), ...reads.map((path) => () => api.call('GET', path, { token }))])
      await expectRefused({ send, status: 503, said });
    expect(await runsOf(one.orderId)).toEqual([]);
    await unset(providers);
  });

  test('a return that has ended is answered with its result', async () => {
    const one = await sale();
    const { returnId } = await aReturnOf(one);
    await change('sale_return', { return_id: returnId }, { status: 'denied' });
    const { status, body, headers } = await call(`/V1/pos/rma/${returnId}/process`, { resolution: 'refund' });
    expect([status, headers.get(replayHeader)]).toEqual([200, 'true']);
    expect(body).toMatchObject({ success: false, rma_id: returnId, credit_memo_id: null, refund_total: 0 });
    expect(body.error).toContain('denied');
  });

  test('a return that was settled by its original payment, all of it credit, was no refund through a gateway', async () => {
    const customerId = await aCustomerWithCredit(api.orm, '200');
    const credits = [{ credit_type: 'store_credit', amount: 108 }];
    const { returnId } = await aReturn(api.orm, { locationId, refundMethod: null, order: { customerId, credits } });
    await initialiseReturn(api.orm.em, { returnId, canRefundThrough: () => false });
    const settlement = { returnId, method: 'original_payment', options: plainSettlement, requestId: 'r' } as const;
    await bookSettlement(api.orm.em, settlement);
    const { body } = await call(`/V1/pos/rma/${returnId}/process`, { resolution: 'refund', isOnline: true });
    expect(body).toMatchObject({ success: true, refund_total: 54, is_online_refund: false });
  });

  test('the register gets all providers, and those of the store', async () => {
    const config = async () => {
      const { body } = await api.call('GET', '/V1/pos/config', { token: api.tokens.register });
      const { rma_providers, has_rma_providers, has_rma_module } = JSON.parse(body);
      return { rma_providers, has_rma_providers, has_rma_module };
    };
    expect(await config()).toEqual({
      has_rma_providers: true,
      has_rma_module: true,
      rma_providers: [
        { key: 'warehouse', code: 'warehouse', enabled: false, label: 'Returns warehouse' },
        { key: 'builtin', code: 'builtin', enabled: true, label: 'Built-in returns' },
      ],
    });
    await configure('vendor_pos_terminal/returns/providers', '');
    expect(await config()).toMatchObject({ has_rma_providers: true, has_rma_module: false });
  });
});

describe('return verbs', () => {
  opensACounter();

  const { fork, auditOf, shelf } = booksOf(() => flow.api.orm);
  const statusLines = (rmaId: number) => auditOf('return', rmaId, 'old_value', 'new_value');

  async function parked(price = '10.00') {
    const sale = await register.sale(price, { method: 'checkmo' });
    const { body } = await register.returnOne(sale, { refundMethod: 'cash' });
    return { sale, rmaId: body.id as number };
  }

  async function uncertain() {
    const sale = await register.sale('12.73');
    const { body } = await register.returnOne(sale, { refundMethod: 'original_payment' });
    return { sale, rmaId: body.parameters.return_id as number, attemptId: body.parameters.refund_attempt_id as number };
  }

  describe('status', () => {
    test('approval approves every line in full, and says so in the history once', async () => {
      const { rmaId } = await requested();

      const answer = await put(rmaId, 'approved', { comment: 'Looks fine to me' });
      const again = await put(rmaId, 'approved', { comment: 'Looks fine to me' });

      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({
        status: 'approved',
        items: [{ qty_requested: 2, qty_authorized: 2, qty_approved: 2, status: 'approved' }],
        comments: [{ comment: 'Looks fine to me', status: 'approved', is_customer_notified: false }],
      });
      expect(again.body).toEqual(answer.body);
      expect(await statusLines(rmaId)).toEqual([{ old_value: 'pending', new_value: 'approved' }]);
    });

    test('a refused return is over: it is called rejected, and a repeat answers it unchanged', async () => {
      const { rmaId } = await requested();
      const refused = await put(rmaId, 'rejected', { comment: 'Worn' });

      expect(refused.body).toMatchObject({ status: 'rejected', status_label: 'Rejected' });
      expect(await put(rmaId, 'rejected')).toMatchObject({ status: 200, body: refused.body });
    });

    test('a move that is not in the table is refused, with the moves there are, and leaves no comment behind', async () => {
      const { rmaId } = await requested();

      const answer = await put(rmaId, 'closed', { comment: 'never mind' });

      expect(answer.status).toBe(400);
      expect(answer.body.message).toBe(
        'A return in status "%1" cannot be set to "%2" by hand; the verb "%4" does that. It can be set to: %3.',
      );
      expect(answer.body.parameters.slice(0, 2)).toEqual(['pending', 'closed']);
      expect((await put(rmaId, 'lost')).status).toBe(400);
      expect(await register.returnOf(rmaId)).toMatchObject({ status: 'pending', comments: [] });
    });
  });

  describe('receive', () => {
    test('goods of an approved return go where their condition sends them; receiving again is refused unless it is the same', async () => {
      const { rmaId, itemId } = await approved();
      const [floor, damaged] = [await shelf('MUG', 'floor'), await shelf('MUG', 'damaged')];
      const items = [{ rma_item_id: itemId, condition: 'Damaged', qty_received: 1, return_to_stock: true }];

      const answer = await receive(rmaId, items);
      const again = await receive(rmaId, items);
      const other = await receive(rmaId, [{ rma_item_id: itemId, condition: 'pristine' }]);

      expect(answer.body).toMatchObject({
        status: 'items_received',
        items: [{ qty_approved: 2, qty_returned: 1, condition: 'Damaged', status: 'items_received' }],
      });
      expect([await shelf('MUG', 'floor'), await shelf('MUG', 'damaged')]).toEqual([floor, damaged + 1]);
      expect(again.body).toEqual(answer.body);
      expect(other.status).toBe(400);

      const settled = await register.settle(rmaId, { method: 'cash' });
      expect(settled.body).toMatchObject({ status: 'closed', base_refund_total: 20 });
    });

    test('a return that is not approved, a strange line, place or condition are refused, and nothing moves', async () => {
      const { rmaId, itemId } = await requested();
      const floor = await shelf('MUG', 'floor');
      expect((await receive(rmaId, [{ rma_item_id: itemId }])).body.message).toMatch(/has to be approved/);
      await put(rmaId, 'approved');

      const answers = [
        await receive(rmaId, [{ rma_item_id: itemId + 1_000 }]),
        await receive(rmaId, [{ rma_item_id: itemId }, { rma_item_id: itemId }]),
        await receive(rmaId, [{ rma_item_id: itemId, condition: 'eaten' }]),
        await receive(rmaId, [{ rma_item_id: itemId, qty_received: -1 }]),
        await receive(rmaId, []),
        await receive(rmaId, [{ rma_item_id: itemId }], { locationId: 4_711 }),
      ];

      expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 404]);
      expect(await register.returnOf(rmaId)).toMatchObject({ status: 'approved' });
      expect(await shelf('MUG', 'floor')).toBe(floor);
    });

    test('the create’s choice about stock applies where the receive sends none', async () => {
      const sale = await register.sale('10.00', { method: 'checkmo' });
      const asked = await register.returnOne(sale, { autoApprove: false }, { return_to_stock: false });
      const { id: rmaId, items } = asked.body;
      await put(rmaId, 'approved');
      const floor = await shelf('MUG', 'floor');

      const answer = await receive(rmaId, [{ rma_item_id: items[0].entity_id, condition: 'Unopened' }]);

      expect(answer.body).toMatchObject({ status: 'items_received', items: [{ qty_returned: 1 }] });
      expect(await shelf('MUG', 'floor')).toBe(floor);
      expect((await receive(rmaId, [{ rma_item_id: items[0].entity_id, condition: 'Unopened' }])).body).toEqual(
        answer.body,
      );
    });

    test('eight receives at once take the goods in once', async () => {
      const { rmaId, itemId } = await approved();
      const floor = await shelf('MUG', 'floor');

      const answers = await eightAtOnce(() => receive(rmaId, [{ rma_item_id: itemId, condition: 'Unopened' }]));

      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
      expect(await shelf('MUG', 'floor')).toBe(floor + 2);
    });
  });

  describe('cancel-refund', () => {
    test('a parked return goes back to received: goods stay, no memo, an audit line; asked again it is unchanged', async () => {
      const { rmaId, sale } = await parked();
      const floor = await shelf('MUG', 'floor');

      const answer = await post(rmaId, 'cancel-refund', { comment: 'Customer thinks it over' });
      const again = await post(rmaId, 'cancel-refund', { comment: 'Customer thinks it over' });

      expect(answer.body).toMatchObject({ status: 'received', refund_method: null, credit_memo_id: null });
      expect(answer.body.comments.map(({ comment }: { comment: string }) => comment)).toEqual([
        'The refund was cancelled; the goods stay.',
        'Customer thinks it over',
      ]);
      expect(again.body).toEqual(answer.body);
      expect(await statusLines(rmaId)).toEqual([{ old_value: 'awaiting_refund', new_value: 'received' }]);
      expect(await shelf('MUG', 'floor')).toBe(floor);
      expect(await register.memosOf(sale.orderId)).toEqual([]);

      expect((await register.settle(rmaId, { method: 'cash' })).body).toMatchObject({ status: 'closed' });
    });

    test('any other status is refused', async () => {
      const { rmaId } = await approved();
      const { rmaId: over } = await parked();
      await register.settle(over, { method: 'cash' });

      expect((await post(rmaId, 'cancel-refund')).body).toMatchObject({
        message: 'A return in status "%1" has no refund to cancel.',
        parameters: ['approved'],
      });
      expect((await post(over, 'cancel-refund')).body.parameters).toEqual(['closed']);
    });
  });

  describe('close', () => {
    test('what was restocked goes back out, once, without a memo; the goods may come back another day', async () => {
      const sale = await register.sale('10.00', { method: 'checkmo' });
      const floor = await shelf('MUG', 'floor');
      const { body } = await register.returnOne(sale, { refundMethod: 'cash' });
      expect(await shelf('MUG', 'floor')).toBe(floor + 1);

      const answers = await eightAtOnce(() => post(body.id, 'close', { comment: 'Kept it' }));

      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
      expect(answers[0]?.body).toMatchObject({ status: 'closed', refund_method: null, credit_memo_id: null });
      expect(await shelf('MUG', 'floor')).toBe(floor);
      expect(await register.memosOf(sale.orderId)).toEqual([]);
      expect(await statusLines(body.id)).toEqual([{ old_value: 'awaiting_refund', new_value: 'closed' }]);
      const said = (await register.returnOf(body.id)).comments.map(({ comment }: { comment: string }) => comment);
      expect(said).toEqual(['Closed without a refund.', 'Kept it']);
      expect((await register.returnOne(sale, { refundMethod: 'cash' })).status).toBe(200);
    });

    test('a return whose goods never came is just closed', async () => {
      const { rmaId } = await requested();
      const floor = await shelf('MUG', 'floor');

      expect((await post(rmaId, 'close')).body).toMatchObject({ status: 'closed' });
      expect(await shelf('MUG', 'floor')).toBe(floor);
    });
  });

  test('a return that is deleted has no workflow any more', async () => {
    const { rmaId } = await requested();
    const token = await flow.api.tokenFor('Platform_Rma::magento_rma');
    expect((await flow.api.call('DELETE', `/V1/returns/${rmaId}`, { token })).status).toBe(200);
    expect(await flow.client.workflow.getHandle(`return-${rmaId}`).result()).toContain('refused');
  });

  test('while a refund is uncertain no verb moves the return, and no word of the register is kept', async () => {
    const { rmaId, attemptId } = await uncertain();
    const [item] = (await register.returnOf(rmaId)).items;
    const before = await register.returnOf(rmaId);

    const answers = [
      await post(rmaId, 'cancel-refund', { comment: 'stop' }),
      await post(rmaId, 'close', { comment: 'stop' }),
      await resolve(rmaId, [{ rma_item_id: item.entity_id, resolution_mode: 'refund', refund_method: 'cash' }]),
    ];

    for (const { status, body } of answers) {
      expect(status).toBe(409);
      expect(body.parameters).toMatchObject({ outcome: 'gateway_uncertain', refund_attempt_id: attemptId });
    }
    expect(await register.returnOf(rmaId)).toEqual(before);
  });

  test('after all of that the books balance', async () => {
    expect(await verify(fork())).toEqual([]);
  });
});
