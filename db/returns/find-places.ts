import type { EntityManager } from '@mikro-orm/postgresql';
import { flag, momentText, orNull } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';

export interface RequestedPlaces {
  /** The id of the return, where it was drawn before. */
  returnId?: number | undefined;
  beginBefore?: string | undefined;
  posSaleId: string | null;
  locationId: number | null;
  items: readonly { targetSourceCode: string | null }[];
}

/** Whether the return is there already, or the sale has one, and whether its places are known, in one statement. */
export async function findPlaces(
  em: EntityManager,
  { returnId, beginBefore, posSaleId, locationId, items }: RequestedPlaces,
) {
  const sources = items.flatMap(({ targetSourceCode }) => targetSourceCode ?? []);
  const request = { returnId: returnId ?? null, beginBefore: beginBefore ?? null, posSaleId, locationId, sources };
  const known = await readPlaces.first(em, request);
  if (!known) throw new Error('nothing was read about the places of a return');
  return known;
}

const readPlaces = sql('find-places.readPlaces', {
  takes: { beginBefore: orNull(momentText) },
  gives: { isLate: orNull(flag) },
})`
  select exists (select from sale_return where return_id = $returnId?) as is_made,
    clock_timestamp() > $beginBefore::timestamptz as is_late,
    exists (select from sale_return where pos_sale_id = $posSaleId?::text) as is_sale_known,
    $locationId?::bigint is null or exists (select from pos_location where location_id = $locationId) as is_place_known,
    exists (select from pos_location where location_id = $locationId and damaged_stock_source_code is not null)
      as has_damaged_shelf,
    (select code from unnest($sources::text[]) code where not exists (
       select from inventory_source where source_code = code) limit 1) as unknown_source`;
