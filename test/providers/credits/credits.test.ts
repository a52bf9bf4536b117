import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { type CreditScope, readCreditScope } from '../../../db/credit-stores/read-credit-scope.ts';
import { abandonSpendings, type Spending } from '../../../db/credits/conclude-spending.ts';
import { findLostSpendings } from '../../../db/credits/find-credit-work.ts';
import { createCreditSpender } from '../../../db/credits/spend-credits.ts';
import { createOrder } from '../../../db/platform/place-order.ts';
import { invalid } from '../../../domain/errors.ts';
import { money } from '../../../domain/money.ts';
import { type CreditSimulator, startCreditSimulator } from '../../../local/simulators/app.ts';
import type {
  CreditGift,
  CreditOwner,
  CreditProvider,
  OutsideSpending,
  SpendsOutside,
} from '../../../providers/credits/credit-provider.ts';
import { createCreditService } from '../../../providers/credits/credit-service.ts';
import { createCredits, creditsOf } from '../../../providers/credits/credits.ts';
import { giveUpSpendings } from '../../../providers/credits/give-up-spendings.ts';
import { placeWithCredit } from '../../../providers/credits/place-with-credit.ts';
import { inTime } from '../../../providers/in-time.ts';
import { booksOf } from '../../support/books.ts';
import { aGiftCard } from '../../support/builders/gift-card.ts';
import { anOrder, aPostedOrder } from '../../support/builders/order.ts';
import { pointsOn } from '../../support/builders/points.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { testDatabase } from '../../support/database.ts';
import { silent } from '../../support/fakes.ts';
import { minutesAgo } from '../../support/moments.ts';
import { eightAtOnce } from '../../support/rivals.ts';

describe('contract', () => {
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
});

