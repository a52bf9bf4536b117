import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { abandonSpendings } from '../../../db/credits/conclude-spending.ts';
import { findLostSpendings } from '../../../db/credits/find-lost-spendings.ts';
import { createCreditSpender } from '../../../db/credits/spend-credits.ts';
import type { Spending } from '../../../db/credits/spending-rows.ts';
import { createOrder } from '../../../db/platform/order-saves/create-order.ts';
import { invalid } from '../../../domain/errors.ts';
import { startCreditSimulator, type CreditSimulator } from '../../../local/credit-simulator/server.ts';
import type { SpendsOutside } from '../../../providers/credits/credit-provider.ts';
import { createCreditService } from '../../../providers/credits/credit-service.ts';
import { creditsOf } from '../../../providers/credits/credits.ts';
import { giveUpSpendings } from '../../../providers/credits/give-up-spendings.ts';
import { placeWithCredit } from '../../../providers/credits/place-with-credit.ts';
import { aPostedOrder } from '../../support/builders/order.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';
import { silent } from '../../support/fakes.ts';
import { minutesAgo } from '../../support/moments.ts';

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
