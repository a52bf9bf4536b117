import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { replayHeader } from '../../../api/http/within.ts';
import { verify } from '../../../books/verify/verify.ts';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { openProcessOfReturn } from '../../../db/process/open-process.ts';
import { closeReturn } from '../../../db/returns/close-return.ts';
import { createReturn } from '../../../db/returns/create-return.ts';
import { type ReturnStatus, terminalStatuses } from '../../../domain/returns/return-status.ts';
import type { Mail, Mailer } from '../../../providers/mail.ts';
import { booksOf } from '../../support/books.ts';
import { waiting, whileHeld } from '../../support/books/held.ts';
import { secretBox } from '../../support/builders/counter.ts';
import { anOrder } from '../../support/builders/order.ts';
import { anItem, aRefundAttempt, aRequestedReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { useApi } from '../../support/fixtures.ts';
import { recordHistory } from '../../support/record-history.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { api, call, locationId, opensAReturnDesk, rows } from './a-return-desk.ts';
import { approved, flow, opensACounter, receive, register, resolve } from './return-by-hand.ts';

describe('ask return', () => {
  /** What a register hears when whoever carries out its request is late or away: the truth of the row, in good time. */
  const api = useApi();
  let locationId: number;
  let returnId: number;
  let orderId: number;
  const books = booksOf(() => api.orm);
  const { find, fork, memosOf } = books;

  beforeAll(async () => {
    ({ locationId } = await aShop(fork()));
  });
  beforeEach(async () => {
    ({ returnId, orderId } = await aRequestedReturn(api.orm));
  });

  const call = (method: string, path = '', body?: object) =>
    api.call(method, `/V1/pos/rma/${returnId}${path}`, { token: api.tokens.register, ...(body ? { body } : {}) });
  const close = () => call('POST', '/close', { comment: 'Ann kept it' });
  const untouched = { status: 200, body: { status: 'pending', comments: [] } };

  test('no answer in time, but the row shows it done: answered from the row', async () => {
    const answer = await api.without('a worker', async () => {
      const asked = close();
      await closeReturn(api.orm.em, { returnId, comment: 'Ann kept it' });
      return asked;
    });

    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'closed', comments: [{}, { comment: 'Ann kept it' }] },
    });
  });

  test('nobody there to do it: 503, nothing is written, and nothing comes of it later', async () => {
    const answer = await api.without('a worker', close);

    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).not.toBeNull();
    expect(await call('GET')).toMatchObject(untouched);
    // The workflow has the late request first: it came before this one.
    expect(await call('PUT', '/status', { status: 'approved' })).toMatchObject({
      status: 200,
      body: { status: 'approved', comments: [] },
    });
  });

  test('the record is held by somebody else for too long: 503, and nothing comes of it later', async () => {
    const answer = await whileHeld(books, 'sale_return', { return_id: returnId }, close);

    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).not.toBeNull();
    await waitUntil('nobody waits for the return', async () => (await waiting(books)) === 0);
    expect(await call('PUT', '/status', { status: 'approved' })).toMatchObject({
      status: 200,
      body: { status: 'approved', comments: [] },
    });
  });

  test('Temporal out of reach: 503, and the return is unchanged', async () => {
    const answer = await api.without('Temporal', close);

    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).not.toBeNull();
    expect(await call('GET')).toMatchObject(untouched);
    expect(await find('sale_return_operation', { return_id: returnId })).toEqual([]);
  });

  test('a refusal leaves no words behind', async () => {
    const attempt = await aRefundAttempt(api.orm, { locationId, state: 'uncertain' });
    ({ returnId } = attempt);
    const before = await call('GET');

    expect(await close()).toMatchObject({ status: 409, body: { parameters: { outcome: 'gateway_uncertain' } } });
    expect((await call('GET')).body).toEqual(before.body);
  });

  test('a return is changed by its workflow, with the words of the person who asked', async () => {
    expect(await close()).toMatchObject({
      status: 200,
      body: { status: 'closed', comments: [{}, { comment: 'Ann kept it' }] },
    });
    expect(await find('sale_return_operation', { return_id: returnId }, 'refund_attempt_id')).toEqual([
      { refund_attempt_id: null },
    ]);
  });

  test('a return that another call is taking to its end: the workflow has that call first', async () => {
    await openProcessOfReturn(api.orm.em, {
      returnId,
      requestKey: randomUUID(),
      resolution: 'refund',
      isOnline: false,
      author: 'Ann',
      canRefundThrough: () => false,
      storeCreditIn: undefined,
    });

    expect(await close()).toMatchObject({ status: 200, body: { status: 'closed', base_refund_total: 54 } });
    expect(await memosOf(orderId)).toHaveLength(1);
  });

  test('a return that is over is answered without a workflow', async () => {
    await closeReturn(api.orm.em, { returnId });

    expect(await api.without('Temporal', close)).toMatchObject({ status: 200, body: { status: 'closed' } });
  });
});

