import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkMail } from '../../../providers/doctor/check-mail.ts';
import type { DoctorContext } from '../../../providers/doctor/check.ts';
import { freePort } from '../../../local/free-port.ts';
import { startMailCatcher, type MailCatcher } from '../../../local/mail-catcher.ts';
import { parseSettings } from '../../../providers/settings.ts';

let relay: MailCatcher;
beforeAll(async () => {
  relay = await startMailCatcher({ smtpPort: 0, webPort: 0 });
});
afterAll(() => relay.stop());

/** `state name says → fix` of each line. */
const said = async (environment: Record<string, string>, ready?: { mail: string }) => {
  const settings = parseSettings(environment);
  const lines = await checkMail({ settings, ready } as DoctorContext);
  return lines.map(({ state, name, says, fix }) => `${state} ${name}: ${says}${fix === undefined ? '' : ` → ${fix}`}`);
};
const operators = { REFUND_ALERT_EMAIL: 'ops@shop.test', REFUND_ALERT_AFTER_MINUTES: '15' };

test('a relay that answers, a sender of one’s own and operators who are told: all is well', async () => {
  const mails = { SMTP_URL: relay.smtpUrl, MAIL_FROM: 'Main Street <till@shop.test>', ...operators };
  expect(await said(mails)).toEqual([
    `ok mail: relay at ${new URL(relay.smtpUrl).host}`,
    'ok sender: Main Street <till@shop.test>',
    'ok alarms: ops@shop.test gets a mail when a refund is uncertain for 15 min, for 4 h, for a day',
  ]);
});

test('a sender that is an example, and no operator to tell', async () => {
  expect(await said({ SMTP_URL: relay.smtpUrl })).toEqual([
    expect.stringMatching(/^ok mail/),
    "warning sender: mail comes from shop@example.com, which is nobody's → set MAIL_FROM",
    'warning alarms: no address is set: the first administrator hears of refunds in doubt → set REFUND_ALERT_EMAIL',
  ]);
});

test('operators cannot be told: the relay is away, or not set', async () => {
  const away = await said({ SMTP_URL: `smtp://127.0.0.1:${await freePort()}`, ...operators });
  expect(away).toEqual([
    expect.stringMatching(/^broken mail: the relay does not answer \(.+\) → correct SMTP_URL$/),
    expect.stringMatching(/^warning sender/),
    expect.stringMatching(
      /^broken alarms: ops@shop\.test cannot get mail: the relay does not answer \(.+\) → correct SMTP_URL$/,
    ),
  ]);
  expect(await said(operators)).toEqual([
    'warning mail: no relay is set: no mail is sent → set SMTP_URL',
    'broken alarms: ops@shop.test cannot get mail: no relay is set: no mail is sent → set SMTP_URL',
  ]);
});

test('a mail catcher that is away is started by npm start, not by a relay’s address', async () => {
  const [mail] = await said({}, { mail: `http://127.0.0.1:${await freePort()}` });

  expect(mail).toMatch(/^broken mail: the mail catcher does not answer \(.+\) → run npm start$/);
});

test('under npm start mail is caught, and operators are told there', async () => {
  expect(await said(operators, { mail: relay.url })).toEqual([
    `ok mail: caught at ${relay.url}`,
    expect.stringMatching(/^ok alarms/),
  ]);
});
