import type { EntityManager } from '@mikro-orm/postgresql';
import { ownValuesAt, type ValuePlace } from '../../../domain/platform/catalog/scoped-values.ts';
import { day, moment, surely } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import type { Product } from './product.entity.ts';

type Attributes = Record<string, unknown>;

const isSaid = (value: unknown) => value !== undefined && value !== null && value !== '';

/**
 * Adds the first day to a special price that was sent without one, as the platform does (platform facts 14): today, in
 * the time zone where the day begins last, so that the price holds on every website at once. A first day that is known
 * in that place stays.
 */
export async function withFirstDay(
  em: EntityManager,
  product: Product,
  { given, own, now }: { given: Attributes; own: ValuePlace; now: Date },
): Promise<Attributes> {
  const ofPlace = ownValuesAt(product.scopedValues ?? {}, own)?.customAttributes;
  const known = ofPlace?.['special_from_date'] ?? product.customAttributes?.['special_from_date'];
  if (!isSaid(given['special_price']) || isSaid(given['special_from_date']) || isSaid(known)) return given;
  const first = await firstDay(em, now);
  return first ? { ...given, special_from_date: first } : given;
}

/** Today, in the time zone where the day begins last; undefined where there is no website. */
export async function firstDay(em: EntityManager, now: Date): Promise<string | undefined> {
  const row = await today.first(em, { now });
  return row && `${row.today} 00:00:00`;
}

const today = statement({
  takes: { now: moment },
  gives: { today: surely(day) },
  text: `
    select min(($now::timestamptz at time zone time_zone)::date) as today from website where website_id > 0
    having count(*) > 0`,
});
