import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { earlier } from '../../../support/moments.ts';
import { anEmail, aKioskShop, type KioskShop } from '../../../support/kiosk.ts';

let shop: KioskShop;
let email: string;
let customerId: number;
beforeAll(async () => {
  shop = await aKioskShop();
});
afterAll(() => shop.close());

const password = 'Roll-out-2026';
const newPassword = 'Roll-in-2027';
const stranger = 'nobody@example.com';

beforeEach(async () => {
  await shop.forgetTries();
  shop.mail.took = [];
  shop.mail.isEnabled = true;
  shop.begun.splice(0);
  email = anEmail();
  const customer = { email, firstname: 'Ada', lastname: 'Lovelace' };
  const opened = await shop.api.call('POST', '/V1/customers', { body: { customer, password } });
  customerId = opened.body.id;
});

const ask = (given: Record<string, unknown> = {}) =>
  shop.api.call('PUT', '/V1/customers/password', { body: { email, template: 'email_reset', ...given } });
const reset = (resetToken: string, given: Record<string, unknown> = {}) =>
  shop.api.call('POST', '/V1/customers/resetPassword', { body: { email, resetToken, newPassword, ...given } });
const check = (token: string, id = customerId) =>
  shop.api.call('GET', `/V1/customers/${id}/password/resetLinkToken/${token}`);
const signIn = (word: string) =>
  shop.api.call('POST', '/V1/integration/customer/token', { body: { username: email, password: word } });
const older = async (minutes: number) => {
  for (const { customer_id: id, asked_at: asked, expires_at: expires } of await shop.find('customer_password_reset')) {
    const moments = { asked_at: earlier(asked, minutes * 60_000), expires_at: earlier(expires, minutes * 60_000) };
    await shop.change('customer_password_reset', { customer_id: id }, moments);
  }
};
const linkIn = (text = '') => /https?:\/\/[^/]+(\/account\/password\/\d+\/\S+)/.exec(text)?.[1] ?? '';
async function aToken(): Promise<string> {
  expect(await ask()).toMatchObject({ status: 200, body: true });
  expect(await shop.sendMails()).toEqual(['sent']);
  return linkIn(shop.mail.took.at(-1)?.text).split('/').at(-1) ?? '';
}

const mismatched = { status: 400, body: { message: 'The password token is mismatched. Reset and try again.' } };
const expired = { status: 400, body: { message: 'The password token is expired. Reset and try again.' } };

describe('a forgotten password', () => {
  test('is replaced by the token of the mail, and every session of the account ends', async () => {
    const before = (await signIn(password)).body;
    const token = await aToken();
    expect(shop.mail.took).toMatchObject([{ to: email }]);
    expect(await check(token)).toMatchObject({ status: 200, body: true });
    expect(await reset(token)).toMatchObject({ status: 200, body: true });
    expect((await shop.api.call('GET', '/V1/customers/me', { token: before })).status).toBe(401);
    expect((await signIn(password)).status).toBe(401);
    expect((await signIn(newPassword)).status).toBe(200);
  });

  test('one of eight uses of a token wins, and a later one is refused', async () => {
    const token = await aToken();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => reset(token, { newPassword: `Roll-in-202${index}` })),
    );
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200,
      ...Array<number>(7).fill(400),
    ]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect((await signIn(`Roll-in-202${winner}`)).status).toBe(200);
    expect(await reset(token)).toMatchObject(mismatched);
    expect(await check(token)).toMatchObject(mismatched);
  });

  test('lifts the lock that six wrong passwords made', async () => {
    for (let guess = 0; guess < 6; guess++) await signIn('Wrong-guess-1');
    expect((await signIn(password)).status).toBe(401);
    await reset(await aToken());
    expect((await signIn(newPassword)).status).toBe(200);
  });

  test('stays forgotten when the new one is weak; the token stays good', async () => {
    const token = await aToken();
    const weak = await reset(token, { newPassword: 'short' });
    expect(weak).toMatchObject({ status: 400, body: { parameters: [8] } });
    expect((await reset(token, { newPassword: email })).status).toBe(400);
    expect((await reset(token)).status).toBe(200);
  });

  test('needs no e-mail beside the token, but a wrong one is refused', async () => {
    const token = await aToken();
    for (const other of [stranger, anEmail()]) expect(await reset(token, { email: other })).toMatchObject(mismatched);
    expect((await reset(token, { email: '' })).status).toBe(200);
  });
});

