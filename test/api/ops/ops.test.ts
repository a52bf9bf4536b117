import { beforeAll, describe, expect, test } from '@jest/globals';
import { explainRefund } from '../../../books/explain/explain-refund.ts';
import { renderStory } from '../../../books/explain/render-story.ts';
import { openCases } from '../../../books/verify/verify.ts';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { forgetSecondFactor } from '../../../db/ops/people.ts';
import { booksOf } from '../../support/books.ts';
import { aRefundAttempt } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { useApi } from '../../support/fixtures.ts';
import { anOpsAdmin, anOpsBrowser, anOpsMember, codeOf, type OpsPerson } from '../../support/ops.ts';

/** Doors of the operator's page, and its decisions. How it looks is in the test beside this one. */
const api = useApi({
  settings: { POS_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'), TRUSTED_PROXIES: '127.0.0.1' },
});
let locationId: number;
beforeAll(async () => {
  ({ locationId } = await aShop(api.orm.em.fork()));
});

const { find, theAttempt, change } = booksOf(() => api.orm);

/** The token of a page's forms. */
const csrfIn = (text: string) => /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';

async function signedIn(person: OpsPerson, headers: Record<string, string> = {}) {
  const browser = anOpsBrowser(api, headers);
  expect((await browser.signIn(person)).status).toBe(200);
  return browser;
}
/** What people said; the state itself has a line of its own. */
const trail = async (attemptId: number) => {
  const about = { entity_type: 'refund_attempt', entity_id: String(attemptId) };
  const lines = await find('pos_audit_log', about, 'field_name', 'new_value');
  return lines.filter((line) => line['field_name'] !== 'state');
};

describe('who gets in', () => {
  test('without a session every page is the sign-in, and forbids scripts, frames and strange forms', async () => {
    for (const path of ['/ops', '/ops/doubts/1', '/ops/nowhere']) {
      const { text, headers } = await anOpsBrowser(api).get(path);
      expect(text).toContain('action="/ops/sign-in"');
      expect(text).not.toMatch(/<script|<style|style="/);
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      );
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  test('the cookie is for the browser alone, for this page alone, and behind https for https alone', async () => {
    const seen = async (headers: Record<string, string>) => {
      const admin = await anOpsAdmin(api);
      const response = await fetch(`${api.url}/ops/sign-in`, {
        ...{ method: 'POST', redirect: 'manual' },
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams({ ...admin, secret: '', code: codeOf(admin.secret!) }).toString(),
      });
      return response.headers.getSetCookie().find((line) => line.startsWith('pos_ops='));
    };
    expect(await seen({})).toMatch(/^pos_ops=[\w-]{43}; Path=\/ops; HttpOnly; SameSite=Strict; Max-Age=43200$/);
    expect(await seen({ 'x-forwarded-proto': 'https' })).toMatch(/; SameSite=Strict; Max-Age=43200; Secure$/);
  });

  test('a right password with a wrong code, or without one, opens nothing', async () => {
    const admin = await anOpsAdmin(api);
    const member = await anOpsMember(api, { permissions: ['issue_refunds'] });
    for (const person of [admin, member])
      for (const code of ['', '000000', codeOf(person.secret!, -9)]) {
        const browser = anOpsBrowser(api);
        const fields = { name: person.name, password: person.password, code, next: '/ops' };
        expect((await browser.post('/ops/sign-in', fields)).status).toBe(401);
        expect((await browser.get('/ops')).text).toContain('action="/ops/sign-in"');
      }
  });

  test('a code opens the page once', async () => {
    const admin = await anOpsAdmin(api);
    await signedIn(admin);
    expect((await anOpsBrowser(api).signIn(admin)).status).toBe(401);
    expect((await anOpsBrowser(api).signIn(admin, 1)).status).toBe(200);
  });

  test('an administrator whose phone is lost starts anew, and is signed out everywhere', async () => {
    const admin = await anOpsAdmin(api);
    const browser = await signedIn(admin);
    const lost = { username: admin.name, by: 'Olga (pos)' };
    expect(await forgetSecondFactor(api.orm.em.fork(), lost)).toBe(true);
    expect(await forgetSecondFactor(api.orm.em.fork(), { ...lost, username: 'nobody' })).toBe(false);
    expect((await browser.get('/ops')).text).toContain('action="/ops/sign-in"');
    const anew = await anOpsBrowser(api).signIn(admin, 1);
    expect(anew.text).toContain('Read this picture with the app of your phone');
    expect(anew.text).not.toMatch(/<style|style="/);
  });

  test('after five wrong codes the right one has to wait, whoever asks', async () => {
    const admin = await anOpsAdmin(api);
    const guess = { name: admin.name, password: admin.password, code: '000000', next: '/ops' };
    const guesses = await Promise.all(Array.from({ length: 5 }, () => anOpsBrowser(api).post('/ops/sign-in', guess)));
    expect(guesses.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    expect((await anOpsBrowser(api).signIn(admin)).status).toBe(401);
  });

  test('a cashier without the rights, or whom nobody gave a second factor, stays outside with the right passcode', async () => {
    const cashier = await anOpsMember(api, { permissions: ['place_orders'] });
    const unready = await anOpsMember(api, { permissions: ['issue_refunds'], hasFactor: false });
    expect((await anOpsBrowser(api).signIn(cashier)).status).toBe(401);
    const told = await anOpsBrowser(api).signIn(unready);
    expect([told.status, told.text]).toEqual([403, expect.stringContaining('You have no second factor yet.')]);
  });

  test('whoever is dismissed is out with the next page', async () => {
    const member = await anOpsMember(api, { permissions: ['issue_refunds'] });
    const browser = await signedIn(member);
    await change('pos_staff', { staff_id: member.staffId }, { is_active: false });
    expect((await browser.get('/ops')).text).toContain('action="/ops/sign-in"');
  });

  test.each([
    ['was not used for half an hour', { seen_at: new Date(Date.now() - 31 * 60_000) }],
    ['is twelve hours old', { ends_at: new Date(Date.now() - 1_000) }],
  ])('a session that %s is over', async (_case, row) => {
    const member = await anOpsMember(api, { permissions: ['issue_refunds'] });
    const browser = await signedIn(member);
    await change('ops_session', { user_kind: 'staff', user_id: member.staffId }, row);
    expect((await browser.get('/ops')).text).toContain('action="/ops/sign-in"');
  });

  test('signing out ends the session, also for who kept its cookie', async () => {
    const browser = await signedIn(await anOpsAdmin(api));
    const kept = browser.cookies.get('pos_ops')!;
    await browser.send('/ops/sign-out', {});
    browser.cookies.set('pos_ops', kept);
    expect((await browser.get('/ops')).text).toContain('action="/ops/sign-in"');
  });

  test('a form of another place, or without the token of its session, does nothing', async () => {
    const { attemptId } = await aRefundAttempt(api.orm, { locationId });
    const browser = await signedIn(await anOpsAdmin(api));
    const fields = { answer: 'refunded', note: 'from elsewhere' };
    const path = `/ops/doubts/${attemptId}`;
    const answers = [
      await browser.post(path, fields),
      await browser.post(path, { ...fields, csrf: 'guessed' }),
      await browser.post(path, fields, { origin: 'https://elsewhere.example' }),
      await browser.post(path, fields, { 'sec-fetch-site': 'cross-site' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    expect(await theAttempt(attemptId)).toMatchObject({ state: 'uncertain' });
  });

  test('a link of a mail finds the session: the page asks for itself again', async () => {
    const { text } = await anOpsBrowser(api, { 'sec-fetch-site': 'cross-site' }).get('/ops?told=open');
    expect(text).toContain('content="0;url=/ops?told&#x3D;open&amp;again&#x3D;1"');
  });

  test('after the sign-in nobody is led to another place', async () => {
    const admin = await anOpsAdmin(api);
    const body = {
      name: admin.name,
      password: admin.password,
      code: codeOf(admin.secret!),
      next: '//evil.example/ops',
    };
    const response = await fetch(`${api.url}/ops/sign-in`, {
      ...{ method: 'POST', redirect: 'manual', body: new URLSearchParams(body).toString() },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/ops']);
  });
});

describe('a refund in doubt', () => {
  test('is told to have gone not back: nothing is booked, and the name and the note stand in the books', async () => {
    const { attemptId, orderId } = await aRefundAttempt(api.orm, { locationId });
    const browser = await signedIn(await anOpsMember(api, { permissions: ['issue_refunds'] }));
    const { text } = await browser.send(`/ops/doubts/${attemptId}`, {
      answer: 'not_refunded',
      note: 'not in the portal',
    });
    expect(text).toContain('the money did not go back');
    // Said by mistake: how what went back after all comes into the books, and nobody refunds it twice.
    expect(text).toMatch(/ask the processor again|give the money back by “a card, by hand”/);
    expect(await theAttempt(attemptId)).toMatchObject({ state: 'failed', resolution_note: 'not in the portal' });
    expect(await find('sales_creditmemo', { order_id: orderId })).toEqual([]);
    expect(await trail(attemptId)).toContainEqual({
      field_name: 'decision',
      new_value: 'not_refunded: not in the portal',
    });
  });

  test('is not decided without a note, nor with a card number in it', async () => {
    const { attemptId } = await aRefundAttempt(api.orm, { locationId });
    const browser = await signedIn(await anOpsAdmin(api));
    for (const note of ['', '  ', 'card 4111 1111 1111 1111'])
      expect((await browser.send(`/ops/doubts/${attemptId}`, { answer: 'refunded', note })).status).toBe(400);
    expect(await theAttempt(attemptId)).toMatchObject({ state: 'uncertain' });
    expect(await trail(attemptId)).toEqual([]);
  });

  test('is decided once: two clicks book one memo', async () => {
    const { attemptId, orderId } = await aRefundAttempt(api.orm, { locationId });
    const browser = await signedIn(await anOpsAdmin(api));
    const click = () => browser.send(`/ops/doubts/${attemptId}`, { answer: 'refunded', note: 'in the portal' });
    await Promise.all([click(), click()]);
    expect(await find('sales_creditmemo', { order_id: orderId })).toHaveLength(1);
    // A later press, also of another person and with another answer, says whose decision it is.
    const other = await signedIn(await anOpsAdmin(api));
    for (const answer of ['refunded', 'not_refunded'])
      expect(
        (
          await other.post(`/ops/doubts/${attemptId}`, {
            csrf: csrfIn((await other.get('/ops')).text),
            answer,
            note: 'x',
          })
        ).text,
      ).toMatch(/Grace Hopper \d+, .*: Order \S+: It went back, US\$54\.00, .*\. Your press changed nothing\./);
    expect(await find('sales_creditmemo', { order_id: orderId })).toHaveLength(1);
  });

  test('is read and not decided while Temporal is away', async () => {
    const { attemptId } = await aRefundAttempt(api.orm, { locationId });
    const browser = await signedIn(await anOpsAdmin(api));
    await api.without('Temporal', async () => {
      const { text } = await browser.get('/ops');
      expect(text).toContain('Temporal cannot be reached');
      expect(text).toContain(`/ops/doubts/${attemptId}`);
      const refused = await browser.send(`/ops/doubts/${attemptId}`, { answer: 'refunded', note: 'seen' });
      expect([refused.status, refused.text]).toEqual([503, expect.stringContaining('cannot be reached')]);
    });
    expect(await theAttempt(attemptId)).toMatchObject({ state: 'uncertain' });
    expect(await trail(attemptId)).toEqual([]);
  });

  test('is seen and decided by the staff of its shop alone', async () => {
    const { attemptId } = await aRefundAttempt(api.orm, { locationId });
    const other = await signedIn(await anOpsMember(api, { permissions: ['issue_refunds'], locationIds: [] }));
    const own = await signedIn(await anOpsMember(api, { permissions: ['issue_refunds'], locationIds: [locationId] }));
    expect((await other.get('/ops')).text).toContain('No refund is in doubt.');
    const refused = await other.send(`/ops/doubts/${attemptId}`, { answer: 'refunded', note: 'seen' });
    expect(refused.status).toBe(400);
    expect((await own.get('/ops')).text).toContain(`/ops/doubts/${attemptId}`);
  });

  test('whoever only approves returns neither sees nor decides it', async () => {
    const { attemptId } = await aRefundAttempt(api.orm, { locationId });
    const browser = await signedIn(await anOpsMember(api, { permissions: ['approve_rma'] }));
    expect((await browser.get('/ops')).text).not.toContain('/ops/doubts/');
    const refused = await browser.send(`/ops/doubts/${attemptId}`, { answer: 'refunded', note: 'x' }, '/ops/story');
    expect(refused.status).toBe(403);
    expect(await theAttempt(attemptId)).toMatchObject({ state: 'uncertain' });
  });

  test('above the sum that is set a second person says the same; one person with two words does not count', async () => {
    await setConfigValue(api.orm.em.fork(), api.providers.secrets, {
      path: 'vendor_pos_advanced/ops/two_people_above',
      value: '50',
    });
    const { attemptId } = await aRefundAttempt(api.orm, { locationId });
    const [first, second] = [await signedIn(await anOpsAdmin(api)), await signedIn(await anOpsAdmin(api))];
    const path = `/ops/doubts/${attemptId}`;
    const yes = { answer: 'refunded', note: 'in the portal' };
    try {
      expect((await first.send(path, yes)).text).toContain('A second person must say the same.');
      expect((await first.send(path, yes)).text).toContain('A second person must say the same.');
      // Whoever says the same knows what the first one saw.
      expect((await second.get('/ops')).text).toMatch(/What Grace Hopper \d+ saw: “in the portal”/);
      expect((await second.send(path, { answer: 'not_refunded', note: 'I see nothing' })).text).toContain(
        'A second person',
      );
      expect(await theAttempt(attemptId)).toMatchObject({ state: 'uncertain' });

      expect((await first.send(path, { answer: 'not_refunded', note: 'me neither' })).text).toContain(
        'did not go back',
      );
    } finally {
      await setConfigValue(api.orm.em.fork(), api.providers.secrets, {
        path: 'vendor_pos_advanced/ops/two_people_above',
        value: null,
      });
    }
    const [row] = await find('refund_attempt', { attempt_id: attemptId }, 'state', 'resolved_by', 'resolution_note');
    expect(row).toMatchObject({
      state: 'failed',
      resolved_by: expect.stringMatching(/^Grace Hopper \d+, Grace Hopper \d+$/),
    });
    expect(row!['resolution_note']).toContain('I see nothing');
    expect(await find('refund_proposal', { attempt_id: attemptId })).toEqual([]);
    expect((await trail(attemptId)).map((line) => line['field_name'])).toEqual([
      ...['first_word', 'first_word', 'first_word', 'second_word'],
    ]);
  });

  test('a wrong “refunded” opens a case that moves nothing, and is closed by a person with the proof', async () => {
    const { attemptId, orderId, returnId } = await aRefundAttempt(api.orm, { locationId });
    const browser = await signedIn(await anOpsAdmin(api));
    await browser.send(`/ops/doubts/${attemptId}`, { answer: 'refunded', note: 'in the portal' });
    const before = await theAttempt(attemptId);

    const wrong = { note: 'that was another payment', means: 'cash' };
    const opened = await browser.send(`/ops/doubts/${attemptId}/wrong`, wrong);
    expect(opened.text).toContain('Hand back US$54.00 by cash.');
    for (const word of ['in the portal', 'that was another payment']) expect(opened.text).toContain(word);
    const card = opened.text.slice(opened.text.indexOf('Cases: money to hand back'));
    for (const word of ['pay_1', `refund-attempt-${attemptId}`, `q&#x3D;order-${orderId}`, `q&#x3D;return-${returnId}`])
      expect(card).toContain(word);
    expect(card).toContain('“That was wrong” was said by');
    expect(card).not.toContain(`/ops/doubts/${attemptId}/wrong`);
    const again = () => browser.post(`/ops/doubts/${attemptId}/wrong`, { ...wrong, csrf: csrfIn(opened.text) });
    expect((await again()).text).toMatch(
      /Grace Hopper \d+, .*: opened a case about this refund.* Your press changed nothing\./,
    );
    expect(await theAttempt(attemptId)).toEqual(before);
    expect(await find('sales_creditmemo', { order_id: orderId })).toHaveLength(1);

    const known = (await openCases(api.orm.em.fork())).filter((one) => one.attempt_id === attemptId);
    expect(known).toMatchObject([{ amount: '54.0000', currency: 'USD', first_by: expect.stringContaining('Grace') }]);

    const [row] = await find('refund_case', { attempt_id: attemptId }, 'case_id');
    const path = `/ops/cases/${String(row!['case_id'])}`;
    const told = (kind: string, id: number) => browser.get(`/ops/story?q=${kind}-${id}`);
    const whatCanBeDone = `Case ${String(row!['case_id'])} is open: hand back US$54.00 by cash`;
    for (const [kind, id] of [
      ['order', orderId],
      ['return', returnId],
      ['refund', attemptId],
    ] as const)
      expect((await told(kind, id)).text).toMatch(
        new RegExp(`${whatCanBeDone.replace('$', '\\$')}[^<]*<a href="/ops">`),
      );
    expect((await browser.send(path, { proof: '' })).status).toBe(400);
    expect((await browser.send(path, { proof: 'receipt 77, signed' })).text).toContain('The case is closed.');
    const late = await browser.post(path, { proof: 'another', csrf: csrfIn(opened.text) });
    expect(late.text).toMatch(/Grace Hopper \d+, .*: closed the case about this refund, with a proof\. Your press/);
    const closed = (await again()).text;
    expect(closed).toContain('closed the case about this refund, with a proof. Your press changed nothing.');
    expect(closed).toMatch(/It was closed by Grace Hopper \d+ on /);
    expect(closed).not.toContain(`/ops/doubts/${attemptId}/wrong`);
    for (const [kind, id] of [
      ['order', orderId],
      ['refund', attemptId],
    ] as const) {
      const { text } = await told(kind, id);
      for (const words of [
        'in the portal',
        'that was another payment',
        'US$54.00 to hand back by cash',
        'receipt 77, signed',
      ])
        expect([kind, words, text.includes(words)]).toEqual([kind, words, true]);
      expect(text).not.toContain(whatCanBeDone);
    }
    const toldByTool = renderStory(await explainRefund(api.orm.em.fork(), `refund-${attemptId}`));
    expect(toldByTool).toMatch(/Case \d+ was closed: the money was handed back\. Proof: "receipt 77, signed"/);
    expect((await openCases(api.orm.em.fork())).filter((one) => one.attempt_id === attemptId)).toEqual([]);
    expect(await find('refund_case', { attempt_id: attemptId }, 'proof')).toEqual([{ proof: 'receipt 77, signed' }]);
    expect((await trail(attemptId)).map((line) => line['field_name'])).toEqual([
      'decision',
      'case_opened',
      'case_closed',
    ]);
  });

  test('what a person said is called wrong for 180 days, and not later', async () => {
    const { attemptId } = await aRefundAttempt(api.orm, { locationId });
    const browser = await signedIn(await anOpsAdmin(api));
    await browser.send(`/ops/doubts/${attemptId}`, { answer: 'refunded', note: 'seen' });
    const csrf = csrfIn((await browser.get('/ops')).text);
    const wrong = () => browser.post(`/ops/doubts/${attemptId}/wrong`, { csrf, note: 'no', means: 'cash' });
    const saidDaysAgo = (days: number) =>
      change('refund_attempt', { attempt_id: attemptId }, { updated_at: new Date(Date.now() - days * 86_400_000) });
    await saidDaysAgo(181);
    expect((await wrong()).status).toBe(400);
    expect(await find('refund_case', { attempt_id: attemptId })).toEqual([]);
    await saidDaysAgo(179);
    expect((await browser.get(`/ops?attempt=${attemptId}`)).text).toContain(`/ops/doubts/${attemptId}/wrong`);
    expect((await wrong()).text).toContain('A case is open.');
  });

  test('a link leads to the payment at its processor, where an address is set', async () => {
    const set = (value: string | null) =>
      setConfigValue(api.orm.em.fork(), api.providers.secrets, {
        path: 'vendor_pos_advanced/ops/portal_provider_a',
        value,
      });
    await aRefundAttempt(api.orm, { locationId });
    const browser = await signedIn(await anOpsAdmin(api));
    await set('https://portal.example/payments/%1');
    expect((await browser.get('/ops')).text).toContain('href="https://portal.example/payments/pay_1"');
    await set('javascript:alert(1)');
    expect((await browser.get('/ops')).text).not.toContain('javascript:');
    await set(null);
  });

  test('that was asked again says when, how often, by whom, and what the processor said', async () => {
    const { attemptId } = await aRefundAttempt(api.orm, { locationId });
    const browser = await signedIn(await anOpsAdmin(api));
    const ask = () => browser.send(`/ops/doubts/${attemptId}`, { answer: 'ask', note: '' });
    const cardOf = async () => {
      const { text } = await browser.get('/ops');
      return text.split('<section').find((one) => one.includes(`"/ops/doubts/${attemptId}"`)) ?? '';
    };
    expect(await cardOf()).not.toContain('Asked again');
    await ask();
    await ask();
    await change(
      'refund_attempt',
      { attempt_id: attemptId },
      { gateway_outcome: 'connection_lost', message: 'Broken.' },
    );
    const card = await cardOf();
    expect(card).toMatch(/2 times, the last time .*\d\d:\d\d by Grace Hopper \d+/);
    expect(card).toContain('the connection was lost: Broken.');
  });

  test('its times are in the zone of the shop, which the page names, as the browser’s country writes them', async () => {
    const { attemptId, orderId } = await aRefundAttempt(api.orm, { locationId });
    await change('refund_attempt', { attempt_id: attemptId }, { created_at: new Date('2026-11-20T23:30:00Z') });
    const [site] = await find('website', { is_default: true }, 'website_id', 'time_zone');
    await change('website', { website_id: site!['website_id'] }, { time_zone: 'America/New_York' });
    try {
      const american = await signedIn(await anOpsAdmin(api), { 'accept-language': 'en-US,en;q=0.9' });
      const { text } = await american.get(`/ops/story?q=refund-${attemptId}`);
      expect(text).toMatch(/Nov 20, 2026, 6:30\sPM/);
      expect(text).toMatch(/Times are in America\/New_York \(E[SD]T\)\./);
      expect(text).toContain('$54.00');
      const austrian = await signedIn(await anOpsAdmin(api), { 'accept-language': 'de-AT' });
      const german = (await austrian.get(`/ops/story?q=order-${orderId}`)).text;
      expect(german).toContain('20.11.2026, 18:30');
      expect(german).toContain('Zeiten in America/New_York (GMT-5).');
    } finally {
      await change('website', { website_id: site!['website_id'] }, { time_zone: site!['time_zone'] });
    }
  });

  test('in German the page is German, sums and dates with it', async () => {
    await aRefundAttempt(api.orm, { locationId });
    const browser = await signedIn(await anOpsAdmin(api), { 'accept-language': 'de-AT,en;q=0.5' });
    const { text, headers } = await browser.get('/ops');
    expect(headers.get('content-language')).toBe('de');
    for (const word of ['<html lang="de">', 'Ging zurück', '$\u00A054,00', 'Zweifel']) expect(text).toContain(word);
    expect((await browser.get('/ops/language/en?next=/ops')).text).toContain('It went back');
  });
});