describe('comment return', () => {
  /** A mail server that keeps what it is given, or is away. */
  class FakeMailer implements Mailer {
    isEnabled = true;
    isReachable = () => Promise.resolve(true);
    isAway = false;
    sent: Mail[] = [];

    send(mail: Mail): Promise<void> {
      if (this.isAway) return Promise.reject(Object.assign(new Error(`no ${mail.to}`), { code: 'ECONNREFUSED' }));
      this.sent.push(mail);
      return Promise.resolve();
    }
  }

  const mail = new FakeMailer();
  const api = useApi({ providers: { mail } });
  let rmaId: number;
  beforeAll(async () => {
    const { locationId } = await aShop(api.orm.em.fork());
    const order = await anOrder(api.orm.em.fork(), { customerEmail: 'ann@example.com' });
    ({ returnId: rmaId } = await createReturn(api.orm.em, {
      orderId: order.orderId,
      customerId: null,
      locationId,
      items: [anItem(order.itemIds[0]!)],
      comment: null,
      isAutoApproved: false,
      refundMethod: null,
      posSaleId: null,
    }));
  });
  beforeEach(() => {
    Object.assign(mail, { isEnabled: true, isAway: false, sent: [] });
  });

  const comment = (body: unknown, id = rmaId) =>
    api.call('POST', `/V1/pos/rma/${id}/comment`, { token: api.tokens.register, body });
  const lastComment = async () => {
    const { body } = await api.call('GET', `/V1/pos/rma/${rmaId}`, { token: api.tokens.register });
    return body.comments.at(-1);
  };

  test('a comment is written into the history and answered with true, without a mail', async () => {
    const answer = await comment({ comment: 'The lid is missing' });

    expect(answer).toMatchObject({ status: 200, body: true });
    expect(await lastComment()).toMatchObject({
      comment: 'The lid is missing',
      is_customer_notified: false,
      is_visible_on_front: false,
      status: 'pending',
    });
    expect(mail.sent).toEqual([]);
  });

  test('the customer gets a mail when that is requested, and the history says so', async () => {
    expect((await comment({ comment: 'Bring the lid, please', notify_customer: true })).body).toBe(true);

    expect(mail.sent).toEqual([
      {
        to: 'ann@example.com',
        subject: expect.stringMatching(/^About your return \d+$/),
        text: 'Bring the lid, please\n',
      },
    ]);
    expect(await lastComment()).toMatchObject({ is_customer_notified: true, is_visible_on_front: true });
  });

  test.each([
    ['away', { isAway: true }],
    ['not set up', { isEnabled: false }],
  ])('with the mail server %s the comment stands, and does not say the customer was told', async (_how, state) => {
    Object.assign(mail, state);

    const answer = await comment({ comment: 'We close at six', notifyCustomer: true });

    expect(answer).toMatchObject({ status: 200, body: true });
    expect(await lastComment()).toMatchObject({ comment: 'We close at six', is_customer_notified: false });
  });

  test('the address of the walk-in customer gets no mail, and the history does not claim one', async () => {
    const path = 'vendor_pos_terminal/customers/walk_in_email';
    await setConfigValue(api.orm.em.fork(), secretBox, { path, value: 'Ann@example.com' });

    expect((await comment({ comment: 'Bring the box', notifyCustomer: true })).body).toBe(true);

    expect(mail.sent).toEqual([]);
    expect(await lastComment()).toMatchObject({ comment: 'Bring the box', is_customer_notified: false });
    await setConfigValue(api.orm.em.fork(), secretBox, { path, value: null });
  });

  test('an unknown return, an empty comment, one too long or with a card number are refused', async () => {
    const answers = [
      await comment({ comment: 'hello' }, 999_999),
      await comment({ comment: ' ' }),
      await comment({}),
      await comment({ comment: 'x'.repeat(4_001) }),
      await comment({ comment: 'paid with 4111 1111 1111 1111' }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 400, 400, 400, 400]);
  });
});

