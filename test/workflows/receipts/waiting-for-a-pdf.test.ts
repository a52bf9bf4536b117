import { waitUntil } from '../../support/wait-until.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { secretBoxOf } from '../../../api/http/register/secret-box-of.ts';
import { sendReceiptMail } from '../../../api/receipts/send-receipt-mail.ts';
import { createWorkflows } from '../../../providers/temporal/connect-workflows.ts';
import { postReceiptMail } from '../../../db/mails/post-receipt-mail.ts';
import { saveReceipt } from '../../../db/receipts/save-receipt.ts';
import { TooMuch, type Printer } from '../../../providers/documents/printer.ts';
import { secretKey } from '../../support/builders/counter.ts';
import { booksOf } from '../../support/books.ts';
import { silent } from '../../support/fakes.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { KeepingMailer } from '../../support/kiosk.ts';
import { recordHistory } from '../../support/record-history.ts';
import { minutesAgo } from '../../support/moments.ts';

const mail = new KeepingMailer();
/** So many tries end before the browser is there, cold as it is. */
let coldTries = 0;
let [readied, readiedAtStart, printed] = [0, 0, 0];
let isHanging = false;
let release = () => {};
const printer: Printer = {
  missing: () => {
    readied++;
    return coldTries-- > 0 ? Promise.reject(new Error('Timeout 20000ms exceeded.')) : Promise.resolve(null);
  },
  print: () => {
    printed++;
    if (isHanging) return new Promise<never>((_resolve, reject) => (release = () => reject(new TooMuch('late'))));
    return Promise.resolve(Buffer.from('%PDF'));
  },
  close: () => Promise.resolve(),
};

let flow: Flow;
beforeAll(async () => {
  const settings = { POS_SECRET_KEY: secretKey, PUBLIC_BASE_URL: 'https://shop.example' };
  flow = await aFlow({ mail, printer, settings });
  readiedAtStart = readied;
});
beforeEach(() => {
  mail.took = [];
  [printed, isHanging, coldTries] = [0, false, 0];
});
afterAll(() => flow.close());

const { fork, change } = booksOf(() => flow.api.orm);
let sales = 0;
const aReceipt = () => {
  const fields = { posOrderId: `sale-${flow.taskQueue}-${++sales}`, currency: 'USD', receiptNumber: 'R-7' };
  return saveReceipt(fork(), secretBoxOf(flow.api.settings), { fields, items: [{ name: 'Mug' }] });
};
const sendTo = (receiptId: number) => {
  const { client, taskQueue, api } = flow;
  const workflows = createWorkflows({ client, taskQueue, log: silent });
  return sendReceiptMail({
    ...{ em: fork(), workflows, settings: api.settings, requestId: 'r', receiptId, to: 'grace@example.com' },
  });
};

test('a worker has its browser ready before anybody asks for a PDF', async () => {
  expect(readiedAtStart).toBe(1);
});

test('the first receipt after a start has its PDF, though the browser is not there at once', async () => {
  coldTries = 3;
  await sendTo(await aReceipt());
  await waitUntil('the mail server took it', async () => mail.took.length > 0);
  expect(mail.took).toMatchObject([{ enclosed: [{ contentType: 'application/pdf' }] }]);
});

test('a mail waits ten minutes for its PDF, from its posting on; then it goes without and says so', async () => {
  isHanging = true;
  const receiptId = await aReceipt();
  const mailId = await postReceiptMail(fork(), secretBoxOf(flow.api.settings), {
    receiptId,
    to: 'grace@example.com',
    key: 'patient',
  });
  const nearly = new Date(minutesAgo(10).getTime() + 4_000);
  await change('mail_outbox', { mail_id: mailId }, { created_at: nearly });

  const workflowId = `mail-${mailId}`;
  await flow.client.workflow.execute('mailWorkflow', { taskQueue: flow.taskQueue, workflowId, args: [{ mailId }] });

  expect(printed).toBe(1);
  expect(mail.took).toMatchObject([
    { enclosed: [], text: expect.stringContaining('The PDF could not be made this time') },
  ]);
  await recordHistory(flow.client, workflowId, 'receipt-mail-pdf-too-late');
  release();
});

test('a mail that a dead worker left for ten minutes is not kept waiting for its PDF again', async () => {
  isHanging = true;
  const receiptId = await aReceipt();
  const mailId = await postReceiptMail(fork(), secretBoxOf(flow.api.settings), {
    receiptId,
    to: 'grace@example.com',
    key: 'left',
  });
  await change('mail_outbox', { mail_id: mailId }, { created_at: minutesAgo(11) });

  const workflowId = `mail-${mailId}`;
  await flow.client.workflow.execute('mailWorkflow', { taskQueue: flow.taskQueue, workflowId, args: [{ mailId }] });

  expect([printed, mail.took.length]).toEqual([0, 1]);
  await recordHistory(flow.client, workflowId, 'receipt-mail-left-too-long');
});
