import { afterEach, beforeEach, expect, test } from 'vitest';
import { pieces } from '../../../domain/money/quantity.ts';
import { startReturnsSimulator, type ReturnsSimulator } from '../../../local/returns-simulator/server.ts';
import { aProcess, aProcessedItem } from '../../support/builders/process.ts';
import { booksOf } from '../../support/books.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { lookNow } from '../../support/housekeeping.ts';
import { aRegister, type Register } from '../../support/register.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { aWorkerProcess } from '../../support/own-process.ts';
import { minutesAgo } from '../../support/moments.ts';
import { setGatewayMode } from '../../support/gateway-mode.ts';

let warehouse: ReturnsSimulator;
let flow: Flow;
let register: Register;
let workers: { kill(): Promise<void> }[] = [];

const { find, change, configure } = booksOf(() => flow.api.orm);

const settings = () => ({ RETURNS_SERVICE_URL: warehouse.url, RETURNS_TIMEOUT_SECONDS: '15' });
const worker = async () => {
  const started = await aWorkerProcess(flow, { env: settings() });
  workers.push(started);
  return started;
};

beforeEach(async () => {
  workers = [];
  warehouse = await startReturnsSimulator();
  flow = await aFlow({ startsWorker: false, settings: settings() });
  register = aRegister(flow);
  await setGatewayMode(flow.gateway, { slow_ms: 2_500 });
});
afterEach(async () => {
  await Promise.all(workers.map((one) => one.kill()));
  await flow.close();
  await warehouse.stop();
});

const worksWith = (codes: string) => configure('vendor_pos_terminal/returns/providers', codes);
const process = (sale: { orderId: number; itemId: number }, isOnline: boolean, headers = {}) =>
  flow.api.call('POST', '/V1/pos/rma/process', {
    token: flow.api.tokens.register,
    headers,
    body: {
      orderId: sale.orderId,
      items: JSON.stringify([{ order_item_id: sale.itemId, qty: 1 }]),
      resolution: 'refund',
      isOnline,
    },
  });
const refunded = () => flow.gateway.ledger.refunds.filter(({ state }) => state === 'refunded').length;

test('a worker killed after the gateway refunded goods without a return: one memo, one refund', async () => {
  await worksWith('');
  const first = await worker();
  const sale = await register.sale('12.81');

  const answer = process(sale, true);
  await waitUntil('the gateway has refunded', async () => refunded() === 1);
  await first.kill();
  await worker();

  expect((await answer).body).toMatchObject({
    success: true,
    rma_id: null,
    is_online_refund: true,
    refund_total: 12.81,
  });
  expect(await register.memosOf(sale.orderId)).toHaveLength(1);
  expect(refunded()).toBe(1);
}, 120_000);

test('a worker killed while a provider hangs over a return it wrote: asked again under the same key, there is one', async () => {
  await worksWith('warehouse,builtin');
  const first = await worker();
  const sale = await register.sale('12.00');
  warehouse.mood = 'hangs_after_writing';

  const headers = { 'x-request-id': `killed-${sale.orderId}` };
  const answer = process(sale, false, headers);
  await waitUntil('the warehouse has written it', async () => warehouse.returns.size === 1);
  await first.kill();
  warehouse.mood = 'answers';
  await worker();

  // Its caller hears in time that the work goes on, and the same request hears how it ended.
  expect([200, 503]).toContain((await answer).status);
  const isDone = async () => (await process(sale, false, headers)).status === 200;
  await waitUntil('the same request is answered', isDone);
  expect((await process(sale, false, headers)).body).toMatchObject({ success: true, refund_total: 12 });
  expect(warehouse.returns.size).toBe(1);
  expect(await register.memosOf(sale.orderId)).toHaveLength(1);
}, 120_000);

test('a run whose workflow never began is found by the sweep and finished; its goods were not free meanwhile', async () => {
  const sale = await register.sale('12.00');
  await aProcess(flow.api.orm, {
    orderId: sale.orderId,
    requestKey: `left-${sale.orderId}`,
    items: [aProcessedItem(sale.itemId, { qty: pieces(2) })],
    author: 'a register that died',
  });
  expect((await process(sale, false)).body.parameters).toMatchObject({ reason_code: 'quantity' });
  await change('return_process', {}, { updated_at: minutesAgo(5) });
  await worker();

  await lookNow(flow);

  const state = async () => (await find('return_process', {}, 'state'))[0]?.state;
  await waitUntil('the run is done', async () => (await state()) === 'done');
  expect(await register.memosOf(sale.orderId)).toHaveLength(1);
}, 120_000);