describe('every verb', () => {
  /** What is the same for every verb of a return (spec 3.2). */
  const api = useApi();
  let locationId: number;
  beforeAll(async () => {
    ({ locationId } = await aShop(fork()));
  });

  const { fork, howMany, change } = booksOf(() => api.orm);

  interface Asked {
    rma_item_id: number;
    status: ReturnStatus;
  }

  interface Verb {
    verb: string;
    body: (asked: Asked) => object;
    method?: 'PUT';
    /** What answers it for a return that has ended. */
    answeredBy: 'a replay' | 'the return as it is' | 'a refusal';
  }

  const verbs: Verb[] = [
    {
      verb: 'settle',
      body: () => ({ method: 'original_payment', reference: 'T-1', adjustmentNegative: 1 }),
      answeredBy: 'a replay',
    },
    { verb: 'close', body: () => ({ comment: 'again' }), answeredBy: 'a replay' },
    {
      verb: 'receive',
      body: ({ rma_item_id }) => ({ itemsJson: JSON.stringify([{ rma_item_id }]), locationId }),
      answeredBy: 'a replay',
    },
    {
      verb: 'resolve',
      body: ({ rma_item_id }) => ({ resolutionsJson: JSON.stringify([{ rma_item_id, resolution_mode: 'repair' }]) }),
      answeredBy: 'a replay',
    },
    {
      verb: 'status',
      method: 'PUT',
      body: ({ status }) => ({ status, comment: 'again' }),
      answeredBy: 'the return as it is',
    },
    { verb: 'status', method: 'PUT', body: () => ({ status: 'approved', comment: 'again' }), answeredBy: 'a refusal' },
    { verb: 'cancel-refund', body: () => ({ comment: 'again' }), answeredBy: 'a refusal' },
  ];

  const call = (method: string, path: string, body?: object) =>
    api.call(method, `/V1/pos/rma/${path}`, { token: api.tokens.register, ...(body ? { body } : {}) });

  /** A return that has ended in this status, as a register is shown it. */
  async function anEnded(status: ReturnStatus) {
    const order = await anOrder(fork());
    const { returnId } = await createReturn(api.orm.em, {
      orderId: order.orderId,
      customerId: null,
      locationId,
      items: [anItem(order.itemIds[0]!)],
      comment: null,
      isAutoApproved: false,
      refundMethod: null,
      posSaleId: null,
    });
    await change('sale_return', { return_id: returnId }, { status });
    const shown = () => call('GET', String(returnId)).then(({ body }) => body);
    const before = await shown();
    expect(before.status).toBe(status);
    return { returnId, before, shown, asked: { rma_item_id: before.items[0].entity_id, status } };
  }

  describe.each(verbs)(
    '$verb: a return that has ended is answered by $answeredBy',
    ({ verb, method = 'POST', body, answeredBy }) => {
      test('an unknown return is 404, and no word of the register is kept', async () => {
        const answer = await call(method, `999999/${verb}`, body({ rma_item_id: 1, status: 'closed' }));
        expect(answer.status).toBe(404);
        expect(await howMany('sale_return_comment')).toBe(0);
      });

      test.each(terminalStatuses)(
        'a return that is %s stays so, also when it is sent eight times at once',
        async (status) => {
          const { returnId, before, shown, asked } = await anEnded(status);
          const send = () => call(method, `${returnId}/${verb}`, body(asked));

          for (const answer of [await send(), ...(await eightAtOnce(send))]) {
            expect(answer.status).toBe(answeredBy === 'a refusal' ? 400 : 200);
            if (answeredBy !== 'a refusal') expect(answer.body).toEqual(before);
            expect(answer.headers.get(replayHeader)).toBe(answeredBy === 'a replay' ? 'true' : null);
          }
          expect(await shown()).toEqual(before);
        },
      );
    },
  );
});

