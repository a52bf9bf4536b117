import type { EntityManager } from '@mikro-orm/postgresql';
import { readCreditScope, type CreditScope } from '../../db/credit-stores/read-credit-scope.ts';
import {
  abandonSpendings,
  markReturned,
  postponeSpending,
  spendKeyOf,
  type Spending,
} from '../../db/credits/conclude-spending.ts';
import type { CreditRefundRow } from '../../db/credits/credit.entity.ts';
import { creditRefundKey } from '../../db/credits/give-credits-back.ts';
import { giveSeconds } from '../../domain/credits/applied-credit.ts';
import type { WalletActor } from '../../domain/store-credit.ts';
import { inTime } from '../in-time.ts';
import type { Log } from '../log.ts';
import type {
  CreditGift,
  CreditGiftFinding,
  CreditProvider,
  CreditUndoFinding,
  OutsideSpending,
} from './credit-provider.ts';
import type { Credits } from './credits.ts';

/** A spending in the form its provider gets: the same each time, under the same key. */
export const asOutsideSpending = (spending: Spending): OutsideSpending => ({
  key: spendKeyOf(spending),
  customerId: spending.customerId,
  code: spending.code,
  websiteId: spending.websiteId,
  baseAmount: spending.baseAmount,
  baseCurrencyCode: spending.baseCurrencyCode,
  points: spending.points,
  reason: 'Spent on an order',
});

/** Short, because the sweep asks again and a register should not wait for this. */
const undoTimeoutMs = 4_000;

export interface UndoParts {
  em: EntityManager;
  credits: Credits;
  log: Pick<Log, 'warn'>;
}

/**
 * Gives up outside spendings, certain or possible, of an order that will not be saved. That is recorded and committed
 * first; then each provider is asked to undo its spending. The sweep asks again where a provider did not answer,
 * under the same key. Spendings of an order that was saved meanwhile stay. A failing provider never makes it throw.
 *
 * @returns how many are undone, and the providers that did not confirm
 */
export async function giveUpSpendings(
  parts: UndoParts,
  spendings: readonly Spending[],
): Promise<{ undone: number; silent: ReadonlySet<string> }> {
  const ours = spendings.length === 0 ? new Set<number>() : await abandonSpendings(parts.em, spendings);
  const silent = new Set<string>();
  let undone = 0;
  for (const spending of spendings) {
    if (!ours.has(spending.spendingId) || silent.has(spending.providerCode)) continue;
    const outcome = await undo(parts, spending);
    if (outcome === 'undone') undone++;
    if (outcome === 'unknown') silent.add(spending.providerCode);
  }
  return { undone, silent };
}

async function undo({ em, credits, log }: UndoParts, spending: Spending): Promise<CreditUndoFinding['outcome']> {
  const facts = { key: spendKeyOf(spending), provider: spending.providerCode };
  const outside = credits.named(spending.providerCode)?.outside;
  const scope = await readCreditScope(em, spending.storeId);
  const deadline = new Date(Date.now() + undoTimeoutMs);
  let outcome: CreditUndoFinding['outcome'] = 'unknown';
  try {
    if (!outside) throw new Error('there is no such provider any more');
    ({ outcome } = await inTime(outside.undo(asOutsideSpending(spending), { scope, deadline }), deadline));
    if (outcome !== 'undone') log.warn({ ...facts, outcome }, 'a spending was not undone yet');
  } catch (error) {
    log.warn({ ...facts, error }, 'a spending was not undone yet');
  }
  if (outcome === 'undone') await markReturned(em, spending);
  else await postponeSpending(em, spending);
  return outcome;
}

export interface GiveReserved {
  provider: CreditProvider;
  refund: CreditRefundRow;
  scope: CreditScope;
  log: Pick<Log, 'warn'>;
}

/** A reserved refund as its provider is asked for it: for ever under the same key. */
export const giftOf = (refund: CreditRefundRow, actor: WalletActor = {}): CreditGift => ({
  key: creditRefundKey(refund),
  orderId: refund.orderId,
  customerId: refund.customerId ?? null,
  websiteId: refund.websiteId,
  code: refund.code ?? null,
  baseAmount: refund.baseAmount,
  baseCurrencyCode: refund.baseCurrencyCode,
  points: null,
  reason: refund.reason,
  origin: 'new',
  actor,
});

/** Asks the provider to give the reserved credit; never throws. An unclear answer is `unknown`. */
export const giveReserved = ({ refund, ...context }: GiveReserved): Promise<CreditGiftFinding> =>
  giveInTime({ ...context, gift: giftOf(refund) });

export interface GiveInTime extends Omit<GiveReserved, 'refund'> {
  gift: CreditGift;
}

/** One call that ends by its deadline and never throws. */
export async function giveInTime({ provider, gift, scope, log }: GiveInTime): Promise<CreditGiftFinding> {
  const deadline = new Date(Date.now() + giveSeconds * 1_000);
  try {
    return await inTime(provider.give(gift, { scope, deadline }), deadline);
  } catch (error) {
    const { key, orderId } = gift;
    log.warn({ key, orderId, provider: provider.code, error }, 'a provider did not say whether it gave credit');
    return { outcome: 'unknown', message: 'The provider does not answer.' };
  }
}
