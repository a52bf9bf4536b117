import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { secretBoxOf } from '../../../api/http/secret-box.ts';
import { makeReceiptPdf } from '../../../api/receipts/page/receipt-pages.ts';
import { sendReceiptMail } from '../../../api/receipts/email-receipt.ts';
import { postReceiptMail } from '../../../db/mails/post-receipt-mail.ts';
import { readReceiptView } from '../../../db/receipts/read-receipt-view.ts';
import { saveReceipt } from '../../../db/receipts/save-receipt.ts';
import { money } from '../../../domain/money.ts';
import { type Printer, TooMuch } from '../../../providers/documents/print-in.ts';
import type { Mail, Mailer } from '../../../providers/mail.ts';
import { createWorkflows } from '../../../providers/temporal/connect-workflows.ts';
import { booksOf } from '../../support/books.ts';
import { secretKey } from '../../support/builders/counter.ts';
import { silent } from '../../support/fakes.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { lookNow } from '../../support/housekeeping.ts';
import { KeepingMailer } from '../../support/kiosk.ts';
import { minutesAgo } from '../../support/moments.ts';
import { recordHistory } from '../../support/record-history.ts';
import { atOnce, eightAtOnce } from '../../support/rivals.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('receipt mail', () => {
  let took: Mail[] = [];
  let mailFault: Error | undefined;
  /** While it is there, a mail with a receipt takes the mail server for ever. */
  let slowServer: PromiseWithResolvers<void> | undefined;
  const mail: Mailer = {
    isEnabled: true,
    isReachable: () => Promise.resolve(true),
    send: async (letter) => {
      if (mailFault) throw mailFault;
      if (letter.enclosed?.length) await slowServer?.promise;
      took.push(letter);
    },
  };

  let printed = 0;
  let missing: string | null = null;
  let printFault: Error | undefined;
  const printer: Printer = {
    missing: () => Promise.resolve(missing),
    print: () => {
      printed++;
      return printFault ? Promise.reject(printFault) : Promise.resolve(Buffer.from(`%PDF ${printed}`));
    },
    close: () => Promise.resolve(),
  };

  let flow: Flow;
  beforeAll(async () => {
    flow = await aFlow({
      mail,
      printer,
      settings: { POS_SECRET_KEY: secretKey, PUBLIC_BASE_URL: 'https://shop.example' },
    });
  });
  beforeEach(() => {
    [took, mailFault, printed, missing, printFault] = [[], undefined, 0, null, undefined];
    slowServer = undefined;
  });
  afterAll(() => flow.close());

  const { latest, fork, change } = booksOf(() => flow.api.orm);
  const box = () => secretBoxOf(flow.api.settings);
  const workflows = () => createWorkflows({ client: flow.client, taskQueue: flow.taskQueue, log: silent });
  let sales = 0;
  const aReceiptOf = (own: object = {}) =>
    saveReceipt(fork(), box(), {
      fields: {
        posOrderId: `sale-${flow.taskQueue}-${++sales}`,
        grandTotal: money('54.00'),
        currency: 'USD',
        receiptNumber: 'R-7',
        ...own,
      },
      items: [{ name: 'Mug', rowTotal: money('54.00') }],
    });
  const sendTo = (receiptId: number, to: string) =>
    sendReceiptMail({ em: fork(), workflows: workflows(), settings: flow.api.settings, requestId: 'r', receiptId, to });
  const viewOf = (receiptId: number) =>
    readReceiptView(fork(), { receiptId }, { box: box(), publicBaseUrl: 'https://shop.example' });
  const pdfOf = async (receiptId: number) =>
    makeReceiptPdf({ em: fork(), workflows: workflows(), requestId: 'r' }, await viewOf(receiptId));
  const lastMail = () => latest('mail_outbox', 'mail_id', 'state', 'reason', 'sealed_to');

  test('a receipt goes out with its PDF, and the address is forgotten', async () => {
    const receiptId = await aReceiptOf();

    await sendTo(receiptId, ' grace@example.com ');

    const { token } = await viewOf(receiptId);
    expect(took).toMatchObject([
      {
        to: 'grace@example.com',
        subject: expect.stringContaining('Receipt R-7'),
        text: expect.stringContaining(`https://shop.example/receipt/${token}`),
        html: expect.stringContaining('$54.00'),
        enclosed: [{ filename: 'receipt-R-7.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF 1') }],
      },
    ]);
    const sent = await lastMail();
    expect(sent).toMatchObject({ state: 'sent', sealed_to: null });
    expect(await flow.client.workflow.getHandle(`mail-${sent.mail_id}`).result()).toBe('sent');
    await recordHistory(flow.client, `mail-${sent.mail_id}`, 'receipt-mail-sent');
  });

  test('the history of a receipt’s mail holds neither its address nor its text', async () => {
    const receiptId = await aReceiptOf({ customerName: 'Grace Hopper' });
    await sendTo(receiptId, 'grace@example.com');
    const { mail_id: mailId } = await lastMail();
    const history = await flow.client.workflow.getHandle(`mail-${mailId}`).fetchHistory();
    const payloads = JSON.stringify(history, (_key, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString() : value,
    );
    expect(payloads).toContain('makeReceiptPdf');
    expect(payloads).not.toMatch(/grace|Hopper|%PDF/i);
  });

  test('without a browser the mail goes without a PDF and says so', async () => {
    missing = 'No Chromium was found.';
    await sendTo(await aReceiptOf(), 'grace@example.com');

    expect(took[0]).toMatchObject({
      enclosed: [],
      text: expect.stringContaining('The PDF could not be made this time'),
    });
    await recordHistory(flow.client, `mail-${(await lastMail()).mail_id}`, 'receipt-mail-without-pdf');
  });

  test('a short mail does not wait behind receipts, however slow the mail server is with them', async () => {
    slowServer = Promise.withResolvers();
    const receipts = await atOnce(6, () => aReceiptOf());
    const sent = receipts.map((receiptId) => sendTo(receiptId, 'grace@example.com'));
    await waitUntil('all are printed', async () => printed === receipts.length);

    // A mail that another worker sent already is looked at over the same queue.
    await flow.client.workflow.execute('mailWorkflow', {
      taskQueue: flow.taskQueue,
      workflowId: `mail-short-${flow.taskQueue}`,
      args: [{ mailId: 1 }],
    });
    const before = took.length;
    slowServer.resolve();
    await Promise.all(sent);

    expect(before).toBe(0);
    expect(took).toHaveLength(6);
  });

  test('what the mail server refuses is refused, and is not sent later', async () => {
    mailFault = Object.assign(new Error('550 no such user grace@example.com'), { code: 'EENVELOPE' });
    const refused = await sendTo(await aReceiptOf(), 'grace@example.com').catch((error: unknown) => error);

    expect(refused).toMatchObject({
      status: 400,
      message: 'Failed to send receipt email: %1',
      parameters: ['The mail server refused the address.'],
    });
    expect(await lastMail()).toMatchObject({ state: 'dropped', reason: 'EENVELOPE', sealed_to: null });
  });

  test.each([
    'a@b',
    'a@b.example,c@d.example',
    'a@b.example\r\nBcc: c@d.example',
    'Ann <a@b.example>',
    '',
    '@b.example',
  ])('no mail is posted to %j', async (to) => {
    const receiptId = await aReceiptOf();
    const before = await lastMail();
    await expect(sendTo(receiptId, to)).rejects.toMatchObject({
      status: 400,
      message: 'Failed to send receipt email: %1',
    });
    expect(await lastMail()).toEqual(before);
  });

  test('a wish whose API died is carried out by the sweep', async () => {
    const receiptId = await aReceiptOf();
    const mailId = await postReceiptMail(fork(), box(), { receiptId, to: 'grace@example.com', key: 'lost' });
    await change('mail_outbox', { mail_id: mailId }, { created_at: minutesAgo(1) });

    await lookNow(flow);
    await flow.client.workflow.getHandle(`mail-${mailId}`).result();

    expect(took).toMatchObject([{ to: 'grace@example.com', enclosed: [{ contentType: 'application/pdf' }] }]);
  });

  test('eight who ask for a PDF at once get the same one, printed once', async () => {
    const receiptId = await aReceiptOf();
    const made = await eightAtOnce(() => pdfOf(receiptId));

    expect(new Set(made.map(({ content }) => content.toString()))).toEqual(new Set(['%PDF 1']));
    expect(printed).toBe(1);
    expect((await pdfOf(receiptId)).content.toString()).toBe('%PDF 1');
    await flow.client.workflow.getHandle(`receipt-pdf-${receiptId}`).result();
    await recordHistory(flow.client, `receipt-pdf-${receiptId}`, 'receipt-pdf-made');
  });

  test('a PDF is made anew once the receipt shows something else', async () => {
    const receiptId = await aReceiptOf();
    await pdfOf(receiptId);
    await change('pos_receipt', { receipt_id: receiptId }, { order_increment_id: '000000077' });

    expect((await pdfOf(receiptId)).content.toString()).toBe('%PDF 2');
  });

  test.each([
    ['no browser', () => (missing = 'No Chromium was found.'), /makes no PDFs/],
    ['a receipt that is too much', () => (printFault = new TooMuch('it took more than 10 seconds')), /too large/],
  ])('with %s the answer says so, and nothing is tried twice', async (_why, arrange, says) => {
    arrange();
    await expect(pdfOf(await aReceiptOf())).rejects.toMatchObject({
      status: 503,
      message: expect.stringMatching(says),
    });
    expect(printed).toBeLessThanOrEqual(1);
  });
});

describe('waiting for a pdf', () => {
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
});
