import { beforeAll, expect, test } from '@jest/globals';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { closeSession } from '../../../db/register-sessions/close-session.ts';
import { booksOf } from '../../support/books.ts';
import { secretBox } from '../../support/builders/counter.ts';
import { aDifference } from '../../support/builders/register-session.ts';
import { aShop } from '../../support/builders/shop.ts';
import { useApi } from '../../support/fixtures.ts';
import { anOpsAdmin, anOpsBrowser, anOpsMember, type OpsBrowser } from '../../support/ops.ts';

/** The page Drawers: what is open, what waits for a second person, what was closed. */
const api = useApi({ settings: { POS_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') } });
const { find } = booksOf(() => api.orm);
let admin: OpsBrowser;
beforeAll(async () => {
  await aShop(api.orm.em.fork());
  await setConfigValue(api.orm.em.fork(), secretBox, { path: 'vendor_pos/closing/approve_above', value: '5' });
  admin = anOpsBrowser(api);
  await admin.signIn(await anOpsAdmin(api));
});

/** Sends the form of the page. */
const press = (browser: OpsBrowser, action: string, reason: string) => browser.send(action, { reason }, '/ops/drawers');

test('a second person approves a difference, once, and the register closes', async () => {
  const { close, approvalId } = await aDifference(api.orm);
  const action = `/ops/drawers/approvals/${approvalId}`;
  expect((await admin.get('/ops/drawers')).text).toContain(action);
  const counted = () => press(admin, action, 'counted it with Ada');
  expect((await counted()).text).toContain('Done.');
  expect((await counted()).text).toContain('Your press changed nothing.');

  expect(await closeSession(api.orm.em, close)).toBeUndefined();
  const page = (await admin.get('/ops/drawers')).text;
  expect(page).not.toContain(action);
  for (const figure of ['US$100.50', 'US$90.50', '-US$10.00']) expect(page).toContain(figure);
  const [closing] = await find('pos_closing', {});
  expect(JSON.parse(String(closing?.['document'])).approved_by).toContain('Grace Hopper');
});

test('the closer does not approve, and an open drawer shows no cash', async () => {
  const member = await anOpsMember(api, { permissions: ['issue_refunds', 'close_register'] });
  const { close, approvalId } = await aDifference(api.orm, member.staffId);
  const browser = anOpsBrowser(api);
  await browser.signIn(member);
  const page = await browser.get('/ops/drawers');
  expect(page.text).toContain('counted');
  const { text } = await press(browser, `/ops/drawers/approvals/${approvalId}`, 'mine');
  expect(text).toContain('must be a second person');
  expect(await closeSession(api.orm.em, close)).toMatchObject({ refused: { status: 409 } });
});
