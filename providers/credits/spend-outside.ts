import type { EntityManager } from '@mikro-orm/postgresql';
import { markFailed, markSpent } from '../../db/credits/conclude-spending.ts';
import { noCreditProvider } from '../../db/credits/outside-credit-wanted.ts';
import { readCreditScope, type CreditScope } from '../../db/credit-stores/read-credit-scope.ts';
import { reserveSpendings } from '../../db/credits/reserve-spendings.ts';
import { spendKeyOf, type Spending, type WantedSpending } from '../../db/credits/spending-rows.ts';
import { PosError, unavailable } from '../../domain/errors.ts';
import type { Log } from '../log.ts';
import type { CreditProvider, CreditSpendFinding, SpendsOutside } from './credit-provider.ts';
import type { Credits } from './credits.ts';
import { inTime } from '../in-time.ts';
import { asOutsideSpending } from './outside-spending.ts';
import { giveUpSpendings } from './give-up-spendings.ts';

/** For all credits of one order together, because a register waits. */
const spendTimeoutMs = 8_000;

export interface SpendOutsideParts {
  em: EntityManager;
  credits: Credits;
  log: Pick<Log, 'warn'>;
}

export interface SpendOutside {
  /** The caller's name for the order. */
  requestKey: string;
  wanted: readonly WantedSpending[];
}

/**
 * Spends outside credit on an order that is about to be saved: it is recorded and committed first, then each provider
 * is asked with a separate key (spec 4.6). No lock is held meanwhile.
 *
 * The same order asks again with the same keys; a confirmed spending is not asked again. When one provider refuses,
 * the whole is refused: the other spendings are undone, now or by the sweep.
 *
 * Refused with: 400 an unknown provider, a provider's refusal, an order that was placed already · 503 a provider with
 * an unclear answer: the same order, sent again, continues from there.
 *
 * @returns the spendings, one for each credit asked for
 */
export async function spendOutside(parts: SpendOutsideParts, order: SpendOutside): Promise<readonly Spending[]> {
  const { em, credits, log } = parts;
  const scope = await readCreditScope(em, order.wanted[0]?.storeId ?? 0);
  const spenders = order.wanted.map((one) => spenderOf(credits.enabled(scope.settings), one));
  const { spendings, abandoned } = await reserveSpendings(em, order);
  if (abandoned.length > 0) await giveUpSpendings({ em, credits, log }, abandoned);
  const deadline = new Date(Date.now() + spendTimeoutMs);
  for (const [at, spending] of spendings.entries()) {
    const spender = spenders[at];
    if (!spender || spending.state === 'spent') continue;
    const finding = await ask({ ...spender, spending, scope, deadline, log });
    if (finding.outcome === 'unknown') throw noAnswer();
    if (finding.outcome === 'refused') throw await refused(parts, { spending, spendings, message: finding.message });
    if (!(await markSpent(em, spending, finding.transactionId))) throw noAnswer();
  }
  return spendings;
}

interface Spender {
  provider: CreditProvider;
  outside: SpendsOutside;
}

function spenderOf(enabled: readonly CreditProvider[], { kind, providerCode }: WantedSpending): Spender {
  const provider = enabled.find((one) => one.kind === kind && one.code === providerCode);
  if (!provider?.outside) throw noCreditProvider(kind, providerCode);
  return { provider, outside: provider.outside };
}

interface Asking extends Spender {
  spending: Spending;
  scope: CreditScope;
  deadline: Date;
  log: Pick<Log, 'warn'>;
}

/** One call that ends by its deadline and never throws: an unclear answer is `unknown`. */
async function ask({ provider, outside, spending, scope, deadline, log }: Asking): Promise<CreditSpendFinding> {
  try {
    return await inTime(outside.spend(asOutsideSpending(spending), { scope, deadline }), deadline);
  } catch (error) {
    log.warn({ key: spendKeyOf(spending), provider: provider.code, error }, 'a provider did not say whether it spent');
    return { outcome: 'unknown', message: 'The provider does not answer.' };
  }
}

interface Refused {
  spending: Spending;
  spendings: readonly Spending[];
  message: string;
}

async function refused(parts: SpendOutsideParts, { spending, spendings, message }: Refused): Promise<PosError> {
  await markFailed(parts.em, spending, message);
  await giveUpSpendings(
    parts,
    spendings.filter((one) => one !== spending),
  );
  return new PosError({ status: 400, message: 'Not paid with %1: %2', parameters: [words[spending.kind], message] });
}

const words = { store_credit: 'store credit', gift_card: 'a gift card', reward_points: 'reward points' } as const;

const noAnswer = () =>
  unavailable(
    'The provider did not say whether it took the credit. Nothing is sold yet: send the same order again, and it is taken once. Without an order it is given back automatically.',
  );
