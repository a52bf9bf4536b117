import type { EntityManager } from '@mikro-orm/postgresql';
import { integer } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';
import { spendingColumns, spendingParts, type Spending } from './spending-rows.ts';

/** The most that one sweep takes; the next sweep comes a minute later. */
const mostAtOnce = 100;
/** How long a cashier may retry: the same order finds what was spent for it. */
export const patienceMinutes = 10;

/** Spendings to undo, or that will never have an order. Held ones wait for a person, or for a repeat of their order. */
export const lostSpendingCondition = `
  order_id is null and (state = 'returning'
    or (state in ('reserved', 'spent') and held_at is null and updated_at < now() - interval '${patienceMinutes} minutes'))`;

/**
 * Outside spendings, certain or possible, of orders that were never saved; the longest untouched first. A limited
 * number per provider, so that one that is away does not hide others.
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