describe('items of a return', () => {
  opensAReturnDesk();

  const { itemsOf } = booksOf(() => api.orm);

  test.each([
    ['an array in place of a text', [{ order_item_id: 1, qty_requested: 1 }]],
    ['a text of a text', JSON.stringify(JSON.stringify([{ order_item_id: 1, qty_requested: 1 }]))],
    ['no JSON', 'one mug'],
    ['an unknown key', JSON.stringify([{ order_item_id: 1, qty_requested: 1, refund_all: true }])],
  ])('items as %s are refused', async (_case, items) => {
    const order = await anOrder(api.orm.em.fork());
    expect((await call('POST', '/V1/pos/rma', { orderId: order.orderId, items })).status).toBe(400);
  });

  test('a blank reason counts as absent: the id is kept; so with a condition', async () => {
    const order = await anOrder(api.orm.em.fork());
    const row = { reason: '', reason_id: 'Wrong size', condition: ' ', condition_id: 'Damaged' };
    const items = rows({ order_item_id: order.itemIds[0], qty_requested: 1, ...row });

    const { body } = await call('POST', '/V1/pos/rma', { orderId: order.orderId, items });

    expect(body.items).toMatchObject([{ reason: 'Wrong size', condition: 'Damaged' }]);
  });

  test('what was inspected and how the money goes back count with autoApprove only', async () => {
    const order = await anOrder(api.orm.em.fork());
    const seen = {
      inspected_condition: 'damaged',
      qty_received: 1,
      target_source_code: 'floor',
      return_to_stock: false,
    };
    const { body } = await call('POST', '/V1/pos/rma', {
      orderId: order.orderId,
      items: rows({ order_item_id: order.itemIds[0], qty_requested: 2, ...seen }),
      refundMethod: 'cash',
    });
    expect(body).toMatchObject({ status: 'pending', refund_method: null, items: [{ qty_returned: null }] });
    expect(
      await itemsOf(body.id, 'inspected_condition', 'qty_received', 'target_source_code', 'return_to_stock'),
    ).toEqual([{ inspected_condition: null, qty_received: null, target_source_code: null, return_to_stock: false }]);
  });

  test.each([
    ['asked for', { qty_requested: 0.5 }],
    ['taken in', { qty_requested: 1, qty_received: 0.5 }],
  ])('half of a whole piece is not %s, and nothing is written', async (_case, row) => {
    const order = await anOrder(api.orm.em.fork());
    const answer = await call('POST', '/V1/pos/rma', {
      orderId: order.orderId,
      items: rows({ order_item_id: order.itemIds[0], ...row }),
      autoApprove: true,
      locationId,
    });
    expect(answer).toMatchObject({
      status: 400,
      body: { message: 'We found an invalid quantity to refund item "MUG".' },
    });
    expect((await call('GET', `/V1/pos/rma/order/${order.orderId}`)).body).toEqual([]);
  });

  test('two halves in two rows are no whole piece either', async () => {
    const order = await anOrder(api.orm.em.fork());
    const half = { order_item_id: order.itemIds[0], qty_requested: 0.5 };
    const answer = await call('POST', '/V1/pos/rma', { orderId: order.orderId, items: rows(half, half) });
    expect(answer.status).toBe(400);
  });

  test('goods sold by weight come back by weight', async () => {
    const order = await anOrder(api.orm.em.fork(), {
      lines: [{ sku: 'PLATE', qty: 1.5, price: '10', isQtyDecimal: true }],
    });
    const items = rows({ order_item_id: order.itemIds[0], qty_requested: 0.5 });
    const answer = await call('POST', '/V1/pos/rma', { orderId: order.orderId, items });
    expect(answer).toMatchObject({ status: 200, body: { items: [{ qty_requested: 0.5 }] } });
  });

  test('goods are not sent to an unknown source, and nothing is written', async () => {
    const order = await anOrder(api.orm.em.fork());
    const wish = (more: object) => ({
      orderId: order.orderId,
      items: rows({ order_item_id: order.itemIds[0], qty_requested: 1, target_source_code: 'nowhere' }),
      locationId,
      ...more,
    });

    const answer = await call('POST', '/V1/pos/rma', wish({ autoApprove: true }));

    expect(answer).toMatchObject({
      status: 400,
      body: { parameters: { fieldName: 'target_source_code', value: 'nowhere' } },
    });
    expect((await call('GET', `/V1/pos/rma/order/${order.orderId}`)).body).toEqual([]);
    // It says something only where the goods are taken in at once.
    expect((await call('POST', '/V1/pos/rma', wish({ autoApprove: false }))).status).toBe(200);
  });

  test.each(['reason', 'reason_id', 'condition', 'condition_id'])(
    'a card number in the %s of a row is refused, and nothing is written',
    async (field) => {
      const order = await anOrder(api.orm.em.fork());
      const items = rows({ order_item_id: order.itemIds[0], qty_requested: 1, [field]: 'card 4111 1111 1111 1111' });

      expect((await call('POST', '/V1/pos/rma', { orderId: order.orderId, items })).status).toBe(400);
      expect((await call('GET', `/V1/pos/rma/order/${order.orderId}`)).body).toEqual([]);
    },
  );
});

