import type { EntityManager } from '@mikro-orm/postgresql';
import { integer } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';
import { spendingColumns, spendingParts, type Spending } from './spending-rows.ts';

/** What one sweep looks at; the next comes a minute later. */
const mostAtOnce = 100;
/** As long may a cashier press again: the same order finds what was spent for it. */
export const patienceMinutes = 10;

/** What is to be undone, or will never have an order. What is held waits for a person, or for its order sent again. */
export const lostSpendingCondition = `
  order_id is null and (state = 'returning'
    or (state in ('reserved', 'spent') and held_at is null and updated_at < now() - interval '${patienceMinutes} minutes'))`;

/**
 * Credit that was spent outside, or may have been, for orders that never came; the longest untouched first, so many of
 * each provider, for one that is away hides no other.
 */
export const findLostSpendings = (em: EntityManager): Promise<Spending[]> => read.all(em, { mostAtOnce });

const read = statement({
  takes: { mostAtOnce: integer },
  gives: spendingParts,
  text: `
    select ${spendingColumns} from (
      select s.*, row_number() over (partition by provider_code order by updated_at) as place from credit_spending s
      where ${lostSpendingCondition}) as lost
    where place <= $mostAtOnce order by updated_at`,
});
