import { beforeAll, describe, expect, test } from '@jest/globals';
import { booksOf } from '../../support/books.ts';
import { aPostedSale } from '../../support/builders/posted-sale.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { useApi } from '../../support/fixtures.ts';
import { eightAtOnce } from '../../support/rivals.ts';

const api = useApi();
const { fork, find, write } = booksOf(() => api.orm);
beforeAll(async () => void (await aShop(fork())));

const post = (path: string, body: object) => api.call('POST', path, { token: api.tokens.register, body });

/** Two mugs for 108 on account. */
async function onAccount(): Promise<{ orderId: number }> {
  const entity = aPostedSale({ extension_attributes: { pos_credit_due: 108 } });
  const { body } = await api.call('POST', '/V1/orders', { token: api.tokens.admin, body: { entity } });
  return { orderId: body.entity_id };
}

describe('a reference of a due payment', () => {
  const collect = (orderId: number, reference: string, amount = 10) =>
    post(`/V1/pos/orders/${orderId}/due-payments`, { reference, amount });

  test.each(['T-77 ', ' T-77', '\tT-77\r\n', '\u00a0T-77\u3000', '\ufeffT-77'])(
    'is the same with white space around it: %j is a replay',
    async (padded) => {
      const { orderId } = await onAccount();
      expect(await collect(orderId, 'T-77')).toMatchObject({ body: { is_replay: false, paid_total: 10 } });
      expect(await collect(orderId, padded)).toMatchObject({
        body: { is_replay: true, reference: 'T-77', paid_total: 10 },
      });
    },
  );

  test.each(['T-78', 't-77', 'T -77', 'T- 77'])('is another one in case and inner blanks: %j', async (other) => {
    const { orderId } = await onAccount();
    await collect(orderId, 'T-77');
    expect(await collect(orderId, other)).toMatchObject({ body: { is_replay: false, paid_total: 20 } });
  });

  test.each(['T\u000077', 'T\n77', 'T\u001b[2J', 'T\u008577', ' \u0007 T'])(
    'with control characters within is 400 and books nothing: %j',
    async (bad) => {
      const { orderId } = await onAccount();
      expect(await collect(orderId, bad)).toMatchObject({ status: 400 });
      expect(await find('sales_money_in', { order_id: orderId, kind: 'credit_due' })).toEqual([]);
    },
  );

  test('of white space alone is none', async () => {
    const { orderId } = await onAccount();
    expect(await collect(orderId, ' \t ')).toMatchObject({ status: 400 });
  });

  test('eight at once with different white space are one payment', async () => {
    const { orderId } = await onAccount();
    const answers = await eightAtOnce((number) =>
      collect(orderId, `${' '.repeat(number)}T-1${' '.repeat(number % 3)}`),
    );
    expect(answers.map(({ body }) => body.paid_total)).toEqual(Array(8).fill(10));
    expect(answers.filter(({ body }) => !body.is_replay)).toHaveLength(1);
  });

  test('that was stored with a blank earlier is found', async () => {
    const { orderId } = await onAccount();
    await collect(orderId, 'T-9');
    await write(`update due_payment set reference = 'T-9 ' where order_id = ?`, orderId);
    expect(await collect(orderId, 'T-9')).toMatchObject({ body: { is_replay: true, paid_total: 10 } });
  });
});

test('the key of a wallet credit is the same with a blank at its end', async () => {
  const customerId = await aCustomer(fork());
  const credit = (idempotencyKey: string) =>
    api.call('POST', '/V1/vendor-store-credit/credit', {
      token: api.tokens.admin,
      body: { customerId, websiteId: 1, amount: 30, reason: 'a gift', idempotencyKey },
    });
  await credit('W-1');
  await credit('W-1 ');
  expect(await find('store_credit_wallet', { customer_id: customerId }, 'amount')).toEqual([{ amount: '30.0000' }]);
});
