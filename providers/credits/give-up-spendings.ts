import type { EntityManager } from '@mikro-orm/postgresql';
import { abandonSpendings, markReturned, postponeSpending } from '../../db/credits/conclude-spending.ts';
import { readCreditScope } from '../../db/credit-stores/read-credit-scope.ts';
import { spendKeyOf, type Spending } from '../../db/credits/spending-rows.ts';
import type { Log } from '../log.ts';
import type { CreditUndoFinding } from './credit-provider.ts';
import type { Credits } from './credits.ts';
import { inTime } from '../in-time.ts';
import { asOutsideSpending } from './outside-spending.ts';

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
