import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { readCreditScope, type CreditScope } from '../../../db/credit-stores/read-credit-scope.ts';
import { money } from '../../../domain/money/amount.ts';
import { startCreditSimulator, type CreditSimulator } from '../../../local/credit-simulator/server.ts';
import { createCreditService } from '../../../providers/credits/credit-service.ts';
import type { CreditGift, CreditOwner, CreditProvider } from '../../../providers/credits/credit-provider.ts';
import { createCredits } from '../../../providers/credits/credits.ts';
import { inTime } from '../../../providers/in-time.ts';
import { aGiftCard } from '../../support/builders/gift-card.ts';
import { anOrder } from '../../support/builders/order.ts';
import { pointsOn } from '../../support/builders/points.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';
import { eightAtOnce } from '../../support/rivals.ts';

/** What every provider of credit has to keep, the built-in ones and any other: add yours to the list below. */
let orm: MikroORM;
let outside: CreditSimulator;
let scope: CreditScope;
let orderId: number;

beforeAll(async () => {
  orm = await testDatabase();
  outside = await startCreditSimulator();
  await aShop(fork());
  await pointsOn(fork());
  scope = await readCreditScope(fork(), 1);
  orderId = (await anOrder(fork())).orderId;
});
beforeEach(() => {
  outside.mood = 'answers';
});
afterAll(async () => {
  await outside.stop();
  await orm.close();
});

const { fork } = booksOf(() => orm);
const soon = (ms = 10_000) => new Date(Date.now() + ms);
const question = (ms?: number) => ({ scope, deadline: soon(ms) });
const builtIn = (code: string) => createCredits({ orm, service: undefined }).named(code)!;

interface Contender {
  name: string;
  make: () => CreditProvider;
  /** A customer with an empty balance. */
  owner: () => Promise<CreditOwner>;
}

const aMember = async () => ({ customerId: await aCustomer(fork()), code: null });
const aCardOf = async () => ({ customerId: null, code: await aGiftCard(fork(), { amount: '0.01' }) });
let outsiders = 0;
const anOutsider = (account: (id: number) => string) => {
  outsiders += 1;
  outside.balances.set(account(outsiders), 0);
  return outsiders;
};

/** Those in our own database. */
const inside: readonly Contender[] = [
  { name: 'the wallet', make: () => builtIn('store_credit'), owner: aMember },
  { name: 'gift cards', make: () => builtIn('gift_card'), owner: aCardOf },
  { name: 'points', make: () => builtIn('reward_points'), owner: aMember },
];

/** Those behind a service, which can misbehave. */
const behindAService: readonly Contender[] = [
  {
    name: 'gift cards outside',
    make: () => createCreditService({ baseUrl: outside.url, apiKey: 'key', kind: 'gift_card' }),
    owner: async () => ({ customerId: null, code: `OUT-${anOutsider((id) => `OUT-${id}`)}` }),
  },
  {
    name: 'store credit outside',
    make: () => createCreditService({ baseUrl: outside.url, apiKey: 'key', kind: 'store_credit' }),
    owner: async () => ({ customerId: anOutsider((id) => `customer-${id}`), code: null }),
  },
];

const contenders = [...inside, ...behindAService];

let gifts = 0;
const aGift = (owner: CreditOwner, wanted: Partial<CreditGift> = {}): CreditGift => ({
  ...owner,
  key: `contract-${++gifts}`,
  orderId,
  websiteId: 1,
  baseAmount: money('10'),
  baseCurrencyCode: 'USD',
  points: null,
  reason: 'contract',
  origin: 'new',
  ...wanted,
});

/** Money, or what points are worth. */
async function worth(provider: CreditProvider, owner: CreditOwner): Promise<number> {
  const credit = await provider.spendable({ ...owner, ...question() });
  if (!credit) return 0;
  return credit.points ? credit.points.balance * credit.points.valueOfPoint : credit.balance;
}

