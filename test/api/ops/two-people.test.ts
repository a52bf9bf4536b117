import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { booksOf } from '../../support/books.ts';
import { aRefundAttempt } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { useApi } from '../../support/fixtures.ts';
import { anOpsAdmin, anOpsBrowser, anOpsMember, type OpsBrowser, type OpsPerson } from '../../support/ops.ts';

/** Above the sum that is set two people decide, open an incident and close it: two, and not one with two sign-ins. */
const api = useApi({ settings: { POS_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') } });
const { find, theAttempt, change, write } = booksOf(() => api.orm);
let locationId: number;

const path = 'vendor_pos_advanced/ops/two_people_above';
const set = (value: string | null) => setConfigValue(api.orm.em.fork(), api.providers.secrets, { path, value });
beforeAll(async () => {
  ({ locationId } = await aShop(api.orm.em.fork()));
  await set('50');
});
afterAll(() => set(null));

const signedIn = async (person: OpsPerson, ahead = 0) => {
  const browser = anOpsBrowser(api);
  expect((await browser.signIn(person, ahead)).status).toBe(200);
  return browser;
};
const reason = 'a lost phone';
const secretIn = (text: string) => /<p class="secret">([^<]+)<\/p>/.exec(text)![1]!.replaceAll(' ', '');

/** An administrator gives a member a new passcode and a new second factor, and so can sign in as that member. */
async function takenOver(giver: OpsBrowser, member: OpsPerson & { staffId: number }): Promise<OpsPerson> {
  const of = `/ops/staff/${member.staffId}`;
  const password = secretIn((await giver.send(`${of}/passcode`, { reason }, '/ops/staff')).text);
  const secret = secretIn((await giver.send(`${of}/factor`, { reason }, '/ops/staff')).text);
  return { name: member.name, password, secret };
}
const member = () => anOpsMember(api, { permissions: ['issue_refunds'] });
const yes = { answer: 'refunded', note: 'in the portal' };
const notCounted = 'This is not counted';

test('who gave a person new credentials does not decide with that person, in either order, for a day', async () => {
  const giver = await signedIn(await anOpsAdmin(api));
  const second = await signedIn(await takenOver(giver, await member()));
  for (const [one, other] of [
    [giver, second],
    [second, giver],
  ] as const) {
    const { attemptId } = await aRefundAttempt(api.orm, { locationId });
    const doubt = `/ops/doubts/${attemptId}`;
    expect((await one.send(doubt, yes)).text).toContain('A second person must say the same.');
    expect((await other.send(doubt, yes)).text).toContain(notCounted);
    expect(await theAttempt(attemptId)).toMatchObject({ state: 'uncertain' });
    // Another person decides with either of them.
    const third = await signedIn(await member());
    expect((await third.send(doubt, yes)).text).toContain('the money went back, and it is booked');
  }
});

test('one who gave two others new credentials is not two people by them', async () => {
  const giver = await signedIn(await anOpsAdmin(api));
  const one = await signedIn(await takenOver(giver, await member()));
  const other = await signedIn(await takenOver(giver, await member()));
  const { attemptId } = await aRefundAttempt(api.orm, { locationId });
  await one.send(`/ops/doubts/${attemptId}`, yes);
  expect((await other.send(`/ops/doubts/${attemptId}`, yes)).text).toContain(notCounted);
});

test('credentials that were given more than a day before the first decision count', async () => {
  const giver = await signedIn(await anOpsAdmin(api));
  const second = await signedIn(await takenOver(giver, await member()));
  await write(`update ops_credential_gift set given_at = given_at - interval '25 hours'`);
  const { attemptId } = await aRefundAttempt(api.orm, { locationId });
  await giver.send(`/ops/doubts/${attemptId}`, yes);
  expect((await second.send(`/ops/doubts/${attemptId}`, yes)).text).toContain('the money went back');
});

test('the first decision of a person who was dismissed since counts for no second one', async () => {
  const first = await member();
  const { attemptId } = await aRefundAttempt(api.orm, { locationId });
  await (await signedIn(first)).send(`/ops/doubts/${attemptId}`, yes);
  await change('pos_staff', { staff_id: first.staffId }, { is_active: false });
  const second = await signedIn(await member());
  expect((await second.send(`/ops/doubts/${attemptId}`, yes)).text).toContain('A second person must say the same.');
  expect(await theAttempt(attemptId)).toMatchObject({ state: 'uncertain' });
});

test('an incident is opened by two and closed by two, and its payout is in the sums of the day', async () => {
  const [one, other] = [await signedIn(await anOpsAdmin(api)), await signedIn(await member())];
  const { attemptId } = await aRefundAttempt(api.orm, { locationId });
  for (const browser of [one, other]) await browser.send(`/ops/doubts/${attemptId}`, yes);
  const wrong = { note: 'another payment', means: 'cash' };
  const open = (browser: OpsBrowser) => browser.send(`/ops/doubts/${attemptId}/wrong`, wrong);
  for (let time = 0; time < 2; time++) expect((await open(one)).text).toContain('A second person must say the same.');
  expect(await find('refund_case', { attempt_id: attemptId })).toEqual([]);
  expect((await open(other)).text).toContain('A case is open.');

  const [row] = await find('refund_case', { attempt_id: attemptId }, 'case_id', 'second_by');
  expect(row!['second_by']).toMatch(/^Grace Hopper \d+, Ada Lovelace \d+$/);
  const close = (browser: OpsBrowser) => browser.send(`/ops/cases/${String(row!['case_id'])}`, { proof: 'receipt 77' });
  for (let time = 0; time < 2; time++) expect((await close(one)).text).toContain('A second person must say the same.');
  const paidOut = () => find('pos_movement', { source: 'incident' }, 'tender', 'amount');
  expect(await paidOut()).toEqual([]);
  expect((await close(other)).text).toContain('The case is closed.');
  expect(await paidOut()).toEqual([{ tender: 'cash', amount: '-54.0000' }]);
  expect((await close(one)).text).toContain('Your press changed nothing.');
  expect(await paidOut()).toHaveLength(1);
});

test('eight confirmations at once of one person are one, and two people who press at once decide once', async () => {
  const [one, other] = [await signedIn(await member()), await signedIn(await member())];
  const { attemptId, orderId } = await aRefundAttempt(api.orm, { locationId });
  await Promise.all(Array.from({ length: 8 }, () => one.send(`/ops/doubts/${attemptId}`, yes)));
  expect(await theAttempt(attemptId)).toMatchObject({ state: 'uncertain' });
  await Promise.all(Array.from({ length: 4 }, () => other.send(`/ops/doubts/${attemptId}`, yes)));
  expect(await find('sales_creditmemo', { order_id: orderId })).toHaveLength(1);
});
