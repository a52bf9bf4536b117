import { afterAll, beforeAll, expect, test } from 'vitest';
import { aFlow, type Flow } from '../../support/flow.ts';
import { recordHistory } from '../../support/record-history.ts';
import { aRegister, type Register } from '../../support/register.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** Whole lives of returns, verb by verb: each is one task of the workflow, and its history one of each branch. */
let flow: Flow;
let register: Register;
beforeAll(async () => {
  flow = await aFlow({ gatewayTimeoutSeconds: 2 });
  register = aRegister(flow);
});
afterAll(() => flow.close());

const verb = async (rmaId: number, path: string, body: object, method = 'POST') => {
  const answer = await register.call(method, `/V1/pos/rma/${rmaId}/${path}`, body);
  expect(answer.status).toBe(200);
  return answer.body;
};

async function pending(price = '12.00', method = 'checkmo') {
  const sale = await register.sale(price, { method });
  const { body } = await register.returnOne(sale, { autoApprove: false });
  return { id: Number(body.id), line: Number(body.items[0].entity_id) };
}

const approve = (id: number) => verb(id, 'status', { status: 'approved' }, 'PUT');
const receive = ({ id, line }: { id: number; line: number }) =>
  verb(id, 'receive', {
    locationId: flow.shop.locationId,
    itemsJson: JSON.stringify([{ rma_item_id: line, condition: 'Unopened' }]),
  });

/** The run has ended; its history has so many events. */
async function recorded(id: number, name: string) {
  const handle = flow.client.workflow.getHandle(`return-${id}`);
  await waitUntil('the workflow has ended', async () => (await handle.describe()).status.name === 'COMPLETED');
  return recordHistory(flow.client, `return-${id}`, name);
}

test('a return by steps is open in the list from its row to its end, in at most 30 events', async () => {
  const rma = await pending();
  const handle = flow.client.workflow.getHandle(`return-${rma.id}`);
  expect((await handle.describe()).status.name).toBe('RUNNING');
  await approve(rma.id);
  await receive(rma);
  const settled = await verb(rma.id, 'settle', { method: 'cash' });
  expect(settled).toMatchObject({ status: 'closed', refund_method: 'cash', base_refund_total: 12 });
  expect(await recorded(rma.id, 'return-by-steps')).toBeLessThanOrEqual(30);
});

test('a return of which every line is repaired ends as resolved, and no money moves', async () => {
  const rma = await pending();
  await approve(rma.id);
  await receive(rma);
  const resolutionsJson = JSON.stringify([{ rma_item_id: rma.line, resolution_mode: 'repair' }]);
  expect(await verb(rma.id, 'resolve', { resolutionsJson })).toMatchObject({
    status: 'resolved',
    credit_memo_id: null,
  });
  await recorded(rma.id, 'return-resolved-repair');
});

test('a line that is refunded to its card by a resolution ends the return as resolved', async () => {
  const rma = await pending('12.00', 'provider_a');
  await approve(rma.id);
  await receive(rma);
  const decided = { rma_item_id: rma.line, resolution_mode: 'refund', refund_method: 'original_payment' };
  const body = await verb(rma.id, 'resolve', { resolutionsJson: JSON.stringify([decided]) });
  expect(body).toMatchObject({ status: 'resolved', refund_attempt_state: 'booked' });
  await recorded(rma.id, 'return-resolved-card');
});

test('a declined card leaves the return parked and its workflow open; cash ends both', async () => {
  const sale = await register.sale('12.51');
  const created = await register.returnOne(sale, { refundMethod: 'original_payment' });
  expect(created).toMatchObject({ status: 400, body: { parameters: { outcome: 'gateway_refused' } } });
  const id = Number(created.body.parameters.return_id);
  expect((await flow.client.workflow.getHandle(`return-${id}`).describe()).status.name).toBe('RUNNING');
  expect(await verb(id, 'settle', { method: 'cash' })).toMatchObject({ status: 'closed' });
  await recorded(id, 'return-declined-then-cash');
});

test('a refund that is cancelled leaves the goods, and the return is settled later', async () => {
  const sale = await register.sale('12.00', { method: 'checkmo' });
  const parked = await register.returnOne(sale, { refundMethod: 'cash' });
  const id = Number(parked.body.id);
  expect(await verb(id, 'cancel-refund', { comment: 'The customer thinks it over.' })).toMatchObject({
    status: 'received',
    refund_method: null,
  });
  expect(await verb(id, 'settle', { method: 'store_credit' })).toMatchObject({ status: 'closed' });
  await recorded(id, 'return-cancelled-then-settled');
});

test('a return that is closed without a refund, and one that is refused, end at once', async () => {
  const [closed, refused] = [await pending(), await pending()];
  expect(await verb(closed.id, 'close', { comment: 'Taken home again.' })).toMatchObject({ status: 'closed' });
  await verb(refused.id, 'status', { status: 'rejected' }, 'PUT');
  await recorded(closed.id, 'return-closed-without-refund');
  await recorded(refused.id, 'return-rejected');
});

test('a run with a long history goes on as a new one, and is found as before', async () => {
  const rma = await pending();
  const handle = flow.client.workflow.getHandle(`return-${rma.id}`);
  const first = await handle.describe();
  const tooMany = 50;
  for (let at = 0; at < tooMany; at++) await handle.signal('refresh');
  // The length of a history is known at the next task.
  const isAnew = async () => {
    await flow.client.workflow.getHandle(`return-${rma.id}`).signal('refresh');
    return (await flow.client.workflow.getHandle(`return-${rma.id}`).describe()).runId !== first.runId;
  };
  await waitUntil('a new run goes on', isAnew);

  const now = await flow.client.workflow.getHandle(`return-${rma.id}`).describe();
  const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  expect(currentDetails).toContain('Waits for the shop to approve it or to refuse it.');
  expect(now.searchAttributes).toMatchObject({ PosReturnId: [rma.id], PosStatus: ['pending'] });
  await approve(rma.id);
  await receive(rma);
  expect(await verb(rma.id, 'settle', { method: 'cash' })).toMatchObject({ status: 'closed' });
  await recorded(rma.id, 'return-continued');
});

test('a request to cancel the run is no end of an open return', async () => {
  const rma = await pending();
  await flow.client.workflow.getHandle(`return-${rma.id}`).cancel();
  await approve(rma.id);
  expect(await verb(rma.id, 'close', {})).toMatchObject({ status: 'closed' });
  await recorded(rma.id, 'return-asked-to-cancel');
});

test('a refused creation leaves no return, and its run ends with the sentence', async () => {
  const sale = await register.sale('12.00', { method: 'checkmo' });
  const answer = await register.returnOne(sale, {}, { target_source_code: 'nowhere' });
  expect(answer).toMatchObject({
    status: 400,
    body: { message: 'Invalid value of "%value" provided for the %fieldName field.' },
  });
  expect((await register.call('GET', `/V1/pos/rma/order/${sale.orderId}`)).body).toEqual([]);
});