describe('resolve return', () => {
  opensACounter();

  const { linesOf, fork } = booksOf(() => flow.api.orm);
  const isOver = (workflowId: string) => async () =>
    (await flow.client.workflow.getHandle(workflowId).describe()).status.name !== 'RUNNING';
  const record = async (rmaId: number, name: string) => {
    await waitUntil('the workflow has ended', isOver(`return-${rmaId}`));
    await recordHistory(flow.client, `return-${rmaId}`, name);
  };

  describe('resolve', () => {
    const received = async (price?: string, order?: object) => {
      const asked = await approved(price, order);
      await receive(asked.rmaId, [{ rma_item_id: asked.itemId, condition: 'pristine' }]);
      return asked;
    };

    test('repair and dispose resolve a return and move no money', async () => {
      const { rmaId, itemId, sale } = await received();

      const answer = await resolve(rmaId, [{ rma_item_id: itemId, resolution_mode: 'repair' }]);

      expect(answer.body).toMatchObject({
        status: 'resolved',
        refund_method: null,
        credit_memo_id: null,
        items: [{ resolution: 'Repair', status: 'resolved' }],
        comments: [{ comment: 'Resolved: MUG Repair, no money moves.' }],
      });
      expect(await register.memosOf(sale.orderId)).toEqual([]);
    });

    test('a refund in cash is booked in the same step, once', async () => {
      const { rmaId, itemId, sale } = await received();
      const resolutions = [{ rma_item_id: itemId, resolution_mode: 'refund', refund_method: 'cash' }];

      const answers = await eightAtOnce(() => resolve(rmaId, resolutions));

      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
      expect(answers[0]?.body).toMatchObject({ status: 'resolved', refund_method: 'cash', base_refund_total: 20 });
      expect(await register.memosOf(sale.orderId)).toHaveLength(1);
    });

    test('a refund through the gateway resolves the return when it is booked', async () => {
      const { rmaId, itemId, sale } = await received('12.00', {});

      const answer = await resolve(rmaId, [
        { rma_item_id: itemId, resolution_mode: 'refund', refund_method: 'original_payment' },
      ]);

      expect(answer.body).toMatchObject({
        status: 'resolved',
        refund_method: 'original_payment',
        refund_attempt_state: 'booked',
      });
      expect(await register.memosOf(sale.orderId)).toHaveLength(1);
      expect(await flow.client.workflow.getHandle(`return-${rmaId}`).result()).toBe('resolved');
    });

    test('a refund whose answer was lost is looked up by the workflow, and resolves the return', async () => {
      const { rmaId, itemId, sale } = await received('12.32', {});

      const answer = await resolve(rmaId, [
        { rma_item_id: itemId, resolution_mode: 'refund', refund_method: 'original_payment' },
      ]);

      expect(answer.body).toMatchObject({ status: 'resolved', refund_attempt_state: 'booked' });
      expect(await register.memosOf(sale.orderId)).toHaveLength(1);
      await record(rmaId, 'return-resolve-looked-up');
      expect(await flow.client.workflow.getHandle(`return-${rmaId}`).result()).toBe('resolved');
    });

    test('a gateway that refuses leaves the return parked with its resolutions; settled in cash it is resolved', async () => {
      const { rmaId, itemId, sale } = await received('12.26', {});

      const refused = await resolve(rmaId, [
        { rma_item_id: itemId, resolution_mode: 'refund', refund_method: 'original_payment' },
      ]);

      expect(refused.status).toBe(400);
      expect(refused.body.parameters).toMatchObject({ outcome: 'gateway_refused', refund_attempt_state: 'failed' });
      expect(await register.returnOf(rmaId)).toMatchObject({ status: 'awaiting_refund' });
      expect((await register.settle(rmaId, { method: 'cash' })).body).toMatchObject({ status: 'resolved' });
      expect(await register.memosOf(sale.orderId)).toHaveLength(1);
      await record(rmaId, 'return-resolve-declined-idle');
    });

    test('of two lines, one refunded and one repaired: the memo has the refunded one only, and neither comes back again', async () => {
      const sale = await register.sale('10.00', {
        method: 'checkmo',
        lines: [
          { sku: 'MUG', qty: 1, price: '10.00' },
          { sku: 'PLATE', qty: 1, price: '7.00' },
        ],
      });
      const items = await linesOf(sale.orderId, 'item_id', 'sku');
      const wanted = items.map(({ item_id }) => ({ order_item_id: item_id, qty_requested: 1 }));
      const body = { orderId: sale.orderId, items: JSON.stringify(wanted), autoApprove: true };
      const rma = await register.call('POST', '/V1/pos/rma', { ...body, locationId: flow.shop.locationId });
      const [mug, plate] = rma.body.items;

      const answer = await resolve(rma.body.id, [
        { rma_item_id: mug.entity_id, resolution_mode: 'store_credit', refund_method: 'store_credit' },
        { rma_item_id: plate.entity_id, resolution_mode: 'repair', refund_method: '' },
      ]);
      const again = await register.call('POST', '/V1/pos/rma', { ...body, locationId: flow.shop.locationId });

      expect(answer.body).toMatchObject({ status: 'resolved', refund_method: 'store_credit', base_refund_total: 10 });
      expect(again.body.parameters).toMatchObject({ outcome: 'return_not_eligible' });
    });

    test('a line without a resolution, two ways of refunding, money for a repair: refused, and nothing is written', async () => {
      const { rmaId, itemId } = await received();

      const answers = [
        await resolve(rmaId, []),
        await resolve(rmaId, [{ rma_item_id: itemId + 1_000, resolution_mode: 'repair' }]),
        await resolve(rmaId, [{ rma_item_id: itemId, resolution_mode: 'repair', refund_method: 'cash' }]),
        await resolve(rmaId, [{ rma_item_id: itemId, resolution_mode: 'burn' }]),
      ];

      expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
      expect(await register.returnOf(rmaId)).toMatchObject({ status: 'items_received', comments: [] });
    });

    test('money does not go back before the goods are in', async () => {
      const { rmaId, itemId, sale } = await approved();

      const answer = await resolve(rmaId, [{ rma_item_id: itemId, resolution_mode: 'refund', refund_method: 'cash' }]);

      expect(answer.status).toBe(400);
      expect(await register.returnOf(rmaId)).toMatchObject({ status: 'approved', items: [{ resolution: 'Refund' }] });
      expect(await register.memosOf(sale.orderId)).toEqual([]);
    });
  });

  test('after all of that the books balance', async () => {
    expect(await verify(fork())).toEqual([]);
  });
});