describe('place with credit', () => {
  let orm: MikroORM;
  let outside: CreditSimulator;
  /** What happens while the provider is asked to spend. */
  let meanwhile: () => Promise<void>;

  beforeAll(async () => {
    orm = await testDatabase();
    outside = await startCreditSimulator();
    await aShop(fork());
  });
  beforeEach(() => {
    meanwhile = () => Promise.resolve();
  });
  afterAll(async () => {
    await booksHold();
    await outside.stop();
    await orm.close();
  });

  const { find, fork, idleTransactions, howMany, change, booksHold } = booksOf(() => orm);

  /** The service outside, watched while it spends. */
  function parts() {
    const service = createCreditService({ baseUrl: outside.url, apiKey: undefined, kind: 'gift_card' });
    const real = service.outside!;
    const watched: SpendsOutside = {
      spend: async (spending, question) => {
        await meanwhile();
        return real.spend(spending, question);
      },
      undo: (spending, question) => real.undo(spending, question),
    };
    return { em: fork(), credits: creditsOf([{ ...service, outside: watched }]), log: silent };
  }

  let made = 0;
  /** An order of 108 that thirty of a card outside pay for, and how it is sent. */
  async function aSale() {
    const [code, saleId] = [`WATCHED-${++made}`, `watched-sale-${made}`];
    outside.balances.set(code, 500_000);
    const credits = [{ credit_type: 'gift_card', provider_code: 'credit_service', code, amount: 30 }];
    const posted = await aPostedOrder(fork(), { posSaleId: saleId, credits });
    const save = (spent: readonly Spending[]) =>
      createOrder(fork(), posted, { hooks: [createCreditSpender({}, spent)], now: new Date() });
    const place = (saving: typeof save = save) =>
      placeWithCredit(parts(), { requestKey: `sale-${saleId}`, place: saving });
    const isPlaced = async () => (await howMany('sales_order', { pos_sale_id: saleId })) === 1;
    const state = async () =>
      (await find('credit_spending', { request_key: `sale-${saleId}` }, 'state'))
        .map((row) => String(row.state))
        .toSorted();
    const left = () => (outside.balances.get(code) ?? 0) / 10_000;
    return { code, save, place, isPlaced, state, left };
  }

  test('while the provider is asked, the request is committed and no transaction or lock is open', async () => {
    const sale = await aSale();
    let seen: unknown;
    meanwhile = async () => {
      const open = await idleTransactions();
      seen = [await sale.state(), open, await sale.isPlaced()];
    };
    await sale.place();
    expect(seen).toEqual([['reserved'], 0, false]);
    expect([await sale.state(), await sale.isPlaced(), sale.left()]).toEqual([['spent'], true, 20]);
  });

  test('a crash after the credit was spent gives nothing up: the same order goes on without asking again', async () => {
    const sale = await aSale();
    const crash = (spent: readonly Spending[]) =>
      spent.length === 0 ? sale.save(spent) : Promise.reject(new Error('the machine stops'));
    await expect(sale.place(crash)).rejects.toThrow('the machine stops');
    expect([await sale.state(), sale.left()]).toEqual([['spent'], 20]);

    const asked = outside.asked.length;
    await sale.place();
    expect([await sale.isPlaced(), sale.left(), outside.asked.length - asked]).toEqual([true, 20, 0]);
  });

  test('an order that is refused after the credit was spent gives it back at once', async () => {
    const sale = await aSale();
    const refuse = (spent: readonly Spending[]) =>
      spent.length === 0 ? sale.save(spent) : Promise.reject(invalid('No.'));
    await expect(sale.place(refuse)).rejects.toMatchObject({ status: 400, message: 'No.' });
    expect([await sale.state(), sale.left()]).toEqual([['returned'], 50]);
  });

  test('an order whose credit is being undone is not saved, and a repeat spends the credit again', async () => {
    const sale = await aSale();
    const late = async (spent: readonly Spending[]) => {
      if (spent.length > 0) await abandonSpendings(fork(), spent);
      return sale.save(spent);
    };
    await expect(sale.place(late)).rejects.toMatchObject({ status: 503 });
    expect([await sale.isPlaced(), await sale.state()]).toEqual([false, ['returning']]);

    await sale.place();
    const { em, credits, log } = parts();
    await giveUpSpendings({ em, credits, log }, await findLostSpendings(em));
    expect([await sale.isPlaced(), await sale.state(), sale.left()]).toEqual([true, ['returned', 'spent'], 20]);
  });

  test('credit of a saved order is never given up', async () => {
    const sale = await aSale();
    let kept: readonly Spending[] = [];
    await sale.place((spent) => {
      kept = spent;
      return sale.save(spent);
    });
    expect(await giveUpSpendings(parts(), kept)).toMatchObject({ undone: 0 });
    expect([await sale.state(), sale.left()]).toEqual([['spent'], 20]);
  });

  test('an answer that comes after its spending was undone pays for nothing', async () => {
    const sale = await aSale();
    meanwhile = async () => {
      const ids = await find('credit_spending', { state: 'reserved' }, 'spending_id');
      await abandonSpendings(
        fork(),
        ids.map((row) => ({ spendingId: row.spending_id })),
      );
    };
    await expect(sale.place()).rejects.toMatchObject({ status: 503 });
    expect([await sale.isPlaced(), await sale.state()]).toEqual([false, ['returning']]);
    await giveUpSpendings(parts(), await findLostSpendings(fork()));
    expect([await sale.state(), sale.left()]).toEqual([['returned'], 50]);
  });

  test('credit of a removed provider stays on the list of credit to give back', async () => {
    const sale = await aSale();
    const stop = (spent: readonly Spending[]) =>
      spent.length === 0 ? sale.save(spent) : Promise.reject(new Error('the machine stops'));
    await expect(sale.place(stop)).rejects.toThrow();
    await change('credit_spending', { state: 'spent', order_id: null }, { updated_at: minutesAgo(11) });
    const lost = await findLostSpendings(fork());
    expect(await giveUpSpendings({ ...parts(), credits: creditsOf([]) }, lost)).toMatchObject({ undone: 0 });
    expect(await sale.state()).toEqual(['returning']);
    expect(await giveUpSpendings(parts(), await findLostSpendings(fork()))).toMatchObject({ undone: 1 });
    expect(sale.left()).toBe(50);
  });
});

describe('spend contract', () => {
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
});
