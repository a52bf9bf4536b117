import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { Order } from '../platform/orders/order.entity.ts';
import { amount, integer, integers, orNull, text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { lockAdvisory } from '../support/lock-advisory.ts';
import { statement } from '../support/statement.ts';
import { transact } from '../support/transact.ts';
import {
  areSameSpendings,
  spendingColumns,
  spendingParts,
  type Spending,
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
  await lockAdvisory(em, `credit ${requestKey}`);
  const known = await findKnown.all(em, { requestKey });
  const standing = known.filter(({ state }) => state !== 'returning');
  const placed = standing.find(({ orderId }) => orderId !== null);
  if (placed) throw await wasPlaced(em, placed.orderId);
  const ids = standing.map(({ spendingId }) => spendingId);
  const givenUp = known.filter(({ state }) => state === 'returning');
  if (areSameSpendings(standing, wanted)) {
    await touch.run(em, { ids });
    return { spendings: standing, abandoned: givenUp };
  }
  await abandon.run(em, { ids });
  return { spendings: await insert(em, requestKey, wanted), abandoned: [...givenUp, ...standing] };
}

/** In one order for everybody. */
const findKnown = statement({
  takes: { requestKey: text },
  gives: spendingParts,
  text: `
    select ${spendingColumns} from credit_spending
    where request_key = $requestKey and state in ('reserved', 'spent', 'returning')
    order by position, spending_id for update`,
});

const touch = statement({
  takes: { ids: integers },
  text: 'update credit_spending set updated_at = now() where spending_id = any($ids)',
});

const abandon = statement({
  takes: { ids: integers },
  text: `update credit_spending set state = 'returning', updated_at = now() where spending_id = any($ids)`,
});

const write = statement({
  takes: {
    requestKey: text,
    position: integer,
    kind: text,
    providerCode: text,
    customerId: orNull(integer),
    storeId: integer,
    websiteId: integer,
    code: orNull(text),
    baseAmount: amount,
    amount,
    points: orNull(integer),
    baseCurrencyCode: text,
  },
  gives: spendingParts,
  text: `
    insert into credit_spending (request_key, position, kind, provider_code, customer_id, store_id, website_id, code,
      base_amount, amount, points, base_currency_code)
    values ($requestKey, $position, $kind, $providerCode, $customerId, $storeId, $websiteId, $code, $baseAmount, $amount,
      $points, $baseCurrencyCode)
    returning ${spendingColumns}`,
});

/** A till takes one or two of them. */
async function insert(em: EntityManager, requestKey: string, wanted: readonly WantedSpending[]): Promise<Spending[]> {
  const written: Spending[] = [];
  for (const one of wanted) written.push(...(await write.all(em, { ...one, requestKey })));
  return written;
}

/** Whoever sends an order again whose answer was lost learns its number, and pays nothing twice. */
export async function wasPlaced(em: EntityManager, orderId: number | null) {
  const order = orderId === null ? undefined : await numberOf.first(em, { orderId });
  return invalid('This order was placed already, as %1; its credit is not spent again.', [order?.incrementId ?? '']);
}

const numberOf = statement({
  takes: { orderId: integer },
  gives: of(Order, 'incrementId'),
  text: 'select increment_id from sales_order where entity_id = $orderId',
});
