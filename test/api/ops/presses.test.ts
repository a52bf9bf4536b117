import { beforeAll, describe, expect, test } from '@jest/globals';
import { initialiseReturn } from '../../../db/returns/create-return.ts';
import { booksOf } from '../../support/books.ts';
import { aTerminal } from '../../support/builders/counter.ts';
import { aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { useApi } from '../../support/fixtures.ts';
import { anOpsAdmin, anOpsBrowser, anOpsMember, type OpsAnswer, type OpsBrowser } from '../../support/ops.ts';

/** A press that finds its work done says who did it, when and how, and that it changed nothing. */
const api = useApi({ settings: { POS_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') } });
const { find, change } = booksOf(() => api.orm);
let locationId: number;
let admin: OpsBrowser;
let member: OpsBrowser;
beforeAll(async () => {
  ({ locationId } = await aShop(api.orm.em.fork()));
  [admin, member] = [anOpsBrowser(api), anOpsBrowser(api)];
  await admin.signIn(await anOpsAdmin(api));
  await member.signIn(await anOpsMember(api, { permissions: ['issue_refunds', 'approve_rma'] }));
});

const reason = 'asked at the counter';
/** Goods are back, and the money is to be given back by a person. */
async function aParkedReturn() {
  const rma = await aReturn(api.orm, { locationId, refundMethod: 'cash' });
  await initialiseReturn(api.orm.em, { returnId: rma.returnId, canRefundThrough: () => false });
  return rma;
}
const hiddenIn = (text: string, action: string) => {
  const form = new RegExp(`action="${action}"[^]*?</form>`).exec(text)?.[0] ?? '';
  const fields = [...form.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]));
};
/** A tab with the form of a step, opened now and sent later. */
async function aTab(browser: OpsBrowser, returnId: number, verb: string, more: Record<string, string> = {}) {
  const action = `/ops/returns/${returnId}/${verb}`;
  const hidden = hiddenIn((await browser.get(`/ops/returns/${returnId}`)).text, action);
  return async () => {
    let answer = await browser.post(action, { ...hidden, reason, ...more });
    for (let again = 0; answer.status === 503 && again < 5; again++)
      answer = await browser.post(action, { ...hidden, reason, ...more });
    return answer;
  };
}
const changedNothing = /(\S+ \S+ \d+), [^<]*: ([^<]*)\. Your press changed nothing\./;
const isDone = ({ text }: OpsAnswer) => /Done\./.test(text) && !changedNothing.test(text);

describe('a return', () => {
  test('that two people give back in two ways at once is given back once, and one of them reads who did it', async () => {
    const { returnId, orderId } = await aParkedReturn();
    const tabs = [
      await aTab(admin, returnId, 'settle', { method: 'cash' }),
      await aTab(member, returnId, 'settle', { method: 'manual_card' }),
    ];
    const answers = await Promise.all(tabs.map((press) => press()));
    expect(await find('sales_creditmemo', { order_id: orderId })).toHaveLength(1);
    expect(answers.filter(isDone)).toHaveLength(1);
    const [, who, what] = changedNothing.exec(answers.find((answer) => !isDone(answer))!.text)!;
    const [winner, tender] = isDone(answers[0]!) ? ['Grace Hopper', 'cash'] : ['Ada Lovelace', 'a card, by hand'];
    expect(who).toContain(winner);
    for (const word of ['US$54.00', 'credit memo', tender]) expect(what).toContain(word);
    // The press that did it may be sent again: it stays the one that did it.
    expect(isDone(await (isDone(answers[0]!) ? tabs[0]! : tabs[1]!)())).toBe(true);
  });

  test('an old tab that settles or closes it reads what was done, and changes nothing', async () => {
    const { returnId } = await aParkedReturn();
    const [settle, close] = [
      await aTab(member, returnId, 'settle', { method: 'cash' }),
      await aTab(member, returnId, 'close'),
    ];
    expect(isDone(await (await aTab(admin, returnId, 'settle', { method: 'cash' }))())).toBe(true);
    const before = await find('sale_return', { return_id: returnId });
    for (const press of [settle, close, settle]) {
      const [, who, what] = changedNothing.exec((await press()).text)!;
      expect([who, what]).toEqual([expect.stringContaining('Grace Hopper'), expect.stringContaining('US$54.00')]);
    }
    expect(await find('sale_return', { return_id: returnId })).toEqual(before);
  });
});

describe('a list', () => {
  test('of two presses for a new activation code one makes it, and the other says whose it is', async () => {
    const { terminalId } = await aTerminal(api.orm.em.fork());
    const action = `/ops/tills/${terminalId}/code`;
    const [till] = await find('pos_terminal', { terminal_id: terminalId }, 'activation_code');
    const other = anOpsBrowser(api);
    await other.signIn(await anOpsAdmin(api));
    const [own, late] = [admin, other].map(async (browser) => hiddenIn((await browser.get('/ops/tills')).text, action));
    const [ownForm, lateForm] = [await own!, await late!];
    const first = await admin.post(action, { ...ownForm, reason });
    const code = async () => (await find('pos_terminal', { terminal_id: terminalId }, 'activation_code'))[0];
    const made = await code();
    expect([isDone(first), made]).toEqual([
      true,
      expect.not.objectContaining({ activation_code: till!['activation_code'] }),
    ]);
    const second = await other.post(action, { ...lateForm, reason });
    expect(changedNothing.exec(second.text)?.[1]).toContain('Grace Hopper');
    expect(await code()).toEqual(made);
  });

  test('of eight presses for a new passcode one shows it', async () => {
    const { staffId } = await anOpsMember(api, { permissions: ['issue_refunds'] });
    const action = `/ops/staff/${staffId}/passcode`;
    const form = hiddenIn((await admin.get('/ops/staff')).text, action);
    const answers = await Promise.all(Array.from({ length: 8 }, () => admin.post(action, { ...form, reason })));
    expect(answers.filter(({ text }) => text.includes('class="secret"'))).toHaveLength(1);
    expect(answers.filter(({ text }) => text.includes('Your press changed nothing.'))).toHaveLength(7);
    await change('pos_staff', { staff_id: staffId }, { is_active: false });
  });
});
