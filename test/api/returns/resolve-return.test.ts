import { describe, expect, test } from 'vitest';
import { verify } from '../../../books/verify/verify.ts';
import { booksOf } from '../../support/books.ts';
import { recordHistory } from '../../support/record-history.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { opensACounter, flow, register, receive, resolve, approved } from './return-by-hand.ts';

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
