import { chmodSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { secretBoxOf } from '../../../api/http/register/secret-box-of.ts';
import { sendReceiptMail } from '../../../api/receipts/send-receipt-mail.ts';
import { createWorkflows } from '../../../providers/temporal/connect-workflows.ts';
import { saveReceipt } from '../../../db/receipts/save-receipt.ts';
import { createMailer } from '../../../providers/mail/smtp-mailer.ts';
import { aTerminal, secretKey } from '../../support/builders/counter.ts';
import { booksOf } from '../../support/books.ts';
import { silent } from '../../support/fakes.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { aMailServerSilentOnce, type SlowMailServer } from '../../support/mail-server.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { aWorkerProcess } from '../../support/own-process.ts';

/** A death is noticed after six seconds of silence, and the mail is free after eight; the rest is this machine's. */
const soonMs = 20_000;
const shop = 'https://shop.example';

let flow: Flow;
let server: SlowMailServer;
let first: Awaited<ReturnType<typeof aWorkerProcess>> | undefined;

/** The worker that will die is a process of its own; the one that goes on starts in this process before that. */
beforeEach(async () => {
  first = undefined;
  server = await aMailServerSilentOnce();
  const mail = createMailer({ smtpUrl: server.url, from: 'shop@example.com' });
  const printer = {
    missing: () => Promise.resolve(null),
    print: () => Promise.resolve(Buffer.from('%PDF of the second worker')),
    close: () => Promise.resolve(),
  };
  const settings = { POS_SECRET_KEY: secretKey, PUBLIC_BASE_URL: shop };
  flow = await aFlow({ startsWorker: false, mail, printer, settings });
  flow.api.providers.mail = mail;
});
afterEach(async () => {
  await first?.kill();
  await flow.close();
  await server.stop();
});

const { latest, fork, theMail } = booksOf(() => flow.api.orm);

const aWorkerToDie = async (chromium: string) =>
  (first = await aWorkerProcess(flow, {
    env: { SMTP_URL: server.url, POS_SECRET_KEY: secretKey, PUBLIC_BASE_URL: shop, CHROMIUM_PATH: chromium },
  }));

async function askForReceipt(): Promise<Promise<string>[]> {
  const fields = { posOrderId: `sale-${flow.taskQueue}`, currency: 'USD', receiptNumber: 'R-7' };
  const receiptId = await saveReceipt(fork(), secretBoxOf(flow.api.settings), { fields, items: [{ name: 'Mug' }] });
  const { client, taskQueue, api } = flow;
  const workflows = createWorkflows({ client, taskQueue, log: silent });
  const operation = { key: `once-${taskQueue}`, leaveOpen: () => undefined };
  const wish = { workflows, settings: api.settings, requestId: 'r', receiptId, to: 'grace@example.com', operation };
  // The register asks twice under one key.
  return [1, 2].map(() => sendReceiptMail({ em: fork(), ...wish }));
}

/** Kills the first worker and says how long the mail took from there. */
async function died(): Promise<number> {
  await flow.startWorker();
  await first?.kill();
  const at = Date.now();
  await waitUntil('the mail was taken', async () => server.took.length > 0);
  return Date.now() - at;
}

/** A worker has taken up the print of the newest mail. */
async function isPrinting(): Promise<boolean> {
  const { mail_id: mailId } = await latest('mail_outbox', 'mail_id');
  const run = await flow.client.workflow
    .getHandle(`mail-${mailId}`)
    .describe()
    .catch(() => undefined);
  return (run?.raw.pendingActivities ?? []).some(
    ({ activityType, lastStartedTime }) => activityType?.name === 'makeReceiptPdf' && Boolean(lastStartedTime),
  );
}

test('a worker that dies while the mail server works delays a receipt by seconds, and it is sent once', async () => {
  await aWorkerToDie('/nowhere/chromium');
  const answers = await askForReceipt();
  await waitUntil('the mail server has it', async () => server.arrived === 1);

  const tookMs = await died();

  // Whoever asked heard within the caller's patience that it is on its way.
  for (const answer of await Promise.all(answers)) expect(['sent', 'on_its_way']).toContain(answer);
  expect(server.took).toHaveLength(1);
  expect(tookMs).toBeLessThan(soonMs);
  const { mail_id: mailId } = await latest('mail_outbox', 'mail_id');
  expect(await theMail(Number(mailId), 'state', 'tries')).toEqual({ state: 'sent', tries: 2 });
});

test('a worker that dies while it prints delays a receipt by seconds, and it goes out with its PDF', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pos-hanging-browser-'));
  const [browser, begun] = [join(folder, 'chromium'), join(folder, 'begun')];
  // A browser that never starts, and ends with the process that started it.
  writeFileSync(browser, `#!/bin/sh\n: > ${begun}\nexec cat <&3\n`);
  chmodSync(browser, 0o755);
  await aWorkerToDie(browser);
  server.arrived = 1;
  const answers = await askForReceipt();
  await waitUntil('it prints', async () => existsSync(begun) && (await isPrinting()));

  const tookMs = await died();

  // Whoever asked heard within the caller's patience that it is on its way.
  for (const answer of await Promise.all(answers)) expect(['sent', 'on_its_way']).toContain(answer);
  expect(server.took).toHaveLength(1);
  expect(server.took[0]).toContain('Content-Type: application/pdf');
  expect(tookMs).toBeLessThan(soonMs);
});

test('a worker that dies while it sends a one-time code delays that code by seconds', async () => {
  const { terminalId } = await aTerminal(fork(), { locationId: flow.shop.locationId });
  const customer = { email: 'ada@shop.test', firstname: 'Ada', lastname: 'Lovelace' };
  await flow.api.call('POST', '/V1/customers', { body: { customer } });
  await aWorkerToDie('/nowhere/chromium');
  const body = { request: { terminalId, email: customer.email } };
  const token = flow.api.tokens.register;
  expect((await flow.api.call('POST', '/V1/pos/self-checkout/otp/request', { token, body })).status).toBe(200);
  await waitUntil('the mail server has it', async () => server.arrived === 1);

  const tookMs = await died();

  expect(server.took).toHaveLength(1);
  expect(tookMs).toBeLessThan(soonMs);
});
