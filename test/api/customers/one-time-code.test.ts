import { expect, test } from '@jest/globals';
import { inSeconds } from '../../support/moments.ts';
import { aTerminal } from '../../support/builders/counter.ts';
import { anEmail, codeIn } from '../../support/kiosk.ts';
import { atOnce } from '../../support/rivals.ts';
import { opensAKiosk, section, shop, wrong, notAsked } from './codes-at-a-kiosk.ts';

opensAKiosk();

const another = (code: string) => code.replace(/^./, (digit) => String((Number(digit) + 1) % 10));
const guessesAt = async () =>
  Math.max(...(await shop.find('pos_one_time_code', {}, 'guesses')).map(({ guesses }) => guesses));

test('a customer signs in with the code from the mail, once, and no token is minted', async () => {
  const email = anEmail();
  const id = await shop.customer(email, {
    taxvat: 'GB123',
    addresses: [
      {
        firstname: 'Ada',
        lastname: 'L',
        street: ['1 High St'],
        city: 'London',
        countryId: 'GB',
        postcode: 'N1 1AA',
        telephone: '1',
        company: 'Engines Ltd',
        defaultBilling: true,
      },
    ],
  });
  const tokens = await shop.howMany('access_token');

  const asked = await shop.request(email);
  await shop.sendMails();
  const code = codeIn(shop.mail.took[0]);
  const signedIn = await shop.verify(` ${email.toUpperCase()} `, code);

  expect(asked).toMatchObject({ status: 200, body: [] });
  expect(shop.mail.took).toMatchObject([{ to: email, subject: 'Your sign-in code for Default Store View' }]);
  expect(code).toMatch(/^\d{6}$/);
  expect(signedIn.status).toBe(200);
  expect(signedIn.headers.get('cache-control')).toBe('no-store');
  expect(signedIn.body).toEqual({
    customer_id: id,
    email,
    firstname: 'Ada',
    lastname: 'Lovelace',
    group_id: 1,
    website_id: 1,
    company: 'Engines Ltd',
    taxvat: 'GB123',
    default_billing_address_id: expect.any(Number),
  });
  expect(await shop.verify(email, code)).toMatchObject(wrong);
  expect(await shop.howMany('access_token')).toBe(tokens);
});

test('of fifty who send the right code at once one is signed in', async () => {
  const email = anEmail();
  await shop.customer(email);
  await shop.set(`${section}/otp_max_attempts`, '100');
  const code = await shop.codeFor(email);

  const answers = await atOnce(50, () => shop.verify(email, code));

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(49);
});

test.each(['a customer', 'a stranger'])('a hundred guesses at once at the code of %s buy five looks', async (who) => {
  const email = anEmail();
  if (who === 'a customer') await shop.customer(email);
  await shop.remove('pos_one_time_code');
  await shop.request(email);

  const answers = await atOnce(100, (at) => shop.verify(email, `x${at}`));

  expect(answers.every(({ status }) => status === 401)).toBe(true);
  expect(await guessesAt()).toBe(5);
});

test('after five wrong guesses the right code is refused too', async () => {
  const email = anEmail();
  await shop.customer(email);
  const code = await shop.codeFor(email);
  for (let guess = 0; guess < 4; guess++) expect(await shop.verify(email, another(code))).toMatchObject(wrong);
  const [before] = (await shop.find('pos_one_time_code', {}, 'guesses', 'consumed_at')).slice(-1);
  expect(before).toEqual({ guesses: 4, consumed_at: null });

  expect(await shop.verify(email, another(code))).toMatchObject(wrong);
  expect(await shop.verify(email, code)).toMatchObject(wrong);
});

test('a refused guess under an idempotency key stays counted', async () => {
  const email = anEmail();
  await shop.remove('pos_one_time_code');
  await shop.request(email);

  await atOnce(8, (at) => shop.verify(email, 'x', { headers: { 'idempotency-key': `${email}-${at}` } }));

  expect(await guessesAt()).toBe(5);
});

