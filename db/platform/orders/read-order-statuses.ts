import type { EntityManager } from '@mikro-orm/postgresql';
import { flag, json, surely, text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';

export interface OrderStatusRow {
  status: string;
  label: string;
  /** The states that may show it, by name; empty for a merchant's own status without a state. */
  states: string[];
  /** Whether one of its states starts with it. */
  is_default: boolean;
}

/** Every registered status by label, also the merchant's own (platform facts 5.3). */
export const readOrderStatuses = (em: EntityManager): Promise<OrderStatusRow[]> => read.all(em);

const read = statement({
  takes: {},
  gives: { status: text, label: text, states: surely(json<string[]>()), is_default: surely(flag) },
  text: `
    select s.status, s.label,
      coalesce(jsonb_agg(t.state order by t.state) filter (where t.state is not null), '[]') as states,
      coalesce(bool_or(t.is_default), false) as is_default
    from sales_order_status s left join sales_order_status_state t using (status)
    group by s.status, s.label order by s.label, s.status`,
});
