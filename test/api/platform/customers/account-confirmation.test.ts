import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anEmail, aKioskShop, type KioskShop } from '../../../support/kiosk.ts';

let shop: KioskShop;
let email: string;
let customerId: number;
beforeAll(async () => {
  shop = await aKioskShop();
  await shop.set('customer/create_account/confirm', '1');
});
afterAll(() => shop.close());
beforeEach(async () => {
  shop.mail.took = [];
  shop.begun.splice(0);
  ({ email, customerId } = await anAccount());
});

const password = 'Roll-out-2026';
async function anAccount(more: Record<string, unknown> = {}) {
  const customer = { email: anEmail(), firstname: 'Ada', lastname: 'Lovelace', ...more };
  const { body } = await shop.api.call('POST', '/V1/customers', { body: { customer, password } });
  expect(body.confirmation).toBeUndefined();
  return { email: customer.email, customerId: Number(body.id) };
}

const manage = (method: string, path: string, body?: unknown) =>
  shop.api.call(method, `/V1/customers/${path}`, { token: shop.api.tokens.admin, body });
const shown = async (id = customerId) => (await manage('GET', String(id))).body.confirmation;
const activate = (confirmationKey: string, who = email) => manage('PUT', `${who}/activate`, { confirmationKey });
const activateOwn = async (confirmationKey: string) =>
  shop.api.call('PUT', '/V1/customers/me/activate', {
    token: await shop.api.customerToken(customerId),
    body: { confirmationKey },
  });
const signIn = () => shop.api.call('POST', '/V1/integration/customer/token', { body: { username: email, password } });
const status = async (id = customerId) => (await manage('GET', `${id}/confirm`)).body;
const linkIn = (text = '') => /https?:\/\/[^/]+(\/account\/confirm\/\d+\/\S+)/.exec(text)?.[1] ?? '';
async function link(): Promise<string> {
  expect(await shop.sendMails()).toEqual(['sent']);
  return linkIn(shop.mail.took.at(-1)?.text);
}
const keyOf = (path: string) => path.split('/').at(-1) ?? '';

const unconfirmed = { status: 401, body: { message: "This account isn't confirmed. Verify and try again." } };
const active = { status: 400, body: { message: 'The account is already active.' } };
const wrong = { status: 400, body: { message: 'The confirmation token is invalid. Verify the token and try again.' } };

/** The mail is as one of ten minutes ago: another may follow. */
async function mailIsOld() {
  for (const { mail_id: id, mail_key: key } of await shop.find('mail_outbox', { customer_id: customerId }))
    await shop.change('mail_outbox', { mail_id: id }, { mail_key: `${key} before` });
}

