import type { EntityManager } from '@mikro-orm/postgresql';
import { readCreditScope, type CreditScope } from '../../db/credit-stores/read-credit-scope.ts';
import {
  markFailed,
  markSpent,
  spendKeyOf,
  type Spending,
  type RequestedSpending,
} from '../../db/credits/conclude-spending.ts';
import type { CreditRefundRow } from '../../db/credits/credit.entity.ts';
import {
  concludeCreditRefund,
  reserveCreditRefund,
  type RequestedCreditRefund,
} from '../../db/credits/reserve-credit-refund.ts';
import { reserveSpendings } from '../../db/credits/reserve-spendings.ts';
import { noCreditProvider, OutsideCreditRequested } from '../../db/credits/spend-credits.ts';
import { joined, transact } from '../../db/support/transact.ts';
import { invalid, PosError, unavailable } from '../../domain/errors.ts';
import { providerDidNotSay } from '../../domain/refusals/money.ts';
import type { WalletActor } from '../../domain/store-credit.ts';
import { inTime } from '../in-time.ts';
import type { Log } from '../log.ts';
import type {
  CreditBalance,
  CreditProvider,
  CreditQuestion,
  CreditSpendFinding,
  OwnCredit,
  SpendsOutside,
} from './credit-provider.ts';
import type { Credits } from './credits.ts';
import { asOutsideSpending, giftOf, giveUpSpendings } from './give-up-spendings.ts';

/** For all credits of one order together, because a register waits. */
const spendTimeoutMs = 8_000;

interface SpendOutsideParts {
  em: EntityManager;
  credits: Credits;
  log: Pick<Log, 'warn'>;
}

export interface SpendOutside {
  /** The caller's name for the order. */
  requestKey: string;
  wanted: readonly RequestedSpending[];
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
async function spendOutside(parts: SpendOutsideParts, order: SpendOutside): Promise<readonly Spending[]> {
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
    if (finding.outcome === 'unknown') throw providerDidNotSay();
    if (finding.outcome === 'refused') throw await refused(parts, { spending, spendings, message: finding.message });
    if (!(await markSpent(em, spending, finding.transactionId))) throw providerDidNotSay();
  }
  return spendings;
}

interface Spender {
  provider: CreditProvider;
  outside: SpendsOutside;
}

function spenderOf(enabled: readonly CreditProvider[], { kind, providerCode }: RequestedSpending): Spender {
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

/** Two rounds compute the same from the same order; a third is needed only when a rate changes in between. */
const mostRounds = 3;

export interface PlaceWithCredit<Saved> {
  /** The caller's name for the order: the same name is the same order. Null: it has no name. */
  requestKey: string | null;
  /** Saves the order in one transaction, with the outside spendings for it; may be called again. */
  place: (spent: readonly Spending[]) => Promise<Saved>;
}

/**
 * Places an order that may be paid with credit kept outside (spec 4.6).
 *
 * First it tries to place the order, so that every other error is refused before any credit is spent. Where only such
 * credit is missing, it is spent without any lock, and one transaction saves the order with it. When that is refused,
 * the spending is given up. After a fault nothing is given up, because the order may exist. A repeat continues, and
 * the sweep gives back spendings that no order claimed.
 *
 * Refused with: 400 an order without a name · as documented at `spendOutside` and `claimSpendings`.
 */
export async function placeWithCredit<Saved>(
  parts: SpendOutsideParts,
  { requestKey, place }: PlaceWithCredit<Saved>,
): Promise<Saved> {
  let spent: readonly Spending[] = [];
  for (let round = 1; round <= mostRounds; round++) {
    try {
      return await place(spent);
    } catch (error) {
      if (isRefusal(error)) await giveUpSpendings(parts, spent);
      if (!(error instanceof OutsideCreditRequested)) throw error;
      if (requestKey === null) throw nameless();
      spent = await spendOutside(parts, { requestKey, wanted: error.wanted });
    }
  }
  throw unavailable('What the credit of this order is worth changed meanwhile. Send the order again.');
}

/**
 * A refusal of the order itself. A service that is only away may come back, and a repeat then continues with the same
 * credit.
 */
const isRefusal = (error: unknown) =>
  error instanceof PosError &&
  error.status < 500 &&
  !(error.parameters && Reflect.get(error.parameters, 'outcome') === inUse);

const inUse = 'idempotency_key_in_use';

const nameless = () =>
  invalid(
    'Credit kept outside is spent once per order: send the order with an increment_id, ext_order_id, pos_sale_id ' +
      'or the header Idempotency-Key.',
  );

/** A refund to credit that is kept in our own database. */
export interface RefundToOwnCredit {
  wanted: RequestedCreditRefund;
  provider: OwnCredit;
  /** The owner of the token. */
  actor: WalletActor;
}

/** Whether the credit is in our own database: then no call leaves this process. */
export const isOwnCredit = (provider: CreditProvider): provider is OwnCredit => provider.giveWithin !== undefined;

/**
 * Refunds an amount to a balance in our own database: reserved, given and booked in one transaction under the order
 * lock (spec 4.6). Nothing outside is asked, so nothing is ever left half done.
 *
 * A repeat with a request key gets what was booked. Refused as `reserveCreditRefund`, and as the store says.
 */
export const refundToOwnCredit = (
  em: EntityManager,
  { wanted, provider, actor }: RefundToOwnCredit,
): Promise<CreditRefundRow> =>
  transact(em, async (tx) => {
    const whole = joined(tx);
    const refund = await reserveCreditRefund(whole, wanted);
    if (refund.state !== 'reserved') return refund;
    const booked = await provider.giveWithin(tx, giftOf(refund, actor));
    return concludeCreditRefund(whole, { refundId: refund.refundId, state: 'booked', ...booked });
  });

/**
 * The balances of a customer at every active provider (spec 4.6). All are asked at once; a provider that throws or
 * misses the deadline is skipped and logged.
 */
export async function askBalances(
  credits: Credits,
  { customerId, scope, deadline }: CreditQuestion & { customerId: number },
  log: Pick<Log, 'warn'>,
): Promise<CreditBalance[]> {
  const request = credits.enabled(scope.settings).map(async (provider) => {
    try {
      return await inTime(provider.balances({ customerId, scope, deadline }), deadline);
    } catch (error) {
      log.warn({ provider: provider.code, error }, 'a credit provider was skipped');
      return [];
    }
  });
  return (await Promise.all(request)).flat();
}
