import type { EntityManager } from '@mikro-orm/postgresql';
import { maskCode, type CreditKind } from '../../domain/credits/applied-credit.ts';
import { isEcho, priceCredits, readPostedCredits, type PricedCredit } from '../../domain/credits/posted-credit.ts';
import { invalid, noSuchDocument, PosError, unavailable } from '../../domain/errors.ts';
import { moneyText } from '../../domain/currency-texts.ts';
import { add, toWire, zero } from '../../domain/money.ts';
import { refuseMoneyIn } from '../../domain/platform/placement.ts';
import type { WalletActor } from '../../domain/store-credit.ts';
import type { CreditMovement, CreditStore } from '../credit-stores.ts';
import type { OrderHook } from '../platform/orders/saved-order.ts';
import { OrderComment } from '../platform/orders/order-parts.entity.ts';
import { MoneyIn } from '../platform/orders/order.entity.ts';
import { integer, json, definite } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { insertRows, into } from '../support/write-rows.ts';
import { isSameSpending, spendKeyOf, type Spending, type RequestedSpending } from './conclude-spending.ts';
import { OrderCredit } from './credit.entity.ts';
import { compareCredits, creditStores } from './give-credits-back.ts';
import { wasPlaced } from './reserve-spendings.ts';

/**
 * Claims outside spendings for the order that is being saved, in its transaction: once, and only while no undo has
 * begun.
 *
 * Refused with: 400 another order has it · 503 it is being undone: a repeat of the same order spends again.
 */
async function claimSpendings(
  em: EntityManager,
  orderId: number,
  spendings: readonly Pick<Spending, 'spendingId'>[],
): Promise<void> {
  if (spendings.length === 0) return;
  const ids = spendings.map(({ spendingId }) => spendingId);
  if ((await claim.run(em, { orderId, ids })) === ids.length) return;
  const rival = await findRival.first(em, { ids, orderId });
  if (rival) throw await wasPlaced(em, rival.orderId);
  throw unavailable('The credit of this order is being given back. Send the order again.');
}

const claim = sql('spend-credits.claim')`
  update credit_spending set order_id = $orderId, updated_at = now()
  where spending_id = any($ids) and state = 'spent' and order_id is null`;

const findRival = sql('spend-credits.findRival', { gives: { orderId: definite(integer) } })`
  select order_id from credit_spending where spending_id = any($ids) and order_id <> $orderId limit 1`;

/**
 * Thrown for a valid order whose outside credit must be spent first. Its transaction rolls back, because no outside
 * call happens within one. It is not a refusal: the caller spends the credit and places the order again.
 */
export class OutsideCreditRequested extends Error {
  readonly wanted: readonly RequestedSpending[];

  constructor(requested: readonly RequestedSpending[]) {
    super('credit kept outside has to be spent before the order is saved');
    this.name = 'OutsideCreditWanted';
    this.wanted = requested;
  }
}

/** 400: no provider has such credit, or it cannot be spent. */
export const noCreditProvider = (kind: CreditKind, code: string | null) =>
  invalid('No provider of %1 is known as "%2".', [kind, code ?? '']);

/** A credit that was taken from its store. */
interface SpentCredit extends PricedCredit {
  providerCode: string;
  customerId: number | null;
  websiteId: number;
  spendKey: string;
}

/**
 * Books spent credits on a new order: the credits themselves, a payment for each tender, the order's total paid, its
 * history, and the credits in its answers. In the caller's transaction.
 *
 * The credits in answers are written once and never change. A layaway's own attributes follow by a later hook.
 */
async function payWithCredits(em: EntityManager, order: OrderToPayRow, credits: readonly SpentCredit[]): Promise<void> {
  const tenders = credits.filter(({ appliesAs }) => appliesAs === 'tender');
  const ids = await drawIds.all(em, { count: credits.length });
  await insertRows(em, [
    into(
      OrderCredit,
      credits.map((credit, at) => creditRow(order, credit, ids[at]?.creditId)),
    ),
    into(
      MoneyIn,
      tenders.map(({ amount: worth, baseAmount, providerCode, spendKey }) => ({
        orderId: order.orderId,
        kind: 'credit',
        reference: spendKey,
        method: providerCode,
        amount: worth,
        baseAmount,
      })),
    ),
    into(
      OrderComment,
      credits.map((credit) => ({
        parentId: order.orderId,
        comment: historyLine(credit, order.orderCurrencyCode),
        status: order.status,
      })),
    ),
  ]);
  await pay.run(em, {
    orderId: order.orderId,
    paid: add(zero, ...tenders.map((tender) => tender.amount)),
    basePaid: add(zero, ...tenders.map(({ baseAmount }) => baseAmount)),
    echo: { pos_applied_credits: credits.map(echoOf) },
  });
}

const drawIds = sql('spend-credits.drawIds')`
  select nextval('order_credit_credit_id_seq') as credit_id from generate_series(1, $count::int)`;

