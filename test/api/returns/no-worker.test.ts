import { afterAll, beforeAll, expect, test } from 'vitest';
import { returnId } from '../../../workflows/support/return-id.ts';
import { stateQuery } from '../../../workflows/returns/messages.ts';
import type { Answer } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { initialiseReturn } from '../../../db/returns/initialise-return.ts';
import { waitedTooLong } from '../../../api/wire/outcomes.ts';
import { aReturn } from '../../support/builders/return.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { atOnce } from '../../support/rivals.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { aRegister, type Register } from '../../support/register.ts';
import { aDocumentDesk, type DocumentDesk } from '../../workflows/a-document-desk.ts';

/**
 * The API moves neither goods nor money of a return, and calls no gateway: without a worker nothing happens, whatever it is
 * asked. And it needs to know no gateway's address.
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
    ['settle', of(parked, 1, 'settle', () => ({ method: 'cash' })), { status: 409 }],
    ['settle by card', of(parked, 2, 'settle', () => ({ method: 'original_payment' })), { status: 409 }],
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

  expect(answers.map(({ verb, answer: { status, body } }) => ({ verb, status, message: body.message }))).toMatchObject(
    asked.map(([verb, , told]) => ({ verb, ...told })),
  );
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
