import { expect, test } from 'vitest';
import { unavailable } from '../../../domain/errors.ts';
import { inMinutes } from '../../support/moments.ts';
import { aTerminal } from '../../support/builders/counter.ts';
import { anEmail } from '../../support/kiosk.ts';
import { atOnce } from '../../support/rivals.ts';
import { opensAKiosk, section, shop, wrong, notAsked } from './codes-at-a-kiosk.ts';

opensAKiosk();

const tooMany = { status: 400, body: { message: 'Too many codes were requested. Please try again later.' } };

test('a new request voids the code before, and its mail if that has not gone out', async () => {
  const email = anEmail();
  await shop.customer(email);
  await shop.set(`${section}/otp_resend_cooldown_seconds`, '0');
  const first = await shop.codeFor(email);
  await shop.request(email);
  const second = await shop.codeFor(email);

  expect(shop.mail.took).toHaveLength(2);
  if (first !== second) expect(await shop.verify(email, first)).toMatchObject(wrong);
  expect(await shop.verify(email, second)).toMatchObject({ status: 200 });
});

/** What counts within a minute is over, what counts within an hour goes on. */
async function cooldownEnds() {
  for (const { bucket, window_ends_at: end } of await shop.find('rate_limit', {}, 'bucket', 'window_ends_at'))
    if (new Date(end) < inMinutes(1)) await shop.change('rate_limit', { bucket }, { window_ends_at: new Date() });
}

test.each(['a customer', 'a stranger'])('%s may ask again after the cooldown, five times an hour', async (who) => {
  const email = anEmail();
  if (who === 'a customer') await shop.customer(email);

  const answers = await atOnce(8, () => shop.request(email));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(7);
  expect(await shop.request(email)).toMatchObject(tooMany);

  for (let time = 2; time <= 5; time++) {
    await cooldownEnds();
    expect(await shop.request(email)).toMatchObject({ status: 200 });
  }
  await cooldownEnds();
  expect(await shop.request(email)).toMatchObject(tooMany);
});

test('a terminal may ask twenty times an hour, exactly, also at once; another one still may', async () => {
  const answers = await atOnce(40, () => shop.request(anEmail()));
  const { terminalId } = await aTerminal(shop.api.orm.em.fork());

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
  expect(await shop.request(anEmail())).toMatchObject(tooMany);
  expect(await shop.request(anEmail(), { terminalId })).toMatchObject({ status: 200 });
});

test('a mail server that is away is reported before anything is counted', async () => {
  shop.mail.isThere = false;
  const email = anEmail();
  await shop.customer(email);
  const codes = await shop.howMany('pos_one_time_code');
  const answers = [await shop.request(email), await shop.request(anEmail())];
  for (const answer of answers)
    expect(answer).toMatchObject({
      status: 400,
      body: { message: 'The code could not be sent. Please try again later.' },
    });
  expect(await shop.find('rate_limit')).toEqual([]);
  expect(await shop.howMany('pos_one_time_code')).toBe(codes);
});

test('a code that cannot be sent is withdrawn, and may be requested again at once', async () => {
  const email = anEmail();
  shop.whenBegun.fails = unavailable('The workflows cannot be reached.');
  expect((await shop.request(email)).status).toBe(503);
  expect(await shop.verify(email, '1')).toMatchObject(notAsked);
  delete shop.whenBegun.fails;
  expect(await shop.request(email)).toMatchObject({ status: 200 });
});

test('an unknown or inactive terminal is refused before the e-mail is checked', async () => {
  const email = anEmail();
  await shop.customer(email);
  const { terminalId } = await aTerminal(shop.api.orm.em.fork(), { isActive: false });
  for (const one of [email, anEmail()]) {
    expect(await shop.request(one, { terminalId: 99_999 })).toMatchObject({
      status: 404,
      body: { message: 'Terminal with id %1 does not exist', parameters: [99_999] },
    });
    expect(await shop.verify(one, '1', { terminalId: 99_999 })).toMatchObject(notAsked);
    const disabled = { status: 400, body: { message: 'The terminal is disabled.' } };
    expect(await shop.request(one, { terminalId })).toMatchObject(disabled);
    expect(await shop.verify(one, '1', { terminalId })).toMatchObject(disabled);
  }
});

test.each(['', 'ada', 'ada@', 'a b@shop.test'])('"%s" is refused as an e-mail', async (email) => {
  expect(await shop.request(email)).toMatchObject({ status: 400, body: { message: 'Enter a valid email address.' } });
});

test('codes have as many digits as the shop says', async () => {
  const email = anEmail();
  await shop.customer(email);
  await shop.set(`${section}/otp_length`, '99');
  expect(await shop.codeFor(email)).toMatch(/^\d{10}$/);
});
