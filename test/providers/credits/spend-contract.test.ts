import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { readCreditScope, type CreditScope } from '../../../db/credit-stores/read-credit-scope.ts';
import { money } from '../../../domain/money/amount.ts';
import { startCreditSimulator, type CreditSimulator } from '../../../local/credit-simulator/server.ts';
import type { CreditOwner, CreditProvider, OutsideSpending } from '../../../providers/credits/credit-provider.ts';
import { createCreditService } from '../../../providers/credits/credit-service.ts';
import { inTime } from '../../../providers/in-time.ts';
import { aShop } from '../../support/builders/shop.ts';
import { testDatabase } from '../../support/database.ts';
import { eightAtOnce } from '../../support/rivals.ts';

/** What every provider keeps whose credit is spent outside our database: add yours to the list below. */
let orm: MikroORM;
let outside: CreditSimulator;
let scope: CreditScope;

beforeAll(async () => {
  orm = await testDatabase();
  outside = await startCreditSimulator();
  await aShop(orm.em.fork());
  scope = await readCreditScope(orm.em.fork(), 1);
});
beforeEach(() => {
  outside.mood = 'answers';
});
afterAll(async () => {
  await outside.stop();
  await orm.close();
});

const soon = (ms = 10_000) => new Date(Date.now() + ms);
const question = (ms?: number) => ({ scope, deadline: soon(ms) });
/** Where nothing is ever said. */
const impatient = 1_000;
const silence = { outcome: 'unknown' } as const;

interface Contender {
  name: string;
  make: () => CreditProvider;
  /** A customer with ten on the balance. */
  owner: () => CreditOwner;
}

let payers = 0;
const withTen = (account: (id: number) => string) => {
  payers += 1;
  outside.balances.set(account(payers), 100_000);
  return payers;
};

const contenders: readonly Contender[] = [
  {
    name: 'gift cards outside',
    make: () => createCreditService({ baseUrl: outside.url, apiKey: 'key', kind: 'gift_card' }),
    owner: () => ({ customerId: null, code: `OUT-${withTen((id) => `OUT-${id}`)}` }),
  },
  {
    name: 'store credit outside',
    make: () => createCreditService({ baseUrl: outside.url, apiKey: 'key', kind: 'store_credit' }),
    owner: () => ({ customerId: withTen((id) => `customer-${id}`), code: null }),
  },
];

let spendings = 0;
const aSpending = (owner: CreditOwner, wanted: Partial<OutsideSpending> = {}): OutsideSpending => ({
  ...owner,
  key: `contract-spending-${++spendings}`,
  websiteId: 1,
  baseAmount: money('4'),
  baseCurrencyCode: 'USD',
  points: null,
  reason: 'contract',
  ...wanted,
});

describe.each(contenders)('$name, spent on an order', ({ make, owner }) => {
  function aPayer() {
    const provider = make();
    const who = owner();
    const left = async () => (await provider.spendable({ ...who, ...question() }))?.balance ?? 0;
    return { spender: provider.outside!, who, taken: async () => money('10') - (await left()) };
  }

  test('takes it once per key, one after the other or eight at once', async () => {
    const { spender, who, taken } = aPayer();
    const spending = aSpending(who);
    const answers = await eightAtOnce(() => spender.spend(spending, question()));
    answers.push(await spender.spend(spending, question()));
    expect(answers[0]).toMatchObject({ outcome: 'spent', transactionId: expect.stringMatching(/./) });
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await taken()).toBe(money('4'));
  });

  test('refuses too low a balance or a missing owner, and then takes nothing', async () => {
    const { spender, who, taken } = aPayer();
    const tooMuch = await spender.spend(aSpending(who, { baseAmount: money('10.01') }), question());
    expect(tooMuch).toMatchObject({ outcome: 'refused', message: expect.stringMatching(/./) });
    const nobody = who.code === null ? { customerId: 987_654, code: null } : { customerId: null, code: 'NOBODY' };
    expect((await spender.spend(aSpending(nobody), question())).outcome).toBe('refused');
    expect(await taken()).toBe(0);
  });

  test('undoes it once per key, and takes nothing under that key any more', async () => {
    const { spender, who, taken } = aPayer();
    const spending = aSpending(who);
    await spender.spend(spending, question());
    const undone = await eightAtOnce(() => spender.undo(spending, question()));
    expect(new Set(undone.map(({ outcome }) => outcome))).toEqual(new Set(['undone']));
    expect(await taken()).toBe(0);
    expect((await spender.spend(spending, question())).outcome).toBe('refused');
    expect(await taken()).toBe(0);
  });

  test('undoes what never arrived, so that it takes nothing when it arrives late', async () => {
    const { spender, who, taken } = aPayer();
    const spending = aSpending(who);
    expect((await spender.undo(spending, question())).outcome).toBe('undone');
    expect((await spender.spend(spending, question())).outcome).toBe('refused');
    expect(await taken()).toBe(0);
  });

  test.each(['hangs', 'drops', 'fails', 'babbles', 'other_currency', 'other_amount', 'endless'] as const)(
    '%s: what nobody said is unknown, and the same key finds it',
    async (mood) => {
      const { spender, who, taken } = aPayer();
      const spending = aSpending(who);
      outside.mood = mood;
      expect(
        (await inTime(spender.spend(spending, question(impatient)), soon(impatient)).catch(() => silence)).outcome,
      ).toBe('unknown');
      outside.mood = 'answers';
      expect((await spender.spend(spending, question())).outcome).toBe('spent');
      expect(await taken()).toBe(money('4'));
    },
  );

  test.each(['hangs', 'drops', 'fails', 'babbles', 'endless', 'acts_and_drops'] as const)(
    '%s: it is not known whether it is undone, and the same key undoes it once',
    async (mood) => {
      const { spender, who, taken } = aPayer();
      const spending = aSpending(who);
      await spender.spend(spending, question());
      outside.mood = mood;
      expect(
        (await inTime(spender.undo(spending, question(impatient)), soon(impatient)).catch(() => silence)).outcome,
      ).toBe('unknown');
      outside.mood = 'answers';
      expect((await spender.undo(spending, question())).outcome).toBe('undone');
      expect(await taken()).toBe(0);
    },
  );

  test('an answer that was lost is found by the same key, and nothing was taken twice', async () => {
    const { spender, who, taken } = aPayer();
    const spending = aSpending(who);
    outside.mood = 'acts_and_drops';
    expect((await spender.spend(spending, question())).outcome).toBe('unknown');
    outside.mood = 'answers';
    expect((await spender.spend(spending, question())).outcome).toBe('spent');
    expect(await taken()).toBe(money('4'));
  });
});
