import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { startReturnsSimulator, type ReturnsSimulator } from '../../../local/simulators/app.ts';
import { booksOf } from '../../support/books.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { recordHistory } from '../../support/record-history.ts';
import { aRegister, type Register } from '../../support/register.ts';
import { waitUntil } from '../../support/wait-until.ts';

export let warehouse: ReturnsSimulator;
export let flow: Flow;
export let register: Register;

/** A whole shop beside a returns warehouse. */
export function opensAProcessDesk(): void {
  beforeAll(async () => {
    warehouse = await startReturnsSimulator();
    flow = await aFlow({
      gatewayTimeoutSeconds: 2,
      reconcileAfterSeconds: 0,
      settings: { RETURNS_SERVICE_URL: warehouse.url, RETURNS_TIMEOUT_SECONDS: '3' },
    });
    register = aRegister(flow);
  });
  afterAll(async () => {
    await flow.close();
    await warehouse.stop();
  });
  beforeEach(async () => {
    warehouse.mood = 'answers';
    warehouse.objections.clear();
    await worksWith('builtin');
  });
}

const { processesOf, configure } = booksOf(() => flow.api.orm);
export const worksWith = (codes: string) => configure('vendor_pos_terminal/returns/providers', codes);

export type Sale = { orderId: number; itemId: number };

export const process = (sale: Sale, more: Record<string, unknown> = {}, row: Record<string, unknown> = {}) =>
  register.call('POST', '/V1/pos/rma/process', {
    orderId: sale.orderId,
    items: JSON.stringify([{ order_item_id: sale.itemId, qty: 1, condition: 'Unopened', ...row }]),
    resolution: 'refund',
    isOnline: false,
    ...more,
  });

export const refunded = () => flow.gateway.ledger.refunds.filter(({ state }) => state === 'refunded').length;
export const runs = (orderId: number) => processesOf(orderId, 'state', 'stage', 'request_key', 'return_id');

/** The run has ended, and its history is kept under a name. */
export async function recorded(sale: Sale, name: string) {
  const [run] = (await runs(sale.orderId)).slice(-1);
  const own = `process-${sale.orderId}-${run!.request_key}`;
  // With the built-in returns the return's own workflow does it.
  const isOwn = await flow.client.workflow
    .getHandle(own)
    .describe()
    .then(
      () => true,
      () => false,
    );
  const id = isOwn ? own : `return-${run!.return_id}`;
  const isOver = async () => (await flow.client.workflow.getHandle(id).describe()).status.name !== 'RUNNING';
  await waitUntil('the workflow has ended', isOver);
  return recordHistory(flow.client, id, name);
}
