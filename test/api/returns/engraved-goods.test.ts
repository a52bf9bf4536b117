import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { terminalStatuses } from '../../../domain/returns/return-status.ts';
import { ownAttributes } from '../../support/attribute-token.ts';
import { booksOf } from '../../support/books.ts';
import { like } from '../../support/books/which.ts';
import { aCup, type Cup } from '../../support/builders/cup.ts';
import { aPostedLine, aPostedSale } from '../../support/builders/posted-sale.ts';
import { aRequestedReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { expectRefused } from '../../support/expect-refused.ts';
import { useApi } from '../../support/fixtures.ts';
import { atOnce } from '../../support/rivals.ts';
import { flow, opensACounter, register } from './settled-returns.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('engraved goods', () => {
  /** A cup that was engraved: its line has the SKU of the engraving too, and its goods are those of the cup. */
  opensACounter();
  const { shelf, promised, booksHold, find } = booksOf(() => flow.api.orm);
  const admin = (method: string, path: string, body?: object) =>
    flow.api.call(method, path, { token: flow.api.tokens.admin, ...(body ? { body } : {}) });
  const orderOf = async (id: number) => (await admin('GET', `/V1/orders/${id}`)).body;
  const inBoth = (figures: Record<string, number>) =>
    Object.fromEntries(
      Object.entries(figures).flatMap(([name, value]) => [
        [name, value],
        [`base_${name}`, value],
      ]),
    );

  let cup: Cup;
  let productId: number;
  beforeAll(async () => {
    cup = await aCup(flow.api);
    productId = (await admin('GET', '/V1/products/CUP')).body.id;
  });

  /** Four cups at 50 and 8 % tax, posted by the register as it worked them out. */
  async function soldCups(line: object = {}, method = 'checkmo') {
    const money = inBoth({ price: 50, row_total: 200, tax_amount: 16, row_total_incl_tax: 216 });
    const product_option = cup.enter({ engraving: 'For Ada', glaze: ['Gold'] });
    const sold = { ...money, sku: 'CUP-ENGR-GOLD', product_id: productId, qty_ordered: 4, product_option, ...line };
    const entity = aPostedSale({
      ...inBoth({ subtotal: 200, tax_amount: 16, subtotal_incl_tax: 216, grand_total: 216 }),
      ...{ customer_id: null, customer_is_guest: 1, items: [aPostedLine(sold)] },
      payment: { method, last_trans_id: `pay_${randomUUID()}`, ...inBoth({ amount_ordered: 216 }) },
    });
    const { status, body } = await register.call('PUT', '/V1/orders/create', { entity });
    expect({ status, body }).toMatchObject({ status: 200 });
    return { orderId: Number(body.entity_id), itemId: Number(body.items[0].item_id), sold: body.items[0] };
  }

  async function handedOver(method?: string) {
    const sale = await soldCups({}, method);
    await admin('POST', `/V1/order/${sale.orderId}/invoice`, { capture: true });
    await admin('POST', `/V1/order/${sale.orderId}/ship`, {});
    return sale;
  }

  test('a register’s line keeps its SKU and what was entered, and promises the cups', async () => {
    const { orderId, sold } = await soldCups();
    expect(sold).toMatchObject({
      sku: 'CUP-ENGR-GOLD',
      product_option: { extension_attributes: { custom_options: [{}, {}] } },
    });
    expect(await promised(orderId)).toBe(-4);
  });

  test('a line without options, or under the SKU of a product of its own, goes by that SKU', async () => {
    const plain = await soldCups({ product_option: null });
    const other = await soldCups({ sku: 'MUG' });
    const [promise] = await find('inventory_reservation', { order_id: other.orderId }, 'sku');
    expect([await promised(plain.orderId), promise]).toEqual([0, { sku: 'MUG' }]);
    const unknown = await soldCups({ product_id: 999_999 });
    expect(await promised(unknown.orderId)).toBe(0);
  });

  test('engraved cups come back by card, by hand and in one call, to the shelf of the cups', async () => {
    const before = await shelf('CUP');
    const sale = await handedOver('provider_a');
    expect(await shelf('CUP')).toBe(before - 4);
    const good = { inspected_condition: 'pristine' };
    const byCard = await register.returnOne(sale, { refundMethod: 'original_payment' }, good);
    expect(byCard).toMatchObject({
      status: 200,
      body: { status: 'closed', items: [{ product_sku: 'CUP-ENGR-GOLD' }] },
    });
    const byHand = await register.returnOne(sale, { refundMethod: 'cash' }, good);
    for (const _time of [1, 2])
      expect(await register.settle(byHand.body.id, { method: 'cash' })).toMatchObject({ body: { status: 'closed' } });
    expect(await shelf('CUP')).toBe(before - 2);
    const rest = JSON.stringify([{ order_item_id: sale.itemId, qty: 2 }]);
    const atOnce = { orderId: sale.orderId, items: rest, resolution: 'refund', isOnline: false };
    expect(await register.call('POST', '/V1/pos/rma/process', atOnce)).toMatchObject({ status: 200 });
    expect(await orderOf(sale.orderId)).toMatchObject({ total_refunded: 216, state: 'closed' });
    await booksHold();
  });

  test('a damaged cup lies with the damaged ones, and leaves them when its buyer keeps it', async () => {
    const sale = await handedOver();
    const before = { floor: await shelf('CUP'), damaged: (await shelf('CUP', 'damaged')) ?? 0 };
    const back = await register.returnOne(sale, { refundMethod: 'cash' }, { inspected_condition: 'damaged' });
    expect(await shelf('CUP', 'damaged')).toBe(before.damaged + 1);
    const close = () => register.call('POST', `/V1/pos/rma/${back.body.id}/close`, { comment: 'Ann keeps it' });
    expect(await close()).toMatchObject({ status: 200, body: { status: 'closed' } });
    await close();
    expect([await shelf('CUP'), await shelf('CUP', 'damaged')]).toEqual([before.floor, before.damaged]);
    await booksHold();
  });

  test('a cup that cannot be returned by its product cannot be returned engraved', async () => {
    await ownAttributes(flow.api, { is_returnable: 'boolean' });
    const custom_attributes = [{ attribute_code: 'is_returnable', value: '0' }];
    await admin('PUT', '/V1/products/CUP', { product: { custom_attributes } });
    const sale = await handedOver();
    const { body } = await register.call('GET', `/V1/pos/rma/eligibility/${sale.orderId}`);
    expect(body.lines).toMatchObject([{ outcome: 'forbidden', reason_code: 'not_returnable' }]);
  });
});

