import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../../support/sql.ts';

export interface Promoted {
  /** `"1,4"`. */
  appliedRuleIds?: string | null | undefined;
  couponCode?: string | null | undefined;
  /** Absent for a guest, who has no customer count. */
  customerId?: number | null | undefined;
}

/** The most rules of an order; their list of ids is one column of 255 characters. */
const mostRules = 100;

/**
 * Counts the promotions of an order as used, or as unused again, in the caller's transaction (platform facts 9.4).
 *
 * One statement, in one order of rows, so that orders with the same promotion wait for each other but never deadlock.
 * A coupon is counted in the shop's spelling, whatever its case at the till; otherwise its limit would miss the use.
 * A repeat counts again: an order is placed once and cancelled once.
 */
export async function countUsage(
  em: EntityManager,
  { appliedRuleIds, couponCode, customerId }: Promoted,
  by: 1 | -1,
): Promise<void> {
  const rules = [...new Set((appliedRuleIds ?? '').split(',').map((id) => id.trim()))]
    .filter((id) => id !== '')
    .slice(0, mostRules);
  const used = [
    ...rules.map((code) => ({ kind: 'rule', code })),
    ...(couponCode ? [{ kind: 'coupon', code: couponCode }] : []),
  ];
  if (used.length === 0) return;
  const rows = used.flatMap((one) =>
    customerId
      ? [
          { ...one, customerId: 0 },
          { ...one, customerId },
        ]
      : [{ ...one, customerId: 0 }],
  );
  await count.run(em, {
    by,
    kinds: rows.map(({ kind }) => kind),
    codes: rows.map(({ code }) => code),
    customerIds: rows.map((row) => row.customerId),
  });
}

const count = sql('count-usage.count')`
  insert into sales_rule_usage as u (kind, code, customer_id, times_used)
  select row.kind, coalesce(coupon.code, row.code) as counted, row.customer_id, greatest($by::int, 0)
  from unnest($kinds::text[], $codes::text[], $customerIds::bigint[]) as row(kind, code, customer_id)
    left join sales_coupon coupon on row.kind = 'coupon' and lower(coupon.code) = lower(row.code)
  order by row.kind, counted, row.customer_id
  on conflict (kind, code, customer_id) do update set times_used = greatest(u.times_used + $by::int, 0)`;
