import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { builtInReturns } from '../../support/fakes.ts';
import { builtInOptions } from '../../../domain/returns/return-status.ts';
import { noObjection } from '../../../domain/returns/eligibility.ts';
import { returnsOf, type ReturnsProvider } from '../../../providers/returns.ts';
import { booksOf } from '../../support/books.ts';
import { expectRefused } from '../../support/expect-refused.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { aRegister, type Register } from '../../support/register.ts';

/** A provider that somebody wrote and put into the list, with all that can be wrong with it. */
const well = {
  options: async () => builtInOptions('Does not fit'),
  vendorRule: async () => noObjection,
  takeOn: async () => ({ reference: 'OWN-1', isRestockedHere: true }),
} satisfies Partial<ReturnsProvider>;
const own: ReturnsProvider = { code: 'own', label: 'Our own', ...well };
const never = () => new Promise<never>(() => undefined);
const throws = (error: unknown) => (): never => {
  throw error;
};

let flow: Flow;
let register: Register;
beforeAll(async () => {
  flow = await aFlow({ startsWorker: false });
  flow.api.providers.returns = returnsOf([own, ...builtInReturns.all], async () => 'own,builtin', 500);
  await flow.startWorker();
  register = aRegister(flow);
});
afterAll(() => flow.close());
beforeEach(() => void Object.assign(own, well));

const { processesOf, storyOf, theReturn, booksHold, howMany } = booksOf(() => flow.api.orm);
type Sale = { orderId: number; itemId: number };
const process = ({ orderId, itemId }: Sale) =>
  register.call('POST', '/V1/pos/rma/process', {
    orderId,
    items: JSON.stringify([{ order_item_id: itemId, qty: 1 }]),
    resolution: 'refund',
    isOnline: false,
  });
const create = (sale: Sale) => register.returnOne(sale, { posSaleId: `own-${sale.orderId}` });

test('it takes returns on as any other', async () => {
  const sale = await register.sale('12.00');
  const { body } = await process(sale);
  expect(body).toMatchObject({ success: true, refund_total: 12 });
  expect(await theReturn(body.rma_id, 'provider_code', 'provider_reference')).toEqual({
    ...{ provider_code: 'own', provider_reference: 'OWN-1' },
  });
});

test.each([
  ['options throws at once', { options: throws(new TypeError('x is not a function')) }],
  ['options fails', { options: () => Promise.reject(new Error('no rows')) }],
  ['options never ends', { options: never }],
  ['vendorRule throws at once', { vendorRule: throws('no') }],
  ['vendorRule never ends', { vendorRule: never }],
])('it cannot be asked, as %s: 503, and nothing is written', async (_what, wrong) => {
  Object.assign(own, wrong);
  const sale = await register.sale('12.00');
  const asks = [
    () => process(sale),
    () => create(sale),
    () => register.call('GET', `/V1/pos/rma/eligibility/${sale.orderId}`),
    ...('options' in wrong ? [() => register.call('GET', '/V1/pos/rma/options')] : []),
  ];
  const said = 'The returns provider "own" cannot be asked. Try again in a moment.';
  for (const send of asks) await expectRefused({ send, status: 503, said });
  expect(await processesOf(sale.orderId, 'process_id')).toEqual([]);
  expect(await howMany('sale_return', { order_id: sale.orderId })).toBe(0);
});

const broken: [string, () => unknown, string][] = [
  ['throws at once', throws(new TypeError('Cannot read\n properties')), 'Cannot read properties. No money'],
  ['throws what is no error', throws(undefined), 'It gave no reason. No money'],
  ['says a whole book', throws(new Error('long '.repeat(2_000))), '… No money'],
  ['never ends', never, 'no answer in time. No money'],
  ['answers nothing', async () => undefined, 'It answered something that is no return. No money'],
  ['has a number of 300 letters', async () => ({ ...(await well.takeOn()), reference: 'x'.repeat(300) }), 'no return.'],
];

test.each(broken)('takeOn %s: 500, no money moves, and the order’s history says why', async (_what, takeOn, said) => {
  Object.assign(own, { takeOn });
  const sale = await register.sale('12.00');
  const answer = await process(sale);
  expect(answer.status).toBe(500);
  expect(answer.body.message).toContain(said);
  expect(answer.body.message.length).toBeLessThan(400);
  expect((await storyOf(sale.orderId)).join('\n')).toContain('The returns provider "own" failed');
  expect(await processesOf(sale.orderId, 'state', 'return_id')).toEqual([{ state: 'failed', return_id: null }]);
  expect(await register.memosOf(sale.orderId)).toEqual([]);
});

test.each(broken)(
  'a return that was begun while takeOn %s is finished by the same request later',
  async (_what, takeOn) => {
    Object.assign(own, { takeOn });
    const sale = await register.sale('12.00');
    const begun = await create(sale);
    expect([begun.status, await register.memosOf(sale.orderId)]).toEqual([409, []]);
    Object.assign(own, well);
    expect(await create(sale)).toMatchObject({ status: 200, body: { reused: true, ready: true } });
    expect(await howMany('sale_return', { order_id: sale.orderId })).toBe(1);
  },
);

test('after all that the books hold', () => booksHold());
