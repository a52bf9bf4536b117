import { beforeAll, describe, expect, test } from '@jest/globals';
import { opsPages } from '../../../api/ops/serve-ops.ts';
import { opensStaffPages } from '../../../api/ops/visit.ts';
import { booksOf } from '../../support/books.ts';
import { secretKey } from '../../support/builders/counter.ts';
import { aLayaway } from '../../support/builders/layaway.ts';
import { aRefundAttempt, aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { useApi } from '../../support/fixtures.ts';
import { anOpsAdmin, anOpsBrowser, anOpsMember, type OpsBrowser, type OpsPerson } from '../../support/ops.ts';

const api = useApi({ settings: { POS_SECRET_KEY: secretKey } });
const { find, insert, fork } = booksOf(() => api.orm);
const reason = 'a test of rights';
let locationId: number;
beforeAll(async () => {
  ({ locationId } = await aShop(fork()));
});

async function signedIn(person: OpsPerson): Promise<OpsBrowser> {
  const browser = anOpsBrowser(api);
  expect((await browser.signIn(person)).status).toBe(200);
  return browser;
}

/** Everything that a press could change, as it is stored. */
const stored = async () => ({
  attempts: await find('refund_attempt', {}),
  returns: await find('sale_return', {}),
  comments: await find('sale_return_comment', {}),
  proposals: await find('refund_proposal', {}),
  cases: await find('refund_case', {}),
  memos: await find('sales_creditmemo', {}),
});

describe('staff of one store', () => {
  let browser: OpsBrowser;
  let elsewhere: number;
  beforeAll(async () => {
    elsewhere = Number((await insert('pos_location', { name: 'B', code: 'b', website_id: 1 }))['location_id']);
    const permissions = ['issue_refunds', 'approve_rma', 'view_daily_summary', 'view_reports'];
    browser = await signedIn(await anOpsMember(api, { permissions, locationIds: [elsewhere] }));
  });

  test('take no step with a return of another store, by any verb', async () => {
    const { returnId } = await aReturn(api.orm, { locationId, isAutoApproved: false, refundMethod: null });
    const before = await stored();
    for (const verb of [
      'approve',
      'receive',
      'settle',
      'cancel-refund',
      'cancelRefund',
      'close',
      'resolve',
      'reject',
    ]) {
      const fields = { reason, locationId: String(elsewhere), method: 'cash', csrf: '' };
      const answer = await browser.send(`/ops/returns/${returnId}/${verb}`, { ...fields, csrf: await csrf() });
      expect([verb, answer.status]).toEqual([verb, expect.any(Number)]);
      expect(answer.status).toBeGreaterThanOrEqual(400);
    }
    expect((await browser.get(`/ops/returns/${returnId}`)).status).toBe(400);
    expect(await stored()).toEqual(before);
  });

  const csrf = async () => /name="csrf" value="([^"]+)"/.exec((await browser.get('/ops')).text)?.[1] ?? '';

  test('decide, ask again, open and close nothing of another store', async () => {
    const { attemptId, orderId } = await aRefundAttempt(api.orm, { locationId });
    const [order] = await find('sales_order', { entity_id: orderId }, 'increment_id');
    const before = await stored();
    const note = { note: reason, reason, answer: 'refunded', means: 'cash', csrf: await csrf() };
    for (const [path, more] of [
      [`/ops/doubts/${attemptId}`, { answer: 'refunded' }],
      [`/ops/doubts/${attemptId}`, { answer: 'not_refunded' }],
      [`/ops/doubts/${attemptId}`, { answer: 'ask' }],
      [`/ops/doubts/${attemptId}/again`, {}],
      [`/ops/doubts/${attemptId}/wrong`, {}],
      [`/ops/cases/${attemptId}`, {}],
    ] as const) {
      const { status, text } = await browser.post(path, { ...note, ...more });
      expect([path, status >= 400 || text.includes('is not there')]).toEqual([path, true]);
      expect(text).not.toContain(String(order!['increment_id']));
    }
    expect(await stored()).toEqual(before);
    for (const page of ['/ops', `/ops?attempt=${attemptId}`, `/ops?told=before&about=${attemptId}`])
      expect((await browser.get(page)).text).not.toContain(String(order!['increment_id']));
  });

  test('find no story, sum, layaway or credit of another store, by any name', async () => {
    const { orderId } = await aLayaway(fork(), { expiresAt: new Date(Date.now() - 3 * 86_400_000) });
    const { returnId, attemptId } = await aRefundAttempt(api.orm, { locationId });
    const [order] = await find('sales_order', { entity_id: orderId }, 'increment_id');
    for (const query of [
      `order-${orderId}`,
      String(order!['increment_id']),
      `return-${returnId}`,
      `refund-${attemptId}`,
    ]) {
      const { text } = await browser.get(`/ops/story?q=${query}`);
      expect([query, text.includes('href="/ops/returns/'), /\d+\.\d\d/.test(text)]).toEqual([query, false, false]);
    }
    expect((await browser.get('/ops/layaways')).text).not.toContain(String(order!['increment_id']));
    expect((await browser.get('/ops/today.csv')).text).not.toMatch(/Main|High/);
  });

  test('open no page of administrators', async () => {
    const closed = opsPages.filter(({ right }) => right.staff.length === 0);
    expect(closed.length).toBeGreaterThan(8);
    for (const { method, path } of closed) {
      const at = `/ops${path.replaceAll(/:\w+/g, '1')}`;
      const { status } =
        method === 'GET' ? await browser.get(at) : await browser.post(at, { reason, csrf: await csrf() });
      expect([method, at, status]).toEqual([method, at, 403]);
    }
  });
});