describe('list open returns', () => {
  const api = useApi();
  beforeAll(() => aShop(fork()));

  const { fork, change, insertAll, remove } = booksOf(() => api.orm);

  const inbox = async (query = '') => {
    const { status, body } = await api.call('GET', `/V1/pos/rma/open${query}`, { token: api.tokens.register });
    return status === 200 ? body.map(({ id }: { id: number }) => id) : status;
  };

  async function aReturnIn(status: string): Promise<number> {
    const { returnId } = await aRequestedReturn(api.orm);
    await change('sale_return', { return_id: returnId }, { status });
    return returnId;
  }

  test('the inbox has every return that has not ended, newest first, and as many as were asked for', async () => {
    const [first, second, third] = [
      await aReturnIn('pending'),
      await aReturnIn('received'),
      await aReturnIn('awaiting_refund'),
    ];
    for (const status of terminalStatuses) await aReturnIn(status);

    expect(await inbox()).toEqual([third, second, first]);
    expect(await inbox('?limit=200')).toEqual([third, second, first]);
    expect(await inbox('?limit=2')).toEqual([third, second]);
    expect(await inbox('?limit=0')).toEqual([third]);
    expect(await inbox('?limit=2000000000')).toEqual([third, second, first]);
  });

  test('a client that asks for thousands gets them', async () => {
    const { orderId } = await aRequestedReturn(api.orm);
    await insertAll(
      'sale_return',
      Array.from({ length: 1_001 }, (_, at) => ({ increment_id: `many-${at}`, order_id: orderId, status: 'pending' })),
    );

    expect(await inbox('?limit=1001')).toHaveLength(1_001);
    await remove('sale_return', { increment_id: like('many-%') });
  });

  test('returns of one moment keep their order, so that a shorter list is the beginning of a longer one', async () => {
    const made = [await aReturnIn('pending'), await aReturnIn('approved'), await aReturnIn('pending')];
    await change('sale_return', { return_id: made }, { created_at: '2030-01-01' });

    expect(await inbox('?limit=3')).toEqual(made.toReversed());
    expect(await inbox('?limit=2')).toEqual(made.toReversed().slice(0, 2));
  });

  test.each(['many', '1.5', ''])('a limit of "%s" is refused', async (limit) => {
    expect(await inbox(`?limit=${limit}`)).toBe(400);
  });
});

