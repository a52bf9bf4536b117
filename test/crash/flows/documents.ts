import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { aRefundedSale } from '../../support/builders/credit.ts';
import { aSale, memosOf, refundsOf } from '../cashier.ts';
import { unlessEqual, type CrashFlow } from '../crash-flow.ts';
import type { Lane } from '../lane.ts';

const both = ['api', 'worker'] as const;
const doneWithinMs = 240_000;
const lookEveryMs = 200;

const rows = <Row extends object>({ orm }: Lane, sql: string, ...parameters: unknown[]) =>
  orm.em.fork().execute<Row[]>(sql, parameters);

/**
 * Presses with the same key until it is done: a doubt and a silent provider are settled by themselves meanwhile. A
 * refund that did not go through is the last word of its key: the cashier asks anew.
 */
async function pressUntilDone(
  { teller }: Lane,
  { path, body, isDone }: { path: string; body: object; isDone: (said: { status: number; body: unknown }) => boolean },
) {
  let headers = { 'Idempotency-Key': randomUUID() };
  for (const until = Date.now() + doneWithinMs; Date.now() < until; await pause(lookEveryMs)) {
    const said = await teller.press('POST', path, body, headers);
    if (isDone(said)) return { said, again: await teller.press('POST', path, body, headers) };
    if (isRefusedByGateway(said)) headers = { 'Idempotency-Key': randomUUID() };
  }
  throw new Error(`${path} was not done within ${doneWithinMs / 1000} s`);
}

const isRefusedByGateway = ({ status, body }: { status: number; body: unknown }) =>
  status === 400 && (body as { parameters?: { outcome?: string } }).parameters?.outcome === 'gateway_refused';

export const documentRefund: CrashFlow = {
  id: 'F38',
  title: 'refund an invoice through the gateway, twice under one key',
  processes: both,
  async prepare(lane) {
    const sale = await aSale(lane, '12.00');
    const { orderId, itemId } = sale;
    const [invoice] = await rows<{ entity_id: number }>(
      lane,
      'select entity_id from sales_invoice where order_id = ?',
      orderId,
    );
    const body = { isOnline: true, items: [{ order_item_id: itemId, qty: 1 }] };
    const path = `/V1/invoice/${invoice?.entity_id}/refund`;
    let answers: unknown[] = [];
    let workflows: string[] = [];
    return {
      async go() {
        const { said, again } = await pressUntilDone(lane, { path, body, isDone: ({ status }) => status === 200 });
        answers = [said.body, again.body];
        const attempts = await rows<{ attempt_id: number; request: string }>(
          lane,
          `select attempt_id, plan #>> '{memo,requestKey}' as request from refund_attempt where order_id = ?`,
          orderId,
        );
        workflows = attempts.flatMap(({ attempt_id: id, request }) => [
          `document-refund-${orderId}-${request}`,
          `refund-attempt-${id}`,
        ]);
      },
      faults: async () => [
        ...unlessEqual('the answer to the repeat', answers[1], answers[0]),
        ...unlessEqual('credit memos of the order', await memosOf(lane, sale), 1),
        ...unlessEqual('refunds at the gateway', refundsOf(lane, sale), 1),
      ],
      workflows: () => workflows,
    };
  },
};

export const outsideCreditRefund: CrashFlow = {
  id: 'F39',
  title: 'give credit back at a provider outside, twice under one key',
  processes: both,
  async prepare(lane) {
    const { orderId } = await aRefundedSale(lane.orm);
    const code = `OUT-${orderId}`;
    lane.creditService.balances.set(code, 0);
    const body = { orderId: String(orderId), creditType: 'gift_card', provider: 'credit_service', amount: 10, code };
    const path = '/V1/pos/credits/refund';
    const isDone = ({ body: said }: { body: unknown }) => (said as { success?: boolean }).success === true;
    let answers: unknown[] = [];
    let workflows: string[] = [];
    return {
      async go() {
        const { said, again } = await pressUntilDone(lane, { path, body, isDone });
        answers = [said.body, again.body];
        const refunds = await rows<{ request_key: string }>(
          lane,
          'select request_key from credit_refund where order_id = ?',
          orderId,
        );
        workflows = refunds.map(({ request_key: key }) => `credit-refund-${orderId}-${key}`);
      },
      faults: async () => [
        ...unlessEqual('the answer to the repeat', answers[1], answers[0]),
        ...unlessEqual(
          'refunds to credit of the order',
          await rows(lane, 'select state, amount::text from credit_refund where order_id = ?', orderId),
          [{ state: 'booked', amount: '10.0000' }],
        ),
        ...unlessEqual(
          'gifts of the provider',
          lane.creditService.gifts.filter((gift) => gift.account === code).length,
          1,
        ),
      ],
      workflows: () => workflows,
    };
  },
};

export const documentFlows = [documentRefund, outsideCreditRefund];
