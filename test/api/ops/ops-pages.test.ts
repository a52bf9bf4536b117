import { beforeAll, describe, expect, test } from '@jest/globals';
import { germanRules } from '../../../api/ops/german-rules.ts';
import { gatewayInvariants } from '../../../books/verify/invariants/processes.ts';
import { invariants } from '../../../books/verify/verify.ts';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { bookSettlement } from '../../../db/returns/settle-return.ts';
import { initialiseReturn } from '../../../db/returns/create-return.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import { verifyBooks } from '../../../cli/verify-books.ts';
import { opsPages } from '../../../api/ops/serve-ops.ts';
import { startOfDay } from '../../../domain/local-day.ts';
import { languages, wordsOf } from '../../../api/ops/words.ts';
import { mailReasons } from '../../../domain/mails/letters.ts';
import { commandContextOf } from '../../cli/support.ts';
import { booksOf } from '../../support/books.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aBareReceipt } from '../../support/builders/bare-receipt.ts';
import { aTerminal } from '../../support/builders/counter.ts';
import { aCustomerWithCredit } from '../../support/builders/credit.ts';
import { aGiftCard } from '../../support/builders/gift-card.ts';
import { aLayaway } from '../../support/builders/layaway.ts';
import { aRefundAttempt, aRequestedReturn, aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { useApi } from '../../support/fixtures.ts';
import { reserveLoginAttempt } from '../../../db/staff/login-attempts.ts';
import { emailKey } from '../../../domain/staff.ts';
import { anOpsAdmin, anOpsBrowser, anOpsMember, codeOf, type OpsBrowser, type OpsPerson } from '../../support/ops.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** Every page of the operator beside Doubts: what it shows, what its buttons do, and who sees it. */
const api = useApi({ settings: { POS_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') } });
let admin: OpsBrowser;
let locationId: number;
beforeAll(async () => {
  ({ locationId } = await aShop(api.orm.em.fork()));
  admin = await signedIn(await anOpsAdmin(api));
});

const { find, change, howMany, insert, remove } = booksOf(() => api.orm);

async function signedIn(person: OpsPerson, headers: Record<string, string> = {}) {
  const browser = anOpsBrowser(api, headers);
  await browser.signIn(person);
  return browser;
}
const reason = 'asked by phone';
const auditOf = (kind: string, id: number) =>
  find('pos_audit_log', { entity_type: kind, entity_id: String(id) }, 'field_name', 'new_value', 'staff_name');

describe('who sees what', () => {
  const roles = [
    ['an administrator of everything', undefined, () => true],
    ['an administrator of nothing', [], () => false],
    ...[...new Set(opsPages.map(({ right }) => right.acl))].map(
      (own) => [`an administrator of ${own}`, [own], (acl: string) => acl === own] as const,
    ),
  ] as const;

  test.each(roles)(
    '%s opens the pages of the own resources, and no other page or action',
    async (_name, resources, may) => {
      const browser = await signedIn(await anOpsAdmin(api, resources === undefined ? {} : { resources }));
      for (const page of opsPages)
        expect([page.method, page.path, await isOpen(browser, page)]).toEqual([
          page.method,
          page.path,
          may(page.right.acl),
        ]);
    },
  );

  test.each([['issue_refunds'], ['approve_rma'], ['issue_refunds', 'view_reports']])(
    'staff with %s %s open what the permission names, and no other page or action',
    async (...permissions) => {
      const browser = await signedIn(await anOpsMember(api, { permissions }));
      for (const page of opsPages) {
        const may = page.right.staff.some((key) => permissions.includes(key));
        expect([page.method, page.path, await isOpen(browser, page)]).toEqual([page.method, page.path, may]);
      }
    },
  );

  async function isOpen(browser: OpsBrowser, { method, path }: (typeof opsPages)[number]): Promise<boolean> {
    const address = `/ops${path === '/' ? '' : path}`.replaceAll(/:\w+/g, '2147483647');
    // The first page leads who may not see it to the first one of the own.
    const answer = method === 'GET' ? await browser.get(address) : await browser.send(address, {}, '/ops');
    return path === '/' ? answer.text.includes('aria-current="page">Doubts') : answer.status !== 403;
  }
});

describe('a return', () => {
  test('goes from wish to money by its next steps, each with a reason in the trail', async () => {
    const { returnId, orderId } = await aRequestedReturn(api.orm);
    const told: Record<string, string> = {};
    const step = async (verb: string, more: Record<string, string> = {}) => {
      const path = `/ops/returns/${returnId}/${verb}`;
      const press = () => admin.send(path, { reason, ...more }, `/ops/returns/${returnId}`);
      let answer = await press();
      // On a busy machine a worker may need longer than a person's patience, who then presses again.
      for (let again = 0; answer.status === 503 && again < 5; again++) answer = await press();
      told[verb] = answer.text;
      expect([verb, answer.status, /Done\./.test(answer.text)]).toEqual([verb, 200, true]);
      return (await find('sale_return', { return_id: returnId }, 'status'))[0]?.['status'];
    };
    expect((await admin.get('/ops/returns')).text).toContain(`/ops/returns/${returnId}"`);
    expect(await step('approve')).toBe('approved');
    expect(await step('receive', { locationId: String(locationId) })).toBe('items_received');
    expect((await admin.get(`/ops/returns/${returnId}`)).text).toMatch(/Will go back<\/dt>\s*<dd>US\$54\.00/);
    expect(await step('settle', { method: 'cash' })).toMatch(/closed/);
    const [memo] = await find('sales_creditmemo', { order_id: orderId }, 'increment_id');
    expect(told['settle']).toContain(`Given back: US$54.00, credit memo ${String(memo!['increment_id'])}.`);
    expect(told['receive']).toContain('Came in: 1 × Mug');
    // The story says what a person asked for and why, in words.
    expect(told['settle']).toContain(`Asked for “Give the money back”, because &quot;${reason}&quot;.`);
    expect(told['settle']).not.toMatch(/asked settle|awaiting_refund|items_received|changed from &quot;&quot;/);
    expect(await find('sales_creditmemo', { order_id: orderId })).toHaveLength(1);
    const trail = (await auditOf('return', returnId)).filter((line) => String(line['field_name']).startsWith('asked_'));
    const said = trail.map((line) => `${String(line['field_name'])}: ${String(line['new_value'])}`);
    expect([...new Set(said)]).toEqual([
      ...[`asked_approve: ${reason}`, `asked_receive: ${reason}`, `asked_settle: ${reason}`],
    ]);
    expect((await admin.get('/ops/returns')).text).not.toContain(`/ops/returns/${returnId}"`);
  });

  test('is refused, or closed without a refund', async () => {
    const [one, other] = [await aRequestedReturn(api.orm), await aRequestedReturn(api.orm)];
    for (const [{ returnId }, verb, status] of [
      [one, 'reject', 'rejected'],
      [other, 'close', 'closed'],
    ] as const) {
      await admin.send(`/ops/returns/${returnId}/${verb}`, { reason }, `/ops/returns/${returnId}`);
      expect(await find('sale_return', { return_id: returnId }, 'status')).toEqual([{ status }]);
    }
  });

  test('is not touched without a reason, nor by who may not take that step', async () => {
    const { returnId } = await aRequestedReturn(api.orm);
    const from = `/ops/returns/${returnId}`;
    expect((await admin.send(`${from}/approve`, { reason: ' ' }, from)).status).toBe(400);
    const refunder = await signedIn(await anOpsMember(api, { permissions: ['issue_refunds'] }));
    expect((await refunder.send(`${from}/approve`, { reason }, '/ops/returns')).status).toBe(400);
    expect(await find('sale_return', { return_id: returnId }, 'status')).toEqual([{ status: 'pending' }]);
  });

  test('of another shop is neither shown nor touched', async () => {
    const { returnId } = await aReturn(api.orm, { locationId, isAutoApproved: false, refundMethod: null });
    const other = await signedIn(await anOpsMember(api, { permissions: ['approve_rma'], locationIds: [] }));
    expect((await other.get('/ops/returns')).text).not.toContain(`/ops/returns/${returnId}`);
    expect((await other.get(`/ops/returns/${returnId}`)).status).toBe(400);
    expect((await other.send(`/ops/returns/${returnId}/approve`, { reason }, '/ops/returns')).status).toBe(400);
  });

  test('in doubt has no next step but the answer', async () => {
    const { returnId } = await aRefundAttempt(api.orm, { locationId });
    const { text } = await admin.get(`/ops/returns/${returnId}`);
    expect(text).toContain('Its refund is in doubt');
    expect(text).not.toContain(`/ops/returns/${returnId}/close`);
  });
});

describe('where events are sent to', () => {
  test('says what waits and why it may come late', async () => {
    const endpoint = { url: 'https://erp.example/hooks', sealed_secret: 'x' };
    const { endpoint_id } = await insert('webhook_endpoint', endpoint);
    expect((await admin.get('/ops/endpoints')).text).not.toContain('no worker runs');
    const occurred_at = new Date(Date.now() - 600_000);
    const event = { type: 'stock.moved', object_kind: 'stock', object_id: 'MUG', occurred_at };
    const { event_id } = await insert('pos_event', event);
    expect((await admin.get('/ops/endpoints')).text).toContain('no worker runs. Since: 10 min');
    await change('pos_event', { event_id }, { sequence: 1_000_000 });
    await insert('webhook_delivery', {
      ...{ endpoint_id, event_id, sequence: 1, object_key: 'stock MUG', due_at: occurred_at },
    });
    expect((await admin.get('/ops/endpoints')).text).toContain('look whether a worker runs. Since: 10 min');
    await remove('webhook_endpoint', {});
  });
});

describe('a story', () => {
  test('is found by any number in hand, and drawn', async () => {
    const sold = await aReturn(api.orm, {
      ...{
        locationId,
        order: { customerEmail: 'Story@Shop.test', posSaleId: 'sale-in-hand', lastTransId: 'pay_in_hand' },
      },
    });
    const number = 'WEB-0815';
    await change('sales_order', { entity_id: sold.orderId }, { increment_id: number });
    await change('sales_order_payment', { order_id: sold.orderId }, { cc_last4: '4242' });
    for (const given of [number, 'sale-in-hand', 'PAY_IN_HAND', '4242', 'story@shop.test', `order-${sold.orderId}`]) {
      const { status, text } = await admin.get(`/ops/story?q=${encodeURIComponent(given)}`);
      expect([given, status, text.includes(`<h1>Order ${number}:`)]).toEqual([given, 200, true]);
      expect(text).toMatch(/<svg role="img" aria-label="provider_a: US\$108.00 in"/);
    }
    const { text } = await admin.get(`/ops/story?q=return-${sold.returnId}`);
    expect(text).toContain('<ol class="timeline" lang="en">');
    expect((await admin.get('/ops/story?q=nothing-like-it')).status).toBe(404);
  });

  test('of a card is found by the digits that only the receipt names, one part of several too', async () => {
    const { orderId } = await aReturn(api.orm, { locationId });
    const [order] = await find('sales_order', { entity_id: orderId }, 'increment_id');
    const split_payments = JSON.stringify([
      { method: 'cash', amount: '1.00' },
      { method: 'card', amount: '107.00', card_last4: '8431' },
    ]);
    await aBareReceipt(api.orm, {
      order_increment_id: order!['increment_id'],
      location_id: locationId,
      split_payments,
    });
    for (const digits of ['8431', '…8431', '****8431'])
      expect((await admin.get(`/ops/story?q=${encodeURIComponent(digits)}`)).text).toContain(
        `<h1>Order ${String(order!['increment_id'])}:`,
      );
    // An amount is no card.
    expect((await admin.get('/ops/story?q=7.00')).status).toBe(404);
  });

  test('of a gift card is found by its last four, and never shows its code', async () => {
    const code = await aGiftCard(api.orm.em.fork(), { code: 'STORY-CARD-9Q7Z' });
    await aGiftCard(api.orm.em.fork(), { code: 'STORY-GIFT-50' });
    expect((await admin.get(`/ops/story?q=${encodeURIComponent('…T-50')}`)).text).toContain('Gift card …T-50');
    const { text } = await admin.get('/ops/story?q=9q7z');
    expect(text).toContain('Gift card …9Q7Z');
    expect(text).toContain('US$50.00');
    expect(text).not.toContain(code);
  });

  test('of another shop is not found by its staff', async () => {
    const { orderId } = await aReturn(api.orm, { locationId });
    const other = await signedIn(await anOpsMember(api, { permissions: ['approve_rma'], locationIds: [] }));
    expect((await other.get(`/ops/story?q=order-${orderId}`)).status).toBe(404);
  });
});

describe('the day', () => {
  test('is summed by shop and way of paying, drawn without styles, and given as CSV', async () => {
    const now = new Date();
    const sale = { location_id: locationId, currency: 'USD', created_at: now, payment_method: '=cash' };
    await aBareReceipt(api.orm, { ...sale, grand_total: '10.10' });
    await aBareReceipt(api.orm, { ...sale, grand_total: '20.20' });
    await aBareReceipt(api.orm, { ...sale, grand_total: '7.00', payment_method: 'card' });
    // What a register printed of a return is not counted twice: the memo says it.
    await aBareReceipt(api.orm, { ...sale, grand_total: '-5.05', sale_type: 'refund' });
    const { attemptId } = await aRefundAttempt(api.orm, { locationId });
    await admin.send(`/ops/doubts/${attemptId}`, { answer: 'refunded', note: 'seen' });
    const { text } = await admin.get('/ops/today');
    for (const word of ['US$30.30', '>card<', 'High Street', '<figure class="plot">']) expect(text).toContain(word);
    expect(text).not.toMatch(/<style|style="/);
    const csv = await admin.get('/ops/today.csv');
    expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="day-\d{4}-\d\d-\d\d\.csv"$/);
    const lines = csv.text.trim().split('\r\n');
    expect(lines[1]).toMatch(/^\d{4}-\d\d-\d\d,High Street,"'=cash",USD,2,30.30,0,0.00,0,0.00,30.30$/);
    // Sold by card and taken back by the card's processor: one way of paying, one row.
    expect(csv.text).toMatch(/High Street,card,USD,2,114\.00,1,54\.00,0,0\.00,60\.00/);
    // A negative figure is a number, and a name that a spreadsheet would calculate is a text.
    expect(lines).toContainEqual(
      expect.stringMatching(/^[\d-]{10},Total,,USD,\d+,[\d.]+,\d+,[\d.]+,\d+,[\d.]+,-?[\d.]+$/),
    );
    expect(csv.text).toMatch(/High Street,cash,USD,1,1\.00,1,54\.00,0,0\.00,-53\.00\r\n/);
    expect(text).toContain('<h1>Today: ');
    expect(text).not.toContain('The next day');
    // Another day is called by its date, has nothing that waits now, and leads on.
    const past = (await admin.get('/ops/today?day=2026-03-05')).text;
    expect(past).toContain('<h1>5 Mar 2026</h1>');
    expect(past).toContain('name="day" value="2026-03-06"');
    expect(past).not.toMatch(/Returns that wait|What waits/);
  });

  test('has a chart for every currency', async () => {
    const day = { location_id: locationId, created_at: new Date('2026-04-07T12:00:00Z'), payment_method: 'cash' };
    await aBareReceipt(api.orm, { ...day, grand_total: '10', currency: 'usd' });
    await aBareReceipt(api.orm, { ...day, grand_total: '20', currency: 'EUR' });
    const { text } = await admin.get('/ops/today?day=2026-04-07');
    for (const currency of ['USD', 'EUR'])
      for (const caption of ['Payments of the day, by hour', 'Payments of the last seven days'])
        expect(text).toContain(`${caption} (${currency})`);
  });

  test('is cut at the midnight of the shop, on the page and in its CSV, also a day ahead of London', async () => {
    const sale = { location_id: locationId, currency: 'USD', payment_method: 'cash' };
    const [site] = await find('website', { is_default: true }, 'website_id', 'time_zone');
    await change('website', { website_id: site!['website_id'] }, { time_zone: 'Pacific/Auckland' });
    // In Auckland it is the sixth of March from eleven in the morning in London on.
    await aBareReceipt(api.orm, { ...sale, grand_total: '1.01', created_at: new Date('2026-03-05T10:59:00Z') });
    await aBareReceipt(api.orm, { ...sale, grand_total: '2.02', created_at: new Date('2026-03-05T11:01:00Z') });
    try {
      const { text } = await admin.get('/ops/today?day=2026-03-06');
      expect(text).toContain('<h1>6 Mar 2026</h1>');
      expect(text).toContain('US$2.02');
      // The sale before midnight is of the fifth.
      expect(text).not.toContain('US$3.03');
      expect(text).not.toContain('>US$1.01<');
      expect((await admin.get('/ops/today.csv?day=2026-03-06')).text).toContain(
        '2026-03-06,High Street,cash,USD,1,2.02,',
      );
    } finally {
      await change('website', { website_id: site!['website_id'] }, { time_zone: site!['time_zone'] });
    }
  });

  test.each([
    ['2026-03-29T10:00:00Z', '2026-03-28T23:00:00.000Z'],
    ['2026-03-30T10:00:00Z', '2026-03-29T22:00:00.000Z'],
    ['2026-10-25T20:00:00Z', '2026-10-24T22:00:00.000Z'],
    ['2026-10-26T20:00:00Z', '2026-10-25T23:00:00.000Z'],
  ])('of %s begins at midnight in Berlin, also when the clocks change', (at, from) => {
    expect(startOfDay(new Date(at), 'Europe/Berlin').toISOString()).toBe(from);
  });
});

describe('credit', () => {
  test('that came back with a return is told of the shop of the return, and what the office gave, of no shop', async () => {
    const customerId = await aCustomerWithCredit(api.orm, '40');
    const credits = [{ credit_type: 'store_credit', amount: 40 }];
    const order = { customerId, credits, method: 'cash' };
    const { returnId } = await aReturn(api.orm, { locationId, refundMethod: 'cash', order });
    await initialiseReturn(api.orm.em, { returnId, canRefundThrough: () => true });
    await bookSettlement(api.orm.em, { returnId, method: 'cash', options: plainSettlement, requestId: 'r' });

    const { text } = await admin.get('/ops/today');
    const given = /Credit given, by shop<\/caption>[^]*?<\/table>/.exec(text)![0];
    const lines = given
      .match(/<tr>.*<\/tr>/g)!
      .map((row) => [...row.matchAll(/<td[^>]*>([^<]*)/g)].map(([, cell]) => cell));
    expect(lines).toContainEqual(['High Street', 'store credit', '1', 'US$20.00']);
    expect(lines).toContainEqual(['no shop', 'store credit', '1', 'US$40.00']);
    const csv = (await admin.get('/ops/today.csv')).text.split('\r\n').map((line) => line.replace(/^[^,]*,/, ''));
    expect(csv[0]).toMatch(/,"?Credit given, times"?,Credit given,Net payments$/);
    expect(csv).toContain('High Street,store credit,USD,0,0.00,0,0.00,1,20.00,0.00');
    expect(csv).toContain(',store credit,USD,0,0.00,0,0.00,1,40.00,0.00');
  });
});

describe('lists', () => {
  test('a register shows what it runs, and is behind from a change that it sees until it fetches again', async () => {
    const { terminalId, deviceIdentifier } = await aTerminal(api.orm.em.fork(), {
      name: 'Till of versions',
      locationId,
    });
    const token = api.tokens.register;
    const fetchConfig = () =>
      api.call('GET', `/V1/pos/terminals/${terminalId}/config`, { token, headers: { 'user-agent': 'Register/7.1' } });
    const cells = async () => {
      const { text } = await admin.get('/ops/tills');
      const row = text.split('<tr>').find((one) => one.includes('Till of versions')) ?? '';
      return [...row.matchAll(/<td data-head="(?:Version|Configuration)">([^<]*)/g)].map(([, cell]) => cell);
    };
    const soon = (wanted: string) =>
      waitUntil(`the page shows ${wanted}`, async () => (await cells()).join(', ') === wanted);

    expect(await cells()).toEqual(['not told yet', 'never fetched']);
    await fetchConfig();
    await soon('Register/7.1, up to date');
    const path = `/V1/pos/terminals/${terminalId}/heartbeat`;
    const { body: beat } = await api.call('POST', path, { token, body: { deviceIdentifier } });
    expect(await find('pos_terminal_software', { terminal_id: terminalId }, 'config_hash')).toEqual([
      { config_hash: beat.config_hash },
    ]);

    await setConfigValue(api.orm.em.fork(), api.providers.secrets, {
      path: 'vendor_pos_advanced/telemetry/upload_hour',
      value: '3',
    });
    expect((await cells())[1]).toMatch(/^behind: fetched .+ ago$/);
    const payload = { terminal_id: terminalId, app_version: '7.2.0', events: [{ event_type: 'c', event_name: 'n' }] };
    await api.call('POST', '/V1/pos/telemetry', { token, body: { payload } });
    await fetchConfig();
    await soon('7.2.0, up to date');
    expect((await admin.get('/ops/tills')).text).toContain('What registers reported, by day');
  });

  test('in German the rules of the books are German, every one', async () => {
    const german = await signedIn(await anOpsAdmin(api), { 'accept-language': 'de' });
    const { text } = await german.get('/ops/books');
    expect(text).toContain('Keine Geschenkkarte ist unter null.');
    for (const { id, sentence } of [...invariants, ...gatewayInvariants])
      expect([undefined, sentence]).not.toContain(germanRules[id]);
    for (const { sentence } of invariants) expect(text).not.toContain(sentence);
  });

  test('a check by the tool and one by the button say why their rules are not the same number', async () => {
    const findings = JSON.stringify([]);
    const beside = gatewayInvariants.length;
    await insert('books_check', { checked_by: 'Olga (pos)', rules: invariants.length + beside, findings });
    const { text } = await admin.get('/ops/books');
    expect(text).toContain(`all ${invariants.length + beside} rules hold. ${beside} of them compare with the gateway`);
    await remove('books_check', {});
  });

  test('a register gets a new code to activate, with a reason', async () => {
    const row = await insert('pos_terminal', { name: 'Till 7', location_id: locationId });
    const terminalId = Number(row['terminal_id']);
    await admin.send(`/ops/tills/${terminalId}/code`, { reason }, '/ops/tills');
    const [till] = await find('pos_terminal', { terminal_id: terminalId }, 'activation_code');
    expect((await admin.get('/ops/tills')).text).toContain(String(till!['activation_code']));
    expect((await auditOf('terminal', terminalId)).map((line) => line['new_value'])).toContain(reason);
  });

  test('a member of the staff is unlocked, gets a new passcode, and a second factor that opens the page', async () => {
    const member = await anOpsMember(api, { permissions: ['issue_refunds'], hasFactor: false });
    const path = `/ops/staff/${member.staffId}`;
    const shown = /<p class="secret">([^<]+)<\/p>/;
    const list = (await admin.get('/ops/staff')).text;
    const form = new RegExp(`action="${path}/passcode"[^]*?</form>`).exec(list)![0];
    const [, mark = ''] = /name="mark" value="([^"]+)"/.exec(form) ?? [];
    const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(form) ?? [];
    const press = async () => (await admin.post(`${path}/passcode`, { reason, mark, csrf })).text;
    const passcode = shown.exec(await press())![1]!;
    // A reload of what is shown once shows nothing, and makes no other passcode.
    const reloaded = await press();
    expect(reloaded).toContain('It was made and shown once already');
    expect(shown.exec(reloaded)).toBeNull();
    expect(passcode).toMatch(/^\d{6}$/);
    const secret = shown
      .exec((await admin.send(`${path}/factor`, { reason }, '/ops/staff')).text)![1]!
      .replaceAll(' ', '');
    const browser = anOpsBrowser(api);
    const entered = { name: member.name, password: passcode, code: codeOf(secret), next: '/ops' };
    expect((await browser.post('/ops/sign-in', entered)).text).toContain('<h1>Doubts</h1>');
    const unlock = () => admin.send(`${path}/unlock`, { reason }, '/ops/staff');
    // Nothing is counted: a press changes nothing, and says who unlocked the person before.
    expect((await unlock()).text).toContain('Your press changed nothing.');
    for (let time = 0; time < 3; time++) await reserveLoginAttempt(api.orm.em.fork(), emailKey(member.name));
    expect((await unlock()).text).toContain('Done.');
    expect((await unlock()).text).toMatch(/Grace Hopper \d+, .*: Unlock\. Your press changed nothing\./);
    expect((await auditOf('staff', member.staffId)).map((line) => line['field_name'])).toEqual(
      expect.arrayContaining(['asked_passcode', 'asked_factor', 'second_factor', 'asked_unlock', 'lockout']),
    );
  });

  test('a mail that was given up goes again, once; one whose words are gone does not', async () => {
    const { attemptId, orderId } = await aRefundAttempt(api.orm, { locationId });
    await insert('mail_outbox', {
      ...{ mail_key: 'ops-mail', kind: 'document', document_name: 'order', document_id: orderId, state: 'dropped' },
      ...{ tries: 6, reason: 'EENVELOPE' },
    });
    await insert('mail_outbox', {
      mail_key: 'ops-other',
      kind: 'uncertain_refund',
      attempt_id: attemptId,
      state: 'dropped',
    });
    const idOf = async (key: string) => Number((await find('mail_outbox', { mail_key: key }))[0]!['mail_id']);
    expect((await admin.get('/ops/mails')).text).toContain(`${wordsOf('en').mailReasons.EENVELOPE} (EENVELOPE)`);
    await admin.send(`/ops/mails/${await idOf('ops-mail')}/again`, { reason }, '/ops/mails');
    expect(await find('mail_outbox', { mail_key: 'ops-mail' }, 'state', 'tries')).toEqual([
      { state: 'waiting', tries: 0 },
    ]);
    const refused = await admin.send(`/ops/mails/${await idOf('ops-other')}/again`, { reason }, '/ops/mails');
    expect(refused.status).toBe(400);
  });

  test('a mail that did not go says to whom and about what, and an alarm about an answered doubt is none', async () => {
    await remove('mail_outbox', {});
    const { attemptId, orderId, returnId } = await aRefundAttempt(api.orm, { locationId });
    await change('sales_order', { entity_id: orderId }, { customer_email: 'grace.hopper@shop.test' });
    const dropped = { state: 'dropped', tries: 6, reason: 'ESOCKET' };
    await insert('mail_outbox', {
      mail_key: 'd',
      kind: 'document',
      document_name: 'order',
      document_id: orderId,
      ...dropped,
    });
    await insert('mail_outbox', { mail_key: 'u', kind: 'uncertain_refund', attempt_id: attemptId, ...dropped });
    const [{ increment_id: number } = {}] = await find('sales_order', { entity_id: orderId }, 'increment_id');
    const { text } = await admin.get('/ops/mails');
    expect(text).toContain(`<a href="/ops/story?q&#x3D;order-${orderId}">Order ${String(number)}</a>`);
    expect(text).toContain('>g…@shop.test<');
    expect(text).not.toContain('grace.hopper');
    const alarm = text.split('<tr>').find((row) => row.includes('refund in doubt')) ?? '';
    for (const words of [`/ops/returns/${returnId}`, 'the first administrator']) expect(alarm).toContain(words);
    await admin.send(`/ops/doubts/${attemptId}`, { answer: 'not_refunded', note: 'not there' });
    expect((await admin.get('/ops/mails')).text).not.toContain('refund in doubt');
  });

  test('each reason why a mail did not go is told in words, in English and in German, beside its code', async () => {
    await remove('mail_outbox', {});
    const { orderId } = await aRefundAttempt(api.orm, { locationId });
    const failures = mailReasons.filter(
      (why): why is Exclude<typeof why, 'answered_meanwhile'> => why !== 'answered_meanwhile',
    );
    for (const [at, why] of mailReasons.entries())
      await insert('mail_outbox', {
        ...{ mail_key: `reason-${at}`, kind: 'document', document_name: 'order', document_id: orderId },
        ...{ state: 'dropped', tries: 6, reason: why },
      });
    const said = new Set<string>();
    for (const language of languages) {
      const browser = await signedIn(await anOpsAdmin(api), { 'accept-language': language });
      const { text } = await browser.get('/ops/mails');
      expect(text).not.toContain('answered_meanwhile');
      for (const why of failures) {
        const words = wordsOf(language).mailReasons[why];
        expect(text).toContain(`>${words} (${why})</td>`);
        said.add(words);
      }
    }
    expect(said.size).toBe(failures.length * languages.length);
  });

  test('a receipt whose total is not that of its order is listed with both', async () => {
    expect((await admin.get('/ops/receipts')).text).toContain('None: receipts and orders agree to the coin.');
    const { orderId } = await anOrder(api.orm.em.fork());
    await change('sales_order', { entity_id: orderId }, { pos_sale_id: 'sale-of-another-sum' });
    await aBareReceipt(api.orm, { pos_order_id: 'sale-of-another-sum', grand_total: 7.5, currency: 'USD' });
    const { text } = await admin.get('/ops/receipts');
    expect(text).toMatch(
      new RegExp(`sale-of-another-sum[^]*7\\.5000 USD[^]*/ops/story\\?q&#x3D;order-${orderId}[^]*the totals differ`),
    );
  });

  test('a receipt without an order, and a layaway whose time is over, are listed', async () => {
    await aBareReceipt(api.orm, { pos_order_id: 'never-placed', staff_name: 'Olga' });
    expect((await admin.get('/ops/receipts')).text).toMatch(/never-placed[^]*Olga[^]*Let that register send its queue/);
    const { orderId } = await aLayaway(api.orm.em.fork(), { expiresAt: new Date(Date.now() - 3 * 86_400_000) });
    const { text } = await admin.get('/ops/layaways');
    expect(text).toContain(`/ops/story?q&#x3D;order-${orderId}`);
    expect(text).toMatch(/[23] days/);

    // Whose it is, and where it was laid away, as its receipt tells; a register need not spell the shop's name.
    const [order] = await find('sales_order', { entity_id: orderId }, 'increment_id', 'customer_email');
    const blank = { customer_firstname: null, customer_lastname: null };
    await change('sales_order', { entity_id: orderId }, blank);
    expect((await admin.get('/ops/layaways')).text).toContain(String(order!['customer_email']));
    const [place] = await find('pos_location', { location_id: locationId }, 'name');
    await aBareReceipt(api.orm, {
      ...{ order_increment_id: order!['increment_id'], location_id: locationId, customer_name: 'Walter White' },
    });
    const rows = (await admin.get('/ops/layaways')).text.split('<tr>');
    expect(rows.find((row) => row.includes(`order-${orderId}`))).toMatch(
      new RegExp(`>Walter White</td>.*>${String(place!['name'])}</td>`),
    );
  });

  test('the books are verified now, each rule in words; and every part of the service is looked at', async () => {
    const rules = await admin.get('/ops/books');
    expect(rules.text).toContain('The rules of the books');
    expect((await admin.send('/ops/books', { reason }, '/ops/books')).status).toBe(200);
    await waitUntil('the check has left its line', async () => (await howMany('books_check', {})) === 1);
    expect((await admin.get('/ops/books')).text).toMatch(/The books are (?:right|wrong)/);
    const [kept] = await find('books_check', {}, 'checked_by', 'rules');
    expect(kept).toMatchObject({ checked_by: expect.stringContaining('Grace') });
    const nightly = await verifyBooks(commandContextOf(api.orm), { keep: true, lookAgainAfterMs: 1 });
    expect(nightly.json).toMatchObject({ open_cases: [] });
    expect((await admin.get('/ops/books')).text).toMatch(/\(pos\)[^]*Grace/);
    // A broken rule shows its first rows, whoever found it; who asks twice at once waits for one check.
    const { orderId } = await aLayaway(api.orm.em.fork());
    await change('sales_order', { entity_id: orderId }, { total_canceled: 1, state: 'new', total_paid: 2 });
    await Promise.all([1, 2].map(() => admin.send('/ops/books', { reason }, '/ops/books')));
    await waitUntil('the check has left its line', async () => (await howMany('books_check', {})) === 3);
    const [press] = await find('pos_audit_log', { entity_type: 'books' }, 'log_id');
    const joined = await admin.get(`/ops/books?asked=going&earlier=${press!['log_id']}`);
    expect(joined.text).toMatch(/Grace[^<]*: Verify now\. Your press changed nothing\./);
    expect((await admin.get('/ops/books?asked=another')).text).toMatch(/Grace[^<]*Your press changed nothing\./);
    const found = (await admin.get('/ops/books')).text;
    expect(found).toMatch(/The books are wrong/);
    expect(found).toMatch(new RegExp(`I-05: [^]*order_id ${orderId} `));
    // Without Temporal nobody checks, and nothing is written.
    const trail = await auditOf('books', 0);
    const refused = await api.without('Temporal', () => admin.send('/ops/books', { reason }, '/ops/books'));
    expect([refused.status, await auditOf('books', 0)]).toEqual([503, trail]);
    const health = await admin.get('/ops/health');
    expect([health.status, health.text]).toEqual([200, expect.stringContaining('secret key')]);
    const inGerman = await signedIn(await anOpsAdmin(api), { 'accept-language': 'de' });
    const { text } = await inGerman.get('/ops/health');
    for (const word of ['Geheimer Schlüssel', 'keine Datenbank ist eingestellt → setzen Sie'])
      expect(text).toContain(word);
    expect(text).not.toMatch(/is configured|secret key|→ run/);
  });
});
