import type { EntityManager } from '@mikro-orm/postgresql';
import { flag, integer, orNull, surely, text, texts } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

export interface WantedPlaces {
  posSaleId: string | null;
  locationId: number | null;
  items: readonly { targetSourceCode: string | null }[];
}

/** Whether the sale has a return already, and whether the goods are received at known sources, in one statement. */
export async function findPlaces(em: EntityManager, { posSaleId, locationId, items }: WantedPlaces) {
  const sources = items.flatMap(({ targetSourceCode }) => targetSourceCode ?? []);
  const known = await readPlaces.first(em, { posSaleId, locationId, sources });
  return known ?? { isSaleKnown: false, isPlaceKnown: false, hasDamagedShelf: false, unknownSource: null };
}

const readPlaces = statement({
  takes: { posSaleId: orNull(text), locationId: orNull(integer), sources: texts },
  gives: {
    isSaleKnown: surely(flag),
    isPlaceKnown: surely(flag),
    hasDamagedShelf: surely(flag),
    /** The first source named that does not exist. */
    unknownSource: orNull(text),
  },
  text: `
    select exists (select from sale_return where pos_sale_id = $posSaleId::text) as is_sale_known,
      $locationId::int is null or exists (select from pos_location where location_id = $locationId) as is_place_known,
      exists (select from pos_location where location_id = $locationId and damaged_stock_source_code is not null)
        as has_damaged_shelf,
      (select code from unnest($sources::text[]) code where not exists (
         select from inventory_source where source_code = code) limit 1) as unknown_source`,
});
