import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Printer } from '../../../providers/documents/printer.ts';
import { saveReceipt } from '../../../db/receipts/save-receipt.ts';
import { money } from '../../../domain/money/amount.ts';
import { aWayTo } from '../../support/a-way-to-temporal.ts';
import { aTerminal, secretBox, secretKey } from '../../support/builders/counter.ts';
import { booksOf } from '../../support/books.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { KeepingMailer } from '../../support/kiosk.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** What a register and a customer hear of mails, PDFs and codes while the worker or Temporal stands still. */
let way: Awaited<ReturnType<typeof aWayTo>>;
let flow: Flow;
let mail: KeepingMailer;
let terminalId: number;
let token: string;
let sales = 0;

const printer: Printer = {
  missing: () => Promise.resolve(null),
  print: () => Promise.resolve(Buffer.from('%PDF 1')),
  close: () => Promise.resolve(),
};

beforeEach(async () => {
  way = await aWayTo(process.env['TEST_TEMPORAL'] ?? '');
  mail = new KeepingMailer();
  const settings = { POS_SECRET_KEY: secretKey, PUBLIC_BASE_URL: 'https://shop.example' };
  flow = await aFlow({ temporalAddress: way.address, startsWorker: false, mail, printer, settings });
  flow.api.providers.mail = mail;
  ({ terminalId } = await aTerminal(fork(), { locationId: flow.shop.locationId }));
  token = String(++sales).padStart(64, 'b');
  await saveReceipt(fork(), secretBox, {
    fields: {
      posOrderId: `silent-${flow.taskQueue}`,
      grandTotal: money('54.00'),
      currency: 'USD',
      receiptNumber: 'R-7',
    },
    items: [{ name: 'Mug', rowTotal: money('54.00') }],
    receiptToken: token,
  });
});
afterEach(async () => {
  way.goOn();
  await flow.close();
  await way.cut();
});

const { fork, find, howMany } = booksOf(() => flow.api.orm);

/** What is asked for at once; none of it waits as long as for a gateway. */
async function askForAll() {
  const { api } = flow;
  const begun = performance.now();
  const page = (name: string, init?: RequestInit) => fetch(`${api.url}/receipt/${token}/${name}`, init);
  const send = (path: string, body: object) => api.call('POST', path, { token: api.tokens.register, body });
  const [pdf, mailed, register, code] = await Promise.all([
    page('pdf'),
    page('email', { method: 'POST', body: new URLSearchParams({ email: 'grace@example.com' }) }),
    send('/V1/pos/receipts/email', { receiptToken: token, destination: 'ada@example.com' }),
    send('/V1/pos/self-checkout/otp/request', { request: { email: 'ada@example.com', terminalId } }),
  ]);
  expect(performance.now() - begun).toBeLessThan(12_000);
  return { pdf: pdf.status, page: await mailed.text(), register, code };
}

const onItsWay = 'The receipt is on its way to grace@example.com.';
const mayArrive = {
  status: 400,
  body: {
    message: 'Failed to send receipt email: %1',
    parameters: ['The mail server has not answered yet; the receipt may still arrive.'],
  },
};

test('no worker: the PDF is asked for again, mails and the code are on their way, and go out once', async () => {
  const { pdf, page, register, code } = await askForAll();
  expect(pdf).toBe(503);
  expect(page).toContain(onItsWay);
  expect(register).toMatchObject(mayArrive);
  expect(code.status).toBe(200);

  await flow.startWorker();
  await waitUntil('both mails are sent', async () => (await howMany('mail_outbox', { state: 'sent' })) === 2);
  expect(mail.took.map(({ to }) => to).toSorted()).toEqual(['ada@example.com', 'grace@example.com']);
});

test('Temporal that stands still in the middle of it: the same, and the code is taken back', async () => {
  await flow.startWorker();
  await flow.client.workflowService.getSystemInfo({});
  const asked = askForAll();
  way.standStill();
  const { pdf, page, register, code } = await asked;

  expect(pdf).toBe(503);
  expect(page).toContain(onItsWay);
  expect(register).toMatchObject(mayArrive);
  expect(code.status).toBe(503);
  expect(await find('pos_one_time_code', {})).toEqual([]);
});

test('Temporal away: the same, and no code is written', async () => {
  await way.cut();
  const { pdf, page, register, code } = await askForAll();

  expect(pdf).toBe(503);
  expect(page).toContain(onItsWay);
  expect(register).toMatchObject(mayArrive);
  expect(code.status).toBe(503);
  expect(await find('pos_one_time_code', {})).toEqual([]);
  await way.restore();
});