describe('a token', () => {
  test('works for two hours', async () => {
    const token = await aToken();
    await older(119);
    expect((await check(token)).status).toBe(200);
    await older(1);
    expect(await check(token)).toMatchObject(expired);
    expect(await reset(token)).toMatchObject(expired);
    expect((await signIn(password)).status).toBe(200);
  });

  test('is void once a later one is asked for; within ten minutes none is', async () => {
    const first = await aToken();
    expect((await ask()).body).toBe(true);
    expect(shop.begun).toEqual([]);
    expect((await check(first)).status).toBe(200);
    await older(10);
    const second = await aToken();
    expect(second).not.toBe(first);
    expect(await reset(first)).toMatchObject(mismatched);
    expect((await reset(second)).status).toBe(200);
  });

  test('is void after a change of the password, or of the e-mail', async () => {
    const token = await aToken();
    const own = (await signIn(password)).body;
    const body = { currentPassword: password, newPassword: 'Other-word-1' };
    expect((await shop.api.call('PUT', '/V1/customers/me/password', { token: own, body })).status).toBe(200);
    expect(await reset(token)).toMatchObject(mismatched);
    const next = await aToken();
    const customer = { email: anEmail(), firstname: 'Ada', lastname: 'Lovelace' };
    await shop.api.call('PUT', `/V1/customers/${customerId}`, { token: shop.api.tokens.admin, body: { customer } });
    expect(await check(next)).toMatchObject(mismatched);
  });

  test('belongs to one account, and is never in the database in clear', async () => {
    const token = await aToken();
    const other = await shop.customer(anEmail());
    expect(await check(token, other)).toMatchObject(mismatched);
    expect(await check('made-up')).toMatchObject(mismatched);
    // Nobody learns here which ids have an account.
    expect(await check(token, 999_999)).toMatchObject(mismatched);
    expect((await check(token, 0)).status).toBe(400);
    const kept = [await shop.find('customer_password_reset'), await shop.find('mail_outbox')];
    expect(JSON.stringify(kept)).not.toContain(token);
  });
});

describe('a request for a new password', () => {
  test('of eight at once sends one mail', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask()));
    expect(answers.map(({ body }) => body)).toEqual(Array(8).fill(true));
    expect(shop.begun).toHaveLength(1);
  });

  test('with an unknown e-mail names it and the website', async () => {
    const parameters = { fieldName: 'email', fieldValue: stranger, field2Name: 'websiteId', field2Value: 0 };
    const message = 'No such entity with %fieldName = %fieldValue, %field2Name = %field2Value';
    expect(await ask({ email: stranger, websiteId: 0 })).toMatchObject({ status: 404, body: { message, parameters } });
  });

  test('cannot be used to search for accounts: after ten strangers known ones are refused in the same words', async () => {
    const tries = await Promise.all(Array.from({ length: 12 }, () => ask({ email: stranger })));
    expect(tries.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      400,
      400,
      ...Array<number>(10).fill(404),
    ]);
    const [known, unknown] = [await ask(), await ask({ email: stranger })];
    expect({ ...known.body }).toEqual({ ...unknown.body });
    expect(known.status).toBe(400);
    expect(shop.begun).toEqual([]);
  });

  test('with known e-mails is not counted', async () => {
    for (let again = 0; again < 12; again++) expect((await ask()).status).toBe(200);
  });

  test.each([
    [{ email: undefined, template: undefined }, 'One or more input exceptions have occurred.'],
    [
      { template: 'email_other' },
      'Invalid value of "%value" provided for the %fieldName field. Possible values: %template1 or %template2.',
    ],
  ])('that is not complete is refused: %j', async (given, message) => {
    expect(await ask(given)).toMatchObject({ status: 400, body: { message } });
  });

  test('is answered false where the shop has no mail server', async () => {
    shop.mail.isEnabled = false;
    expect(await ask()).toMatchObject({ status: 200, body: false });
  });

  test('whose mail server is away is sent later; a token used meanwhile is not sent', async () => {
    shop.mail.fault = new Error('away');
    await ask();
    const [mailId = 0] = shop.begun;
    expect((await shop.sendMail(mailId)).state).toBe('waiting');
    shop.mail.fault = undefined;
    await shop.change('mail_outbox', { mail_id: mailId }, { due_at: new Date() });
    await shop.remove('customer_password_reset', { customer_id: customerId });
    expect((await shop.sendMail(mailId)).state).toBe('dropped');
    expect(shop.mail.took).toEqual([]);
  });
});

describe('the page behind the link', () => {
  const post = (link: string, word: string) =>
    shop.api.call('POST', link, {
      body: `password=${encodeURIComponent(word)}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });

  test('shows a form, says what a password lacks, and works once', async () => {
    await aToken();
    const link = linkIn(shop.mail.took.at(-1)?.text);
    const page = await shop.api.call('GET', link);
    expect(page.body).toContain('name="password"');
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'$/),
    });
    expect((await post(link, 'short')).body).toContain('at least 8 characters');
    expect((await signIn(password)).status).toBe(200);
    expect((await post(link, newPassword)).body).toContain('Your password is changed.');
    expect((await signIn(newPassword)).status).toBe(200);
    expect((await post(link, newPassword)).status).toBe(404);
    expect((await shop.api.call('GET', link)).status).toBe(404);
  });

  test.each([
    ['is too long to sign in with', `Aa1${'x'.repeat(1_000)}`],
    ['cannot be sent as JSON', 'Roll-in\0-2027'],
  ])('takes no password that %s', async (_what, word) => {
    await aToken();
    const link = linkIn(shop.mail.took.at(-1)?.text);
    expect((await post(link, word)).body).toContain('A password has at most 1000 characters');
    expect((await signIn(password)).status).toBe(200);
    expect((await post(link, newPassword)).body).toContain('Your password is changed.');
  });

  test('is not there for a made-up link, or that of another account', async () => {
    const token = await aToken();
    const other = await shop.customer(anEmail());
    for (const link of [`/account/password/${other}/${token}`, `/account/password/${customerId}/${'a'.repeat(43)}`])
      expect((await shop.api.call('GET', link)).status).toBe(404);
  });
});