describe('an administrator who manages staff', () => {
  const manager = { permissions: ['issue_refunds', 'approve_rma'] } as const;

  test('and may only read it gives nobody a passcode or a second factor, and unlocks nobody', async () => {
    const { staffId } = await anOpsMember(api, manager);
    const browser = await signedIn(await anOpsAdmin(api, { resources: ['Vendor_Pos::staff_manage'] }));
    const list = await browser.get('/ops/staff');
    expect(list.status).toBe(200);
    expect(list.text).not.toContain(`action="/ops/staff/${staffId}`);
    const before = [await find('pos_staff', { staff_id: staffId }), await find('ops_second_factor', {})];
    for (const verb of ['passcode', 'factor', 'unlock'])
      expect((await browser.send(`/ops/staff/${staffId}/${verb}`, { reason }, '/ops/staff')).status).toBe(403);
    expect([await find('pos_staff', { staff_id: staffId }), await find('ops_second_factor', {})]).toEqual(before);
  });

  test('without the rights of the pages gives no second factor that opens them', async () => {
    const { staffId } = await anOpsMember(api, manager);
    const resources = ['Vendor_Pos::staff_manage', 'Vendor_Pos::staff_manage_edit'];
    const browser = await signedIn(await anOpsAdmin(api, { resources }));
    const list = (await browser.get('/ops/staff')).text;
    expect(list).toContain(`/ops/staff/${staffId}/passcode`);
    expect(list).not.toContain(`/ops/staff/${staffId}/factor`);
    const before = await find('ops_second_factor', {});
    expect((await browser.send(`/ops/staff/${staffId}/factor`, { reason }, '/ops/staff')).status).toBe(400);
    expect(await find('ops_second_factor', {})).toEqual(before);
    for (const page of ['/ops', '/ops/returns', '/ops/story', '/ops/today', '/ops/mails', '/ops/tills', '/ops/books'])
      expect((await browser.get(page)).text).not.toContain('<h1>Doubts</h1>');
  });

  test('who may open these pages gives one, and the audit trail names the giver', async () => {
    const { staffId } = await anOpsMember(api, manager);
    const resources = ['Vendor_Pos::staff_manage', 'Vendor_Pos::staff_manage_edit', opensStaffPages];
    const admin = await anOpsAdmin(api, { resources });
    const browser = await signedIn(admin);
    expect((await browser.send(`/ops/staff/${staffId}/factor`, { reason }, '/ops/staff')).text).toContain(
      'class="secret"',
    );
    const [line] = await find(
      'pos_audit_log',
      { entity_id: String(staffId), field_name: 'asked_factor' },
      'staff_name',
    );
    expect(line?.['staff_name']).toContain('Grace Hopper');
  });

  test('every page that a member of the staff can open needs the resource by which a second factor is given', () => {
    const ofStaff = opsPages.filter(({ right }) => right.staff.length > 0);
    expect(ofStaff.length).toBeGreaterThan(8);
    expect([...new Set(ofStaff.map(({ right }) => right.acl))]).toEqual([opensStaffPages]);
  });
});