describe('an account of a shop that asks', () => {
  test('signs in once its e-mail is confirmed by the button behind the link', async () => {
    expect(await signIn()).toMatchObject(unconfirmed);
    expect(await status()).toBe('account_confirmation_required');
    const path = await link();
    expect(shop.mail.took).toMatchObject([{ to: email }]);
    expect((await shop.api.call('GET', path)).body).toContain('<button>Yes, I opened it</button>');
    expect(await signIn()).toMatchObject(unconfirmed);
    const form = { body: '', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    expect((await shop.api.call('POST', path, form)).body).toContain('Your account is confirmed.');
    expect((await signIn()).status).toBe(200);
    expect(await status()).toBe('account_confirmed');
    expect((await shop.api.call('GET', path)).status).toBe(404);
  });

  test('with a wrong password is not told that it waits', async () => {
    const answer = await shop.api.call('POST', '/V1/integration/customer/token', {
      body: { username: email, password: 'Wrong-guess-1' },
    });
    expect(answer.body.message).toContain('The account sign-in was incorrect');
  });

  test('is confirmed by its customer with the key of the mail alone', async () => {
    const key = keyOf(await link());
    for (const other of ['made up', await shown()]) expect(await activateOwn(other)).toMatchObject(wrong);
    expect(await activateOwn(key)).toMatchObject({ status: 200, body: { id: customerId } });
    expect(await activateOwn(key)).toMatchObject(active);
  });

  test('is confirmed by staff with the key of the mail, or with what the account shows', async () => {
    const key = keyOf(await link());
    expect(await activate('made up')).toMatchObject(wrong);
    expect(await activate(key)).toMatchObject({ status: 200, body: { id: customerId } });
    const other = await anAccount();
    expect((await activate(await shown(other.customerId), other.email)).status).toBe(200);
    expect((await activate(key, 'nobody@example.com')).status).toBe(404);
  });

  test('of eight who confirm it at once one wins', async () => {
    const key = keyOf(await link());
    const answers = await Promise.all(Array.from({ length: 8 }, () => activate(key)));
    expect(answers.map(({ status: is }) => is).toSorted((one, other) => one - other)).toEqual([
      200,
      ...Array<number>(7).fill(400),
    ]);
  });

  test('is mailed the same link again, but not within ten minutes', async () => {
    const first = await link();
    const again = () => manage('POST', 'confirm', { email, websiteId: 1 });
    await mailIsOld();
    expect((await Promise.all([again(), again(), again()])).map(({ body }) => body)).toEqual([true, true, true]);
    expect(await link()).toBe(first);
    await activate(keyOf(first));
    expect(await again()).toMatchObject({ status: 400, body: { message: "Confirmation isn't needed." } });
  });

  test('gets the newsletter it asked for when it is confirmed', async () => {
    const asked = await anAccount({ extension_attributes: { is_subscribed: true } });
    const isSubscribed = async () =>
      (await manage('GET', String(asked.customerId))).body.extension_attributes.is_subscribed;
    expect(await isSubscribed()).toBe(false);
    await activate(await shown(asked.customerId), asked.email);
    expect(await isSubscribed()).toBe(true);
  });

  test('that was confirmed before its mail went out gets none', async () => {
    await activate(await shown());
    expect(await shop.sendMails()).toEqual(['dropped']);
  });
});

test('the key of one account does not open another', async () => {
  const [mine, other] = [keyOf(await link()), await anAccount()];
  expect(await activate(mine, other.email)).toMatchObject(wrong);
});

test('the key that went to a former e-mail does not confirm the new one', async () => {
  const path = await link();
  const customer = { email: anEmail(), firstname: 'Ada', lastname: 'Lovelace' };
  expect((await manage('PUT', String(customerId), { customer })).status).toBe(200);
  expect((await shop.api.call('GET', path)).status).toBe(404);
  expect(await activate(keyOf(path), customer.email)).toMatchObject(wrong);
  await mailIsOld();
  await manage('POST', 'confirm', { email: customer.email, websiteId: 1 });
  expect(await activate(keyOf(await link()), customer.email)).toMatchObject({ status: 200 });
  expect(shop.mail.took.at(-1)).toMatchObject({ to: customer.email });
});

test('a new password by mail does not confirm an account, and an unknown e-mail has no mail to repeat', async () => {
  await link();
  await shop.api.call('PUT', '/V1/customers/password', { body: { email, template: 'email_reset' } });
  await shop.sendMails();
  const [, resetToken] = /\/account\/password\/\d+\/(\S+)/.exec(shop.mail.took.at(-1)?.text ?? '') ?? [];
  const body = { email, resetToken, newPassword: password };
  expect((await shop.api.call('POST', '/V1/customers/resetPassword', { body })).status).toBe(200);
  expect(await signIn()).toMatchObject(unconfirmed);
  expect((await manage('POST', 'confirm', { email: 'nobody@example.com' })).status).toBe(404);
});

test('staff may open an account with a key of their own; a stranger may not', async () => {
  await shop.remove('config_value', { path: 'customer/create_account/confirm' });
  const customer = { email: anEmail(), firstname: 'Ada', lastname: 'Lovelace', confirmation: 'a4fg7h893e39d' };
  const opened = await shop.api.call('POST', '/V1/customers', { token: shop.api.tokens.admin, body: { customer } });
  expect(await status(opened.body.id)).toBe('account_confirmation_required');
  expect((await activate('a4fg7h893e39d', customer.email)).status).toBe(200);
  expect(await status(opened.body.id)).toBe('account_confirmation_not_required');
  const stranger = await anAccount({ confirmation: 'a4fg7h893e39d' });
  expect(await shown(stranger.customerId)).toBeUndefined();
  await shop.set('customer/create_account/confirm', '1');
});

test('an unknown customer has no status', async () => {
  expect((await manage('GET', '999999/confirm')).status).toBe(404);
});
