import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { credentials } from '../../../local/demo-shop/credentials.ts';
import { centsTable } from '../../../local/gateway-simulator/cents.ts';
import { troubles } from '../../../local/trouble/make-trouble.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { aStaffMember, aTerminal } from '../../support/builders/counter.ts';
import { aShop } from '../../support/builders/shop.ts';

const page = readFileSync('docs/sandbox.md', 'utf8');

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aShop(api.orm.em.fork());
});
afterAll(() => api.close());

test('the page lists every outcome of the cents, every trouble and every code of the demo shop', () => {
  for (const { cents, outcome } of centsTable)
    expect(page).toMatch(new RegExp(`^\\| \`\\.${cents}\`.*\`${outcome}\``, 'm'));
  for (const trouble of Object.keys(troubles)) expect(page).toContain(`| \`${trouble}\``);
  for (const { activationCode } of credentials.terminals) expect(page).toContain(`\`${activationCode}\``);
  for (const word of [credentials.giftCard.code, 'LANTERN10', 'hangs', 'drops', 'babbles', 'answers'])
    expect(page).toContain(word);
});

/** As the page says they are seen. */
const answers: [number, () => Promise<{ status: number }>][] = [
  [400, () => send('POST', '/V1/orders', { body: { entity: { store_id: 1 } } })],
  [401, () => send('GET', '/V1/orders/1', { token: 'nobody' })],
  [404, () => send('GET', '/V1/orders/999999')],
  [413, () => send('POST', '/V1/orders', { body: { entity: { customer_note: 'x'.repeat(1_100_000) } } })],
  [401, thePasscodeAfterThreeWrongOnes],
];

const send = (method: string, path: string, more: { token?: string; body?: unknown } = {}) =>
  api.call(method, path, { token: api.tokens.register, ...more });

async function thePasscodeAfterThreeWrongOnes() {
  const { terminalId } = await aTerminal(api.orm.em.fork());
  const { email } = await aStaffMember(api.orm.em.fork());
  const signIn = (passcode: string) =>
    send('POST', '/V1/pos/staff/authenticate', { body: { email, passcode, terminalId } });
  for (let guess = 0; guess < 3; guess++) await signIn('wrong');
  return signIn('1234');
}

test.each(answers)('a %i is seen as the page says', async (status, ask) => {
  expect(page).toMatch(new RegExp(`^\\| ${status} `, 'm'));
  expect((await ask()).status).toBe(status);
});