test('a code works at the terminal that asked for it, and nowhere else', async () => {
  const email = anEmail();
  await shop.customer(email);
  const other = await aTerminal(shop.api.orm.em.fork());
  const code = await shop.codeFor(email);

  expect(await shop.verify(email, code, { terminalId: other.terminalId })).toMatchObject(notAsked);
  expect(await shop.verify(email, code)).toMatchObject({ status: 200 });
});

test('a code that was never asked for is 404, for a customer and a stranger alike', async () => {
  const email = anEmail();
  await shop.customer(email);
  expect(await shop.verify(email, '123456')).toMatchObject(notAsked);
  expect(await shop.verify(anEmail(), '123456')).toMatchObject(notAsked);
});

test('a code is text: leading zeros count, other digits do not', async () => {
  const email = anEmail();
  await shop.customer(email);
  await shop.set(`${section}/otp_max_attempts`, '100');
  await shop.set(`${section}/otp_rate_limit_per_email_hour`, '1000');
  let code = '';
  while (!code.startsWith('0')) {
    await shop.forgetTries();
    code = await shop.codeFor(email);
  }
  expect(await shop.verify(email, Number(code))).toMatchObject(wrong);
  expect(await shop.verify(email, code.slice(1))).toMatchObject(wrong);
  expect(
    await shop.verify(
      email,
      code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    ),
  ).toMatchObject(wrong);
  expect(await shop.verify(email, code)).toMatchObject({ status: 200 });
});

test('a code that is too old is refused, and its mail is never sent', async () => {
  const email = anEmail();
  await shop.customer(email);
  const code = await shop.codeFor(email);
  await shop.change('pos_one_time_code', {}, { expires_at: new Date() });
  expect(await shop.verify(email, code)).toMatchObject(wrong);

  const late = anEmail();
  await shop.customer(late);
  await shop.request(late);
  await shop.change('mail_outbox', { state: 'waiting' }, { dies_at: new Date() });
  expect(await shop.sendMails()).toEqual(['not_ours']);
});

test('a sender who died over a code is followed by one who tries again when the turn is over', async () => {
  const email = anEmail();
  await shop.customer(email);
  await shop.request(email);
  await shop.change('mail_outbox', { state: 'waiting' }, { tries: 1, due_at: inSeconds(20) });
  const [mailId = 0] = shop.begun;
  await expect(shop.sendMail(mailId)).rejects.toMatchObject({ type: 'MailHeld', nextRetryDelay: '20 seconds' });
  await shop.change('mail_outbox', { mail_id: mailId }, { due_at: new Date() });
  expect(await shop.sendMail(mailId)).toEqual({ state: 'sent' });
  expect(await shop.sendMail(mailId)).toEqual({ state: 'sent' });
});

test('the same request again under its key makes no second code; the same sign-in is answered again', async () => {
  const email = anEmail();
  await shop.customer(email);
  const headers = { 'idempotency-key': `ask-${email}` };
  await shop.request(email, { headers });
  await shop.request(email, { headers });
  expect(await shop.sendMails()).toEqual(['sent']);

  const signIn = () => shop.verify(email, codeIn(shop.mail.took[0]), { headers: { 'idempotency-key': `in-${email}` } });
  const [first, second] = [await signIn(), await signIn()];
  expect(first.status).toBe(200);
  expect(second.body).toEqual(first.body);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
});

test('no register pulls its configuration for a setting that only the server reads', async () => {
  const versions = () => shop.find('pos_config_version', {}, 'scope', 'scope_id', 'version');
  const before = await versions();
  await shop.set(`${section}/otp_length`, '8');
  await shop.set('newsletter/subscription/confirm', '0');
  expect(await versions()).toEqual(before);
});

test('neither the e-mail nor the code is readable in the database', async () => {
  const email = anEmail();
  await shop.customer(email);
  await shop.request(email);
  const kept = JSON.stringify([
    await shop.find('pos_one_time_code'),
    await shop.find('mail_outbox'),
    await shop.find('rate_limit'),
  ]);
  await shop.sendMails();
  expect(kept).not.toContain(email);
  expect(kept).not.toContain(`"${codeIn(shop.mail.took[0])}"`);
});