describe.each(contenders)('$name', ({ make, owner }) => {
  test('has a code, a kind and a name', () => {
    const { code, kind, label } = make();
    expect(code).toMatch(/^[a-z_]{1,64}$/);
    expect(['store_credit', 'gift_card', 'reward_points']).toContain(kind);
    expect(label).not.toBe('');
  });

  test('a gift is there afterwards, by what was given', async () => {
    const [provider, who] = [make(), await owner()];
    const before = await worth(provider, who);
    expect(await provider.give(aGift(who), question())).toMatchObject({
      outcome: 'credited',
      transactionId: expect.stringMatching(/./),
    });
    expect((await worth(provider, who)) - before).toBe(money('10'));
  });

  test('the same key again gives nothing more, one after the other or eight at once', async () => {
    const [provider, who] = [make(), await owner()];
    const before = await worth(provider, who);
    const gift = aGift(who);
    const answers = await eightAtOnce(() => provider.give(gift, question()));
    answers.push(await provider.give(gift, question()));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect((await worth(provider, who)) - before).toBe(money('10'));
  });

  test('what was spent comes back under a key of its own, once', async () => {
    const [provider, who] = [make(), await owner()];
    const before = await worth(provider, who);
    const gift = aGift(who, { origin: 'spent', points: provider.kind === 'reward_points' ? 1_000 : null });
    await provider.give(gift, question());
    await provider.give(gift, question());
    expect((await worth(provider, who)) - before).toBe(money('10'));
  });

  test('who is unknown gets nothing, and it says no', async () => {
    const nobody =
      make().kind === 'gift_card' ? { customerId: null, code: 'NOBODY' } : { customerId: 987_654, code: null };
    expect((await make().give(aGift(nobody), question())).outcome).toBe('refused');
  });

  test('reading moves nothing, and tells the currency it was asked in', async () => {
    const [provider, who] = [make(), await owner()];
    const before = await worth(provider, who);
    const balances = await provider.balances({ customerId: who.customerId ?? 0, ...question() }).catch(() => []);
    const card = await provider.findCard({ code: who.code ?? 'NOBODY', ...question() });
    for (const row of [...balances, ...(card ? [card] : [])]) {
      expect(row).toMatchObject({ kind: provider.kind, providerCode: provider.code });
      expect([null, 'USD']).toContain(row.currencyCode);
      expect((row.money === null) === (row.points === null)).toBe(false);
    }
    expect(await worth(provider, who)).toBe(before);
  });

  test('an unknown card is not found', async () => {
    expect(await make().findCard({ code: 'NOBODY-KNOWS', ...question() })).toBeUndefined();
  });
});

describe.each(behindAService)('$name, when the service misbehaves', ({ make, owner }) => {
  const moods = ['hangs', 'drops', 'fails', 'babbles', 'other_currency', 'endless'] as const;

  test.each(moods)('%s: reads throw in time, and a missing answer is unknown', async (mood) => {
    const [provider, who] = [make(), await owner()];
    outside.mood = mood;
    await expect(inTime(provider.spendable({ ...who, ...question(1_000) }), soon(1_000))).rejects.toThrow();
    expect((await provider.give(aGift(who), question(1_000))).outcome).toBe('unknown');
  });

  test('a gift of another amount than asked for is unknown', async () => {
    const [provider, who] = [make(), await owner()];
    outside.mood = 'other_amount';
    expect((await provider.give(aGift(who), question())).outcome).toBe('unknown');
  });

  test('an answer that was lost is found by the same key, and nothing was given twice', async () => {
    const [provider, who] = [make(), await owner()];
    const gift = aGift(who);
    outside.mood = 'acts_and_drops';
    expect((await provider.give(gift, question())).outcome).toBe('unknown');
    outside.mood = 'answers';
    expect((await provider.give(gift, question())).outcome).toBe('credited');
    expect(await worth(provider, who)).toBe(money('10'));
  });

  test('nothing is sent after the deadline', async () => {
    const [provider, who] = [make(), await owner()];
    const before = outside.asked.length;
    const late = { scope, deadline: new Date(Date.now() - 1) };
    expect((await provider.give(aGift(who), late)).outcome).toBe('unknown');
    expect(outside.asked).toHaveLength(before);
  });
});

test('of one kind the first that is switched on is active, and a provider keeps its name when it is not', () => {
  const credits = createCredits({ orm, service: { baseUrl: outside.url, apiKey: undefined, kind: 'gift_card' } });
  const codes = credits.all.filter(({ kind }) => kind === 'gift_card').map(({ code }) => code);
  expect(codes.indexOf('gift_card')).toBeLessThan(codes.indexOf('credit_service'));
  expect(credits.active('gift_card', scope.settings)?.code).toBe('gift_card');
  const without = { ...scope.settings, flag: () => false };
  expect(credits.active('gift_card', without)?.code).toBe('credit_service');
  expect(credits.named('gift_card')?.code).toBe('gift_card');
});
