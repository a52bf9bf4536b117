import { beforeEach, describe, expect, test } from 'vitest';
import { booksOf } from '../../support/books.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { recordHistory } from '../../support/record-history.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { waitUntil } from '../../support/wait-until.ts';
import {
  opensAProcessDesk,
  warehouse,
  flow,
  register,
  worksWith,
  type Sale,
  process,
  refunded,
  runs,
  recorded,
} from './a-process-desk.ts';

opensAProcessDesk();

const { theReturn, fork, entriesOf, shelf, storyOf, booksHold } = booksOf(() => flow.api.orm);

describe('with a returns warehouse before the built-in returns', () => {
  beforeEach(() => worksWith('warehouse,builtin'));

  test('it takes the return, and keeps the goods', async () => {
    const sale = await register.sale('12.00');
    const before = await shelf();
    const { body } = await process(sale);
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
    const answer = await process(sale, { isOnline: true });
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
    const customerId = await aCustomer(fork());
    const sale = await register.sale('12.00', { customerId });
    const rmaId = await pending(sale);
    const answers = await eightAtOnce(() => fastTrack(rmaId, { resolution: 'store_credit' }));
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
