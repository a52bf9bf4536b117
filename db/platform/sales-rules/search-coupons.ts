import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../../domain/errors.ts';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { integer, orNull, surely, text } from '../../support/kinds.ts';
import { asListed } from '../../support/rows.ts';
import { search } from '../../support/search.ts';
import { statement, type RowFrom } from '../../support/statement.ts';
import { SalesCoupon, SalesRule } from './sales-rule.entity.ts';
import { noSuchRule } from './search-sales-rules.ts';

const timesUsed = 'coalesce(u.times_used, 0)';

/** Joined, not looked up for each coupon: a search by the uses reads all of them. */
const usage = `left join sales_rule_usage u on u.kind = 'coupon' and u.code = c.code and u.customer_id = 0`;
const table = `sales_coupon c join sales_rule r on r.rule_id = c.rule_id ${usage}`;
/** Every coupon has a rule: `left` lets the database leave it out where nothing of it is asked for. */
const searched = `sales_coupon c left join sales_rule r on r.rule_id = c.rule_id ${usage}`;

const columns = `c.coupon_id, c.rule_id, c.code, r.uses_per_coupon, r.uses_per_customer, r.to_date::text, c.is_primary,
  c.is_generated, c.created_at, ${timesUsed} as times_used`;

export type CouponRow = RowFrom<typeof read>;

const read = statement({
  takes: { couponId: integer },
  gives: {
    ...asListed(SalesCoupon, 'couponId', 'ruleId', 'code', 'isPrimary', 'isGenerated', 'createdAt'),
    ...asListed(SalesRule, 'usesPerCoupon', 'usesPerCustomer'),
    to_date: orNull(text),
    times_used: surely(integer),
  },
  text: `select ${columns} from ${table} where c.coupon_id = $couponId`,
});

/** One coupon. Refused with 404 when there is none, without its id, as the platform has it. */
export async function readCoupon(em: EntityManager, couponId: number): Promise<CouponRow> {
  const row = await read.first(em, { couponId });
  if (!row) throw notFound(noSuchRule);
  return row;
}

/** Searches coupons (platform facts 9.4). */
export const searchCoupons = (em: EntityManager, criteria: SearchCriteria) =>
  search<CouponRow>(em, criteria, {
    table: searched,
    columns,
    fields: {
      coupon_id: { column: 'c.coupon_id', type: 'integer' },
      rule_id: { column: 'c.rule_id', type: 'integer' },
      code: { column: 'c.code', type: 'text' },
      usage_limit: { column: 'r.uses_per_coupon', type: 'integer' },
      usage_per_customer: { column: 'r.uses_per_customer', type: 'integer' },
      expiration_date: { column: 'r.to_date::timestamptz', type: 'timestamp', isNullable: true },
      times_used: { column: timesUsed, type: 'integer' },
      created_at: { column: 'c.created_at', type: 'timestamp' },
      is_primary: { column: 'c.is_primary', type: 'boolean' },
      type: { column: 'c.is_generated::integer', type: 'integer' },
    },
    order: 'c.coupon_id',
    kept: { list: 'sales_coupon', alias: 'c' },
  });