const creditRow = (order: OrderToPayRow, credit: SpentCredit, creditId: number | undefined) => ({
  creditId,
  orderId: order.orderId,
  kind: credit.kind,
  providerCode: credit.providerCode,
  appliesAs: credit.appliesAs,
  customerId: credit.customerId,
  websiteId: credit.websiteId,
  code: credit.code,
  baseAmount: credit.baseAmount,
  amount: credit.amount,
  points: credit.points,
  spendKey: credit.spendKey,
});

const pay = sql('spend-credits.pay', { takes: { echo: json<object>() } })`
  with paid as (
    update sales_order set total_paid = total_paid + $paid::numeric,
      base_total_paid = base_total_paid + $basePaid::numeric,
      extension_attributes = extension_attributes || $echo::jsonb
    where entity_id = $orderId
  )
  update sales_order_payment set amount_paid = amount_paid + $paid::numeric,
    base_amount_paid = base_amount_paid + $basePaid::numeric
  where order_id = $orderId`;

function historyLine(credit: SpentCredit, currencyCode: string): string {
  const { kind, appliesAs, code, points } = credit;
  const worth = moneyText(credit.amount, currencyCode);
  const what = {
    store_credit: 'store credit',
    gift_card: `gift card ${maskCode(code ?? '')}`,
    reward_points: 'points',
  };
  const spent = points === null ? what[kind] : `${points} reward points`;
  return appliesAs === 'tender' ? `Paid ${worth} with ${spent}.` : `Discounted by ${worth} for ${spent}.`;
}

/** A credit as answers show it: extension attribute `pos_applied_credits` of the order. */
const echoOf = ({ kind, providerCode, appliesAs, code, baseAmount, amount: worth, points }: SpentCredit) => ({
  kind,
  provider_code: providerCode,
  applies_as: appliesAs,
  direction: 'applied',
  base_amount: toWire(baseAmount),
  amount: toWire(worth),
  ...(points === null ? {} : { points }),
  ...(code === null ? {} : { code: maskCode(code) }),
});

/** The fields of a new order that paying with credit needs. */
type OrderToPayRow = RowFrom<typeof selectOrderToPay>;

/** Read in the transaction that wrote the order: no other transaction sees it yet. */
async function readOrderToPay(em: EntityManager, orderId: number): Promise<OrderToPayRow> {
  const row = await selectOrderToPay.first(em, { orderId });
  if (!row) throw noSuchDocument();
  return row;
}

const selectOrderToPay = sql('spend-credits.selectOrderToPay')`
  select o.entity_id as order_id, o.increment_id, o.status, o.customer_id, o.customer_is_guest as is_guest,
    o.store_id,
    v.website_id, o.base_currency_code, o.order_currency_code, o.base_to_order_rate, o.grand_total,
    o.base_grand_total, o.total_paid, o.base_total_paid
  from sales_order o join store_view v on v.store_id = o.store_id where o.entity_id = $orderId`;

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
    const input = extras?.['posAppliedCredits'];
    if (input === undefined) return;
    if (!isNew) return refuseUnlessEcho(input);
    const posted = readPostedCredits(input);
    if (posted.length === 0) return;
    refuseMoneyIn(saved);
    const order = await readOrderToPay(em, orderId);
    const requested = priceCredits(posted, order).map((credit, at) => command({ credit, at, order, outside }));
    await claimSpendings(
      em,
      orderId,
      requested.flatMap(({ spending }) => spending ?? []),
    );
    for (const one of requested.toSorted(compareCredits)) await take(em, { ...one, actor }, order);
    if (requested.some(({ wantedOutside, spending }) => wantedOutside && !spending))
      throw new OutsideCreditRequested(requested.flatMap(({ wantedOutside }) => wantedOutside ?? []));
    await payWithCredits(em, order, requested);
  };

/**
 * An order that was read and is sent back contains its credits; any other credits would be silently ignored, so they
 * are refused.
 */
function refuseUnlessEcho(input: unknown): void {
  if (isEcho(input)) return;
  throw invalid('Credit is spent when an order is placed; this one is placed already.');
}

interface Input extends SpentCredit {
  /** Null: an outside provider keeps it. */
  store: CreditStore | null;
  /** What an outside provider must spend, or spent already. */
  wantedOutside: RequestedSpending | null;
  spending: Spending | null;
}

interface Taking extends Input {
  actor: WalletActor;
}

interface Requested {
  credit: PricedCredit;
  at: number;
  order: OrderToPayRow;
  outside: readonly Spending[] | undefined;
}

function command({ credit, at, order, outside }: Requested): Input {
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
  const requestedOutside = requestedSpending(spent, at + 1, order);
  const spending = outside?.find((one) => isSameSpending(one, requestedOutside)) ?? null;
  return {
    ...spent,
    ...(spending && { spendKey: spendKeyOf(spending) }),
    store: null,
    wantedOutside: requestedOutside,
    spending,
  };
}

const requestedSpending = (spent: SpentCredit, position: number, order: OrderToPayRow): RequestedSpending => ({
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
    const refusal = { ...error.refusal, status: 400 };
    throw new PosError(
      { ...refusal, message: `Not paid with ${words[credit.kind]}: ${refusal.message}` },
      { cause: error },
    );
  }
}

const words = { store_credit: 'store credit', gift_card: 'a gift card', reward_points: 'reward points' } as const;
