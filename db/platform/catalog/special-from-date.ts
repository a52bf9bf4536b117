import type { EntityManager } from '@mikro-orm/postgresql';
import { day, moment, surely } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import type { Product } from './product.entity.ts';

type Attributes = Record<string, unknown>;

const isSaid = (value: unknown) => value !== undefined && value !== null && value !== '';

/**
 * Adds a first day to a special price that has none, as the platform does (platform facts 14). It is today in the time
 * zone that is furthest behind, so that the price holds on every website at once. An existing first day stays.
 */
export async function withFirstDay(
  em: EntityManager,
  product: Product,
  { given, now }: { given: Attributes; now: Date },
): Promise<Attributes> {
  const known = product.customAttributes?.['special_from_date'];
  if (!isSaid(given['special_price']) || isSaid(given['special_from_date']) || isSaid(known)) return given;
  const row = await today.first(em, { now });
  return row ? { ...given, special_from_date: `${row.today} 00:00:00` } : given;
}

const today = statement({
  takes: { now: moment },
  gives: { today: surely(day) },
  text: `
    select min(($now::timestamptz at time zone time_zone)::date) as today from website where website_id > 0
    having count(*) > 0`,
});
