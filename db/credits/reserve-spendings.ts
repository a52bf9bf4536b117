import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { lockAdvisory } from '../support/lock-advisory.ts';
import { sql } from '../support/sql.ts';
import { transact } from '../support/transact.ts';
import {
  areSameSpendings,
  spendingColumns,
  spendingParts,
  type Spending,
  type RequestedSpending,
} from './conclude-spending.ts';

export interface SpendingsToReserve {
  /** The caller's name for the order. */
  requestKey: string;
  wanted: readonly RequestedSpending[];
}

export interface ReservedSpendings {
  /** The spendings to make or already made: one per wanted credit. */
  spendings: Spending[];
  /** Earlier spendings for the same order that must be undone: the order changed, or they were given up. */
  abandoned: Spending[];
}

/**
 * Records outside spendings of an order, and commits them, before any provider is asked (spec 4.6).
 *
 * A repeat of the order gets the same rows, whose keys the providers know; concurrent repeats wait for each other
 * here. A changed order gets new rows, and the old ones must be undone.
 *
 * Refused with: 400 an order that was placed already.
 */
export const reserveSpendings = (em: EntityManager, requested: SpendingsToReserve): Promise<ReservedSpendings> =>
  transact(em, (tx) => reserve(tx, requested));

async function reserve(em: EntityManager, { requestKey, wanted }: SpendingsToReserve): Promise<ReservedSpendings> {
  await lockAdvisory(em, `credit ${requestKey}`);
  const known = await findKnown.all(em, { requestKey });
  const standing = known.filter(({ state }) => state !== 'returning');
  const placed = standing.find(({ orderId }) => orderId !== null);
  if (placed) throw await wasPlaced(em, placed.orderId);
  const ids = standing.map(({ spendingId }) => spendingId);
  const abandoned = known.filter(({ state }) => state === 'returning');
  if (areSameSpendings(standing, wanted)) {
    await touch.run(em, { ids });
    return { spendings: standing, abandoned: abandoned };
  }
  await abandon.run(em, { ids });
  return { spendings: await insert(em, requestKey, wanted), abandoned: [...abandoned, ...standing] };
}

/** Locked in the same order in every transaction. */
const findKnown = sql('reserve-spendings.findKnown', { gives: spendingParts })`
  select ${spendingColumns} from credit_spending
  where request_key = $requestKey and state in ('reserved', 'spent', 'returning')
  order by position, spending_id for update`;

const touch = sql('reserve-spendings.touch')`
  update credit_spending set updated_at = now() where spending_id = any($ids)`;

const abandon = sql('reserve-spendings.abandon')`
  update credit_spending set state = 'returning', updated_at = now() where spending_id = any($ids)`;

const write = sql('reserve-spendings.write', { gives: spendingParts })`
  insert into credit_spending (request_key, position, kind, provider_code, customer_id, store_id, website_id, code,
    base_amount, amount, points, base_currency_code)
  values ($requestKey, $position, $kind, $providerCode, $customerId?, $storeId, $websiteId, $code?, $baseAmount,
    $amount,
    $points?, $baseCurrencyCode)
  returning ${spendingColumns}`;

/** A till sends one or two of them. */
async function insert(
  em: EntityManager,
  requestKey: string,
  requested: readonly RequestedSpending[],
): Promise<Spending[]> {
  const written: Spending[] = [];
  for (const one of requested) written.push(...(await write.all(em, { ...one, requestKey })));
  return written;
}

/** The order was placed, but its answer was lost: the caller learns its number and pays nothing twice. */
export async function wasPlaced(em: EntityManager, orderId: number | null) {
  const order = orderId === null ? undefined : await numberOf.first(em, { orderId });
  return invalid('This order was placed already, as %1; its credit is not spent again.', [order?.incrementId ?? '']);
}

const numberOf = sql('reserve-spendings.numberOf')`select increment_id from sales_order where entity_id = $orderId`;
