import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { formatAmount } from '../../domain/money/amount.ts';
import { query } from '../support/query.ts';
import { transact } from '../support/transact.ts';
import {
  areSameSpendings,
  spendingColumns,
  spendingOf,
  type Spending,
  type SpendingRow,
  type WantedSpending,
} from './spending-rows.ts';

export interface SpendingsToReserve {
  /** Which order they are for, as whoever places it names it. */
  requestKey: string;
  wanted: readonly WantedSpending[];
}

export interface ReservedSpendings {
  /** What is to be spent, or was: one for each that is wanted. */
  spendings: Spending[];
  /** What stood for the same order before, and is to be undone: it was changed, or had been given up. */
  abandoned: Spending[];
}

/**
 * Writes down what is about to be spent outside on an order, and commits it, before any provider is asked (spec 4.6).
 *
 * The same order again gets the rows it had, whose keys the providers know; presses at the same moment wait for each
 * other here. One that was changed since gets rows of its own, and the old ones are to be undone.
 *
 * Refused with: 400 an order that was placed already.
 */
export const reserveSpendings = (em: EntityManager, wanted: SpendingsToReserve): Promise<ReservedSpendings> =>
  transact(em, (tx) => reserve(tx, wanted));

async function reserve(em: EntityManager, { requestKey, wanted }: SpendingsToReserve): Promise<ReservedSpendings> {
  await query(em, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [`credit ${requestKey}`]);
  const known = (await query<SpendingRow>(em, knownText, [requestKey])).map(spendingOf);
  const standing = known.filter(({ state }) => state !== 'returning');
  const placed = standing.find(({ orderId }) => orderId !== null);
  if (placed) throw await wasPlaced(em, placed.orderId);
  const ids = standing.map(({ spendingId }) => spendingId);
  const givenUp = known.filter(({ state }) => state === 'returning');
  if (areSameSpendings(standing, wanted)) {
    await query(em, 'update credit_spending set updated_at = now() where spending_id = any($1)', [ids]);
    return { spendings: standing, abandoned: givenUp };
  }
  await query(em, abandonText, [ids]);
  return { spendings: await insert(em, requestKey, wanted), abandoned: [...givenUp, ...standing] };
}

/** In one order for everybody. */
const knownText = `
select ${spendingColumns} from credit_spending where request_key = $1 and state in ('reserved', 'spent', 'returning')
order by position, spending_id for update`;

const abandonText = `update credit_spending set state = 'returning', updated_at = now() where spending_id = any($1)`;

const insertText = `
insert into credit_spending (request_key, position, kind, provider_code, customer_id, store_id, website_id, code,
  base_amount, amount, points, base_currency_code)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
returning ${spendingColumns}`;

/** A till takes one or two of them. */
async function insert(em: EntityManager, requestKey: string, wanted: readonly WantedSpending[]): Promise<Spending[]> {
  const written: Spending[] = [];
  for (const one of wanted) {
    const { position, kind, providerCode, customerId, storeId, websiteId, code, points, baseCurrencyCode } = one;
    const amounts = [formatAmount(one.baseAmount), formatAmount(one.amount)];
    const owner = [customerId, storeId, websiteId, code];
    const values = [requestKey, position, kind, providerCode, ...owner, ...amounts, points, baseCurrencyCode];
    written.push(...(await query<SpendingRow>(em, insertText, values)).map(spendingOf));
  }
  return written;
}

/** Whoever sends an order again whose answer was lost learns its number, and pays nothing twice. */
export async function wasPlaced(em: EntityManager, orderId: number | null) {
  const [order] = await query<{ increment_id: string }>(
    em,
    'select increment_id from sales_order where entity_id = $1',
    [orderId],
  );
  return invalid('This order was placed already, as %1; its credit is not spent again.', [order?.increment_id ?? '']);
}
