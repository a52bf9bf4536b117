import { beforeAll, describe, expect, test } from '@jest/globals';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { booksOf } from '../../support/books.ts';
import { aRefundAttempt } from '../../support/builders/return.ts';
import { useApi } from '../../support/fixtures.ts';
import { anOpsAdmin, anOpsBrowser, anOpsMember, codeOf, type OpsPerson } from '../../support/ops.ts';
import { aShop } from '../../support/builders/shop.ts';

/** Who is behind a sign-in at the operator's page, and what its failures do to other entry points. */
const lines: Record<string, unknown>[] = [];
const api = useApi({
  settings: { POS_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'), TRUSTED_PROXIES: '127.0.0.1' },
  readLog: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
});
let locationId: number;
beforeAll(async () => {
  ({ locationId } = await aShop(api.orm.em.fork()));
});
const { find } = booksOf(() => api.orm);

let addresses = 0;
/** Each stranger calls from another network. */
const stranger = (address = `203.0.113.${++addresses}`) => anOpsBrowser(api, { 'x-forwarded-for': address });
const guess = (name: string, browser = stranger(), more: Record<string, string> = {}) =>
  browser.post('/ops/sign-in', { name, password: 'wrong', code: '000000', next: '/ops', ...more });
const fail = async (name: string, times: number, browser?: ReturnType<typeof stranger>) => {
  for (let time = 0; time < times; time++) expect((await guess(name, browser ?? stranger())).status).toBe(401);
};
const askToken = (username: string, password: string) =>
  fetch(`${api.url}/rest/V1/integration/admin/token`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ username, password }),
  });
const authenticate = ({ name, password }: OpsPerson) =>
  api.call('POST', '/V1/pos/staff/authenticate', {
    token: api.tokens.register,
    body: { email: name, passcode: password },
  });

describe('failures at one entry point lock no other', () => {
  test('a stranger’s wrong passcodes at the page leave the cashier’s sign-in at the register as it was', async () => {
    const cashier = await anOpsMember(api, { permissions: ['issue_refunds'] });
    await fail(cashier.name, 13, stranger());
    expect((await authenticate(cashier)).status).toBe(200);
  });

  test('a cooldown at the register leaves the page open to the same person', async () => {
    const cashier = await anOpsMember(api, { permissions: ['issue_refunds'] });
    for (let time = 0; time < 4; time++) await authenticate({ ...cashier, password: '000000' });
    expect((await authenticate(cashier)).status).toBe(401);
    expect((await stranger().signIn(cashier)).status).toBe(200);
  });

  test('an administrator’s name that is locked at the token route opens the page, and the other way round', async () => {
    const [locked, guessed] = [await anOpsAdmin(api), await anOpsAdmin(api)];
    for (let time = 0; time < 6; time++) await askToken(locked.name, 'wrong');
    expect((await askToken(locked.name, locked.password)).status).toBe(401);
    expect((await stranger().signIn(locked)).status).toBe(200);
    await fail(guessed.name, 8, stranger());
    expect((await askToken(guessed.name, guessed.password)).status).toBe(200);
  });
});

describe('guesses at the page', () => {
  test.each([
    ['20 from any addresses', 21, undefined],
    ['5 from one address', 6, '198.51.100.7'],
  ])(
    'after %s the code is checked first: the owner still gets in, the password alone shows nothing',
    async (_case, times, address) => {
      const owner = await anOpsAdmin(api);
      for (let time = 0; time < times; time++) await fail(owner.name, 1, stranger(address));
      const refused = await guess(owner.name, stranger(address), { password: owner.password });
      expect([refused.status, refused.text]).toEqual([
        401,
        expect.stringContaining('the verification code is checked first'),
      ]);
      expect((await stranger(address).signIn(owner)).status).toBe(200);
    },
  );

  test('a right password without a second factor opens no set-up of one while guesses come in', async () => {
    const unready = await anOpsMember(api, { permissions: ['issue_refunds'], hasFactor: false });
    const fresh = await anOpsAdmin(api, { isNew: true });
    for (const { name } of [unready, fresh]) await fail(name, 20);
    for (const { name, password } of [unready, fresh]) {
      const answer = await guess(name, stranger(), { password, code: '' });
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([401, null]);
    }
  });

  test('at a name that no account has are answered alike', async () => {
    const name = 'no-such-person@shop.example';
    await fail(name, 20);
    expect((await guess(name)).text).toContain('the verification code is checked first');
  });

  test('at once count as many: eight of them on an empty count leave the ninth from there with the code first', async () => {
    const { name } = await anOpsAdmin(api);
    const browser = stranger();
    await Promise.all(Array.from({ length: 8 }, () => guess(name, browser)));
    expect((await guess(name, browser)).text).toContain('the verification code is checked first');
  });

  test('a success ends the count of its own address alone', async () => {
    const owner = await anOpsAdmin(api);
    const address = '198.51.100.9';
    await fail(owner.name, 4, stranger(address));
    expect((await stranger(address).signIn(owner)).status).toBe(200);
    expect((await guess(owner.name, stranger(address))).text).not.toContain('is checked first');
  });
});