describe('terminal references', () => {
  opensACounter();

  const { memosOf, find, booksHold } = booksOf(() => flow.api.orm);
  const refundRows = (orderId: number) =>
    find('sales_payment_transaction', { order_id: orderId, txn_type: 'refund' }, 'txn_id', 'additional_information');

  /** An order of two mugs at 10.00, each with a return of its own. */
  async function twoParked(order: object = { method: 'checkmo' }) {
    const sale = await register.sale('10.00', order);
    const [one, other] = [
      await register.returnOne(sale, { refundMethod: 'terminal' }),
      await register.returnOne(sale, { refundMethod: 'terminal' }),
    ];
    return { ...sale, one: one.body.id as number, other: other.body.id as number };
  }

  const slip = (reference: string, method = 'terminal') => ({ method, reference, rawPayload: `APPROVED ${reference}` });

  test.each(['terminal', 'manual_card', 'cash', 'original_payment'])(
    'a refund of the terminal is settled once: the same reference with another return by %s names the memo and its return',
    async (method) => {
      const { orderId, one, other } = await twoParked({});
      const settled = await register.settle(one, slip('R-1'));
      expect(settled.body).toMatchObject({ status: 'closed', base_handback: 10 });
      const { credit_memo_id: memoId, credit_memo_increment_id: memoNumber, increment_id: number } = settled.body;

      expect(await register.settle(other, slip('R-1', method))).toMatchObject({
        status: 400,
        body: {
          message: `The reference "R-1" is that of credit memo ${memoNumber} of return ${number}: a refund of the terminal is settled once.`,
          parameters: {
            outcome: 'reference_in_use',
            reference: 'R-1',
            credit_memo_id: memoId,
            credit_memo_increment_id: memoNumber,
            return_id: one,
            return_increment_id: number,
          },
        },
      });

      expect(await memosOf(orderId, 'transaction_id')).toEqual([{ transaction_id: 'R-1' }]);
      expect(await register.returnOf(other)).toMatchObject({ status: 'awaiting_refund', credit_memo_id: null });
      expect((await register.settle(one, slip('R-1'))).body).toEqual(settled.body);
      expect((await register.settle(other, slip('R-2'))).body).toMatchObject({ status: 'closed', base_handback: 10 });
      expect(await refundRows(orderId)).toEqual([
        { txn_id: 'R-1', additional_information: { raw_payload: 'APPROVED R-1' } },
        { txn_id: 'R-2', additional_information: { raw_payload: 'APPROVED R-2' } },
      ]);
      await booksHold();
    },
  );

  test('a reference that went beside a gateway’s own is taken too, and so is the gateway’s', async () => {
    const { orderId, one, other } = await twoParked({});
    await register.settle(one, slip('R-3', 'original_payment'));
    const [memo] = await memosOf(orderId, 'transaction_id');
    for (const reference of ['R-3', memo!.transaction_id as string]) {
      const send = () => register.settle(other, slip(reference));
      await expectRefused({ send, status: 400, said: 'reference_in_use' });
    }
    expect(await memosOf(orderId, 'entity_id')).toHaveLength(1);
  });

  test('a reference of a refund that nobody knows the end of is taken; a refund that failed gives it back', async () => {
    const sale = await register.sale('10.73', {});
    const [one, other] = [
      (await register.returnOne(sale, { refundMethod: 'terminal' })).body.id as number,
      (await register.returnOne(sale, { refundMethod: 'terminal' })).body.id as number,
    ];
    const doubt = await register.settle(one, slip('R-4', 'original_payment'));
    expect(doubt).toMatchObject({ status: 409, body: { parameters: { outcome: 'gateway_uncertain' } } });
    const attemptId: number = doubt.body.parameters.refund_attempt_id;
    expect(await register.settle(other, slip('R-4'))).toMatchObject({
      status: 400,
      body: { parameters: { outcome: 'reference_in_use', refund_attempt_id: attemptId, return_id: one } },
    });
    const word = { resolution: 'not_refunded', staffName: 'Kim', note: 'asked the processor' };
    await register.call('POST', `/V1/pos/rma/refund-attempts/${attemptId}/resolve`, word);
    await waitUntil('it takes effect', async () => (await register.attempt(attemptId)).state === 'failed');
    expect((await register.settle(other, slip('R-4'))).body).toMatchObject({ status: 'closed' });
  });

  test('eight returns with one reference at once are one memo', async () => {
    const sale = await register.sale('10.00', { method: 'checkmo', lines: [{ sku: 'MUG', qty: 8, price: '10.00' }] });
    const returns: number[] = [];
    for (let one = 0; one < 8; one++)
      returns.push((await register.returnOne(sale, { refundMethod: 'terminal' })).body.id as number);
    const answers = await atOnce(8, (at) => register.settle(returns[at]!, slip('R-5')));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 400, 400, 400, 400, 400, 400, 400,
    ]);
    expect(await refundRows(sale.orderId)).toHaveLength(1);
    await booksHold();
  });

  test('another order may have the same reference: terminals count their slips anew', async () => {
    for (const { one } of [await twoParked(), await twoParked()])
      expect((await register.settle(one, slip('R-6'))).body).toMatchObject({ status: 'closed' });
  });
});
