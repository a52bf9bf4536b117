import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, PosError } from '../../domain/errors.ts';
import { isEcho, readPostedCredits } from '../../domain/credits/posted-credit.ts';
import { priceCredits, type PricedCredit } from '../../domain/credits/price-credits.ts';
import { refuseMoneyIn } from '../../domain/platform/refuse-money-in.ts';
import type { OrderHook } from '../platform/order-saves/create-order.ts';
import type { CreditMovement, CreditStore } from '../credit-stores/credit-store.ts';
import { creditStores } from './credit-stores.ts';
import type { WalletActor } from '../../domain/store-credit/ledger.ts';
import { compareCredits } from './give-credits-back.ts';
import { claimSpendings } from './claim-spendings.ts';
import { noCreditProvider, OutsideCreditWanted } from './outside-credit-wanted.ts';
import { payWithCredits, type SpentCredit } from './pay-with-credits.ts';
import { readOrderToPay, type OrderToPayRow } from './read-order-to-pay.ts';
import { isSameSpending, spendKeyOf, type Spending, type WantedSpending } from './spending-rows.ts';

/**
 * Creates the hook that spends the credits posted with a new order (`extras.posAppliedCredits`), in the transaction
 * that saves it (spec 4.6). Each is taken from its store, and tenders count as paid. A later failure rolls everything
 * back. It runs once per order: the keys are the order's, and saving an existing order spends nothing.
 *
 * An outside provider cannot be called here: its credit was spent before and is claimed now. Where it was not spent
 * yet, the hook throws `OutsideCreditWanted` after all other checks.
 *
 * Refused with: 400 credits that cannot be read, more than the order costs, an unknown provider or card, too low a
 * balance, store credit or points without a customer, credits sent with an order that is placed already · as
 * documented at `claimSpendings`.
 *
 * @param actor the owner of the token; undefined where a customer places the order
 * @param outside the outside spendings of this order so far; absent: outside providers are unknown
 */
export const createCreditSpender =
  (actor: WalletActor = {}, outside?: readonly Spending[]): OrderHook =>
  async (em, { orderId, isNew, ...saved }, { extras }) => {
    const given = extras?.['posAppliedCredits'];
    if (given === undefined) return;
    if (!isNew) return refuseUnlessEcho(given);
    const posted = readPostedCredits(given);
    if (posted.length === 0) return;
    refuseMoneyIn(saved);
    const order = await readOrderToPay(em, orderId);
    const wanted = priceCredits(posted, order).map((credit, at) => wish({ credit, at, order, outside }));
    await claimSpendings(
      em,
      orderId,
      wanted.flatMap(({ spending }) => spending ?? []),
    );
    for (const one of wanted.toSorted(compareCredits)) await take(em, { ...one, actor }, order);
    if (wanted.some(({ wantedOutside, spending }) => wantedOutside && !spending))
      throw new OutsideCreditWanted(wanted.flatMap(({ wantedOutside }) => wantedOutside ?? []));
    await payWithCredits(em, order, wanted);
  };

/**
 * An order that was read and is sent back contains its credits; any other credits would be silently ignored, so they
 * are refused.
 */
function refuseUnlessEcho(given: unknown): void {
  if (isEcho(given)) return;
  throw invalid('Credit is spent when an order is placed; this one is placed already.');
}

interface Wish extends SpentCredit {
  /** Null: an outside provider keeps it. */
  store: CreditStore | null;
  /** What an outside provider must spend, or spent already. */
  wantedOutside: WantedSpending | null;
  spending: Spending | null;
}

interface Taking extends Wish {
  actor: WalletActor;
}

interface Wanted {
  credit: PricedCredit;
  at: number;
  order: OrderToPayRow;
  outside: readonly Spending[] | undefined;
}

function wish({ credit, at, order, outside }: Wanted): Wish {
  const store = creditStores.find(
    ({ kind, providerCode }) =>
      kind === credit.kind && (credit.providerCode === null || credit.providerCode === providerCode),
  );
  if (!store && (!outside || credit.providerCode === null)) throw noCreditProvider(credit.kind, credit.providerCode);
  const isPersonal = credit.kind !== 'gift_card';
  if (isPersonal && (order.customerId === null || order.isGuest)) {
    throw invalid('A guest has no %1: it belongs to a customer account.', [credit.kind]);
  }
  const spent = {
    ...credit,
    providerCode: store?.providerCode ?? credit.providerCode ?? '',
    customerId: order.isGuest ? null : order.customerId,
    websiteId: order.websiteId,
    spendKey: `order-${order.orderId}-credit-${at + 1}`,
  };
  if (store) return { ...spent, store, wantedOutside: null, spending: null };
  const wantedOutside = wantedSpending(spent, at + 1, order);
  const spending = outside?.find((one) => isSameSpending(one, wantedOutside)) ?? null;
  return { ...spent, ...(spending && { spendKey: spendKeyOf(spending) }), store: null, wantedOutside, spending };
}

const wantedSpending = (spent: SpentCredit, position: number, order: OrderToPayRow): WantedSpending => ({
  position,
  kind: spent.kind,
  providerCode: spent.providerCode,
  customerId: spent.customerId,
  storeId: order.storeId,
  websiteId: order.websiteId,
  code: spent.code,
  baseAmount: spent.baseAmount,
  amount: spent.amount,
  points: spent.points,
  baseCurrencyCode: order.baseCurrencyCode,
});

async function take(em: EntityManager, { store, actor, ...credit }: Taking, order: OrderToPayRow): Promise<void> {
  if (!store) return;
  const movement: CreditMovement = {
    key: credit.spendKey,
    orderId: order.orderId,
    customerId: credit.customerId,
    websiteId: credit.websiteId,
    code: credit.code,
    baseAmount: credit.baseAmount,
    amount: credit.amount,
    points: credit.points,
    currencyCode: order.baseCurrencyCode,
    reason: `Spent on order ${order.incrementId}`,
    actor,
  };
  try {
    await store.spend(em, movement);
  } catch (error) {
    if (!(error instanceof PosError)) throw error;
    const said = { ...error.refusal, status: 400 };
    throw new PosError({ ...said, message: `Not paid with ${words[credit.kind]}: ${said.message}` }, { cause: error });
  }
}

const words = { store_credit: 'store credit', gift_card: 'a gift card', reward_points: 'reward points' } as const;