describe('the trail', () => {
  const trailOf = async (about: Record<string, unknown>) =>
    (await find('pos_audit_log', { field_name: 'ops_sign_in', ...about }, 'entity_type', 'new_value')).map(
      (line) => `${String(line['entity_type'])}: ${String(line['new_value'])}`,
    );

  test('has each sign-in, good and bad, with its address; so has the log', async () => {
    const member = await anOpsMember(api, { permissions: ['issue_refunds'] });
    const address = '198.51.100.20';
    lines.length = 0;
    await guess(member.name, stranger(address));
    await guess(member.name, stranger(address), { password: member.password });
    await stranger(address).signIn(member);
    expect(await trailOf({ entity_type: 'staff', entity_id: String(member.staffId) })).toEqual([
      `staff: failed: wrong password (${address})`,
      `staff: failed: wrong code (${address})`,
      `staff: signed in (${address})`,
    ]);
    const ends = lines.flatMap((line) => (line['clientAddress'] === address ? [String(line['end'])] : []));
    expect([...new Set(ends)]).toEqual(['wrong password', 'wrong code', 'right']);
    expect(JSON.stringify(lines)).not.toContain(member.password);
  });

  test('a stranger cannot fill: of one name it has the failures up to the limit, of unknown names a hundred an hour', async () => {
    const member = await anOpsMember(api, { permissions: ['issue_refunds'] });
    await fail(member.name, 24);
    expect(await trailOf({ entity_type: 'staff', entity_id: String(member.staffId) })).toHaveLength(20);
    await guess('unknown-name-1');
    const before = (await trailOf({ entity_type: 'ops_sign_in' })).length;
    expect(before).toBeGreaterThan(0);
    await api.orm.em.fork().execute('update rate_limit set attempts = 100');
    await guess('unknown-name-2');
    expect(await trailOf({ entity_type: 'ops_sign_in' })).toHaveLength(before);
  });
});

describe('the key of a new second factor', () => {
  const keyIn = (text: string) => /<p class="secret">([A-Z2-7 ]+)<\/p>/.exec(text)?.[1]?.replaceAll(' ', '');
  const csrfIn = (text: string) => /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';

  test('is shown once: neither a reload nor a wrong code shows it again', async () => {
    const admin = await anOpsAdmin(api, { isNew: true });
    const browser = stranger();
    const first = await browser.signIn(admin);
    const key = keyIn(first.text)!;
    expect(key).toHaveLength(32);
    const reloads = await Promise.all([browser.get('/ops/enrol'), browser.get('/ops'), browser.get('/ops/enrol')]);
    const wrong = await browser.post('/ops/enrol', { csrf: csrfIn(first.text), code: '000000' });
    for (const { text } of [...reloads, wrong])
      expect([keyIn(text), text]).toEqual([undefined, expect.stringContaining('shown once')]);
    const right = await browser.post('/ops/enrol', { csrf: csrfIn(first.text), code: codeOf(key) });
    expect([right.status, right.text.includes('Sign out')]).toEqual([200, true]);
  });

  test('that another person read with the same password confirms nothing', async () => {
    const admin = await anOpsAdmin(api, { isNew: true });
    const [thief, owner] = [stranger(), stranger()];
    const stolen = await thief.signIn(admin);
    const own = await owner.signIn(admin);
    expect(keyIn(own.text)).not.toBe(keyIn(stolen.text));
    const late = await thief.post('/ops/enrol', { csrf: csrfIn(stolen.text), code: codeOf(keyIn(stolen.text)!) });
    expect(late.text).toContain('action="/ops/sign-in"');
    const right = await owner.post('/ops/enrol', { csrf: csrfIn(own.text), code: codeOf(keyIn(own.text)!) });
    expect(right.text).toContain('Sign out');
  });
});

describe('what the page cannot use', () => {
  const unusable = 'The form has a character that no text can have.';

  test('a zero character in any field is refused with a sentence, signed in or not', async () => {
    const admin = await anOpsAdmin(api);
    for (const field of ['name', 'password', 'code', 'next']) {
      const answer = await guess(admin.name, stranger(), { [field]: 'a\0b' });
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(unusable)]);
    }
    const { attemptId } = await aRefundAttempt(api.orm, { locationId });
    const browser = stranger();
    await browser.signIn(admin);
    const note = await browser.send(`/ops/doubts/${attemptId}`, { answer: 'refunded', note: 'seen\0' });
    expect([note.status, note.text]).toEqual([400, expect.stringContaining(unusable)]);
  });

  test.each([
    ['/ops/story?q=%00', 'The address has a character that no text can have.'],
    ['/ops/today?day=9999-12-31', 'There is no such day.'],
    ['/ops/today?day=2026-02-30', 'There is no such day.'],
    ['/ops/today.csv?day=yesterday', 'There is no such day.'],
    ['/ops/returns/99999999999', 'There is no such page'],
  ])('%s', async (path, sentence) => {
    const browser = stranger();
    await browser.signIn(await anOpsAdmin(api));
    const answer = await browser.get(path);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(sentence)]);
  });

  test('a portal that is no address, set before it was checked, shows no link and takes no page down', async () => {
    const { attemptId } = await aRefundAttempt(api.orm, { locationId });
    const path = 'vendor_pos_advanced/ops/portal_provider_a';
    const set = (value: string | null) => setConfigValue(api.orm.em.fork(), api.providers.secrets, { path, value });
    const browser = stranger();
    await browser.signIn(await anOpsAdmin(api));
    for (const value of ['https://', 'https://[%1', 'https://x:99999/%1', '%1', 'https://%1%2f/']) {
      await set(value);
      const page = await browser.get('/ops');
      expect([page.status, page.text.includes(`/ops/doubts/${attemptId}`)]).toEqual([200, true]);
    }
    await set(null);
  });
});

test('a code of the person opens the page once, also where the code is checked first', async () => {
  const owner = await anOpsAdmin(api);
  await fail(owner.name, 21);
  const code = codeOf(owner.secret!);
  const first = await guess(owner.name, stranger(), { password: owner.password, code });
  const again = await guess(owner.name, stranger(), { password: owner.password, code });
  expect([first.status, again.status]).toEqual([200, 401]);
});
