import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Customer } from '../../../db/platform/customers/customer.entity.ts';
import { saveReceipt } from '../../../db/receipts/save-receipt.ts';
import { quickHash, secretBox } from '../../support/builders/counter.ts';
import { anOrder } from '../../support/builders/order.ts';
import { unlessEqual, type CrashFlow } from '../crash-flow.ts';
import type { Lane } from '../lane.ts';
import { countOf } from './count-of.ts';
import { mailTo } from './mailed-customer.ts';

const none = () => [];
const password = 'Correct horse 1';
const answerWithinMs = 60_000;
const pauseMs = 100;

/** The receipt of a guest's placed order. */
async function aPlacedReceipt({ orm }: Lane) {
  const { orderId, incrementId } = await anOrder(orm.em.fork(), { paid: false, shipped: false });
  const token = randomBytes(32).toString('hex');
  const receiptId = await saveReceipt(orm.em.fork(), secretBox, {
    fields: { posOrderId: randomUUID(), currency: 'USD', orderIncrementId: incrementId },
    items: [{ sku: 'MUG', name: 'Mug' }],
    receiptToken: token,
  });
  return { orderId, receiptId, token };
}

async function aShopper({ orm }: Lane) {
  const em = orm.em.fork();
  const [email, passwordHash] = [`claim-${randomUUID()}@shop.test`, quickHash(password)];
  const of = { websiteId: 1, storeId: 1, groupId: 1 };
  const customer = em.create(Customer, { ...of, firstname: 'Cleo', lastname: 'Claim', email, passwordHash });
  await em.flush();
  return { email, customerId: customer.id };
}

/** Posts a form of the page again until there is an answer that is not "not now". */
async function postForm(lane: Lane, path: string, fields: Record<string, string>): Promise<number> {
  for (const until = Date.now() + answerWithinMs; Date.now() < until; await pause(pauseMs)) {
    const sent = { method: 'POST', body: new URLSearchParams(fields), headers: { connection: 'close' } };
    const status = await fetch(`${lane.url}${path}`, sent).then(
      (response) => response.status,
      () => 503,
    );
    if (status < 500) return status;
  }
  return 0;
}

export const claimOnPage: CrashFlow = {
  id: 'F34',
  title: 'claim a receipt into an account',
  processes: ['api'],
  async prepare(lane) {
    const [{ token, orderId, receiptId }, { email, customerId }] = [await aPlacedReceipt(lane), await aShopper(lane)];
    const answers: number[] = [];
    return {
      async go() {
        for (let sent = 0; sent < 2; sent++)
          answers.push(await postForm(lane, `/receipt/${token}/claim`, { email, password }));
      },
      faults: async () => [
        // Who did not hear the first answer hears that the receipt is theirs already.
        ...unlessEqual('the first answer', [200, 409].includes(answers[0] ?? 0), true),
        ...unlessEqual('the second answer', answers[1], 409),
        ...unlessEqual(
          'receipts and orders of the account',
          await countOf(
            lane,
            `from pos_receipt r join sales_order o on o.entity_id = r.claimed_order_id
             where r.receipt_id = ? and o.entity_id = ? and r.customer_id = ? and o.customer_id = ?`,
            ...[receiptId, orderId, customerId, customerId],
          ),
          1,
        ),
        ...unlessEqual(
          'what the history says of it',
          await countOf(
            lane,
            `from sales_order_status_history where parent_id = ? and comment like '%claimed%'`,
            orderId,
          ),
          1,
        ),
      ],
      workflows: none,
    };
  },
};

export const mailReceipt = mailing({
  id: 'F35',
  title: 'mail a receipt, twice under one key',
  answersAfterMs: 0,
});

/**
 * Four answers make a mail: more than ten seconds, in which the register's key is renewed twice, and after which the
 * store views are read again. Less than the five seconds that an answer may take.
 */
export const mailReceiptSlowly = mailing({
  id: 'F37',
  title: 'mail a receipt over a slow mail server',
  answersAfterMs: 3_000,
});

export const receiptFlows = [claimOnPage, mailReceipt, mailReceiptSlowly];

function mailing({ id, title, answersAfterMs }: { id: string; title: string; answersAfterMs: number }): CrashFlow {
  return {
    id,
    title,
    processes: ['api', 'worker'],
    async prepare(lane) {
      const { token, receiptId } = await aPlacedReceipt(lane);
      const destination = `mail-${randomUUID()}@shop.test`;
      const headers = { 'idempotency-key': randomUUID() };
      const answers: number[] = [];
      return {
        async go() {
          lane.mailServer.answersAfterMs = answersAfterMs;
          for (let sent = 0; sent < 2; sent++) {
            const request = { receiptToken: token, destination };
            answers.push((await lane.teller.press('POST', '/V1/pos/receipts/email', request, headers)).status);
          }
          await mailTo(lane, destination);
          lane.mailServer.answersAfterMs = 0;
        },
        faults: async () => [
          ...unlessEqual('mails at the address', (await mailTo(lane, destination)) !== undefined, true),
          // 400: it is not known whether the mail server has it, and the answer says so.
          ...unlessEqual(
            'answers',
            answers.every((status) => status === 200 || status === 400),
            true,
          ),
          ...unlessEqual('wishes', await countOf(lane, 'from mail_outbox where receipt_id = ?', receiptId), 1),
        ],
        workflows: none,
      };
    },
  };
}
