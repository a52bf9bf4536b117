import type { EntityManager } from '@mikro-orm/postgresql';
import { readShopSettings } from '../../db/configuration/read-shop-settings.ts';
import { readFixedTaxAttributes } from '../../db/platform/catalog/fixed-tax-attributes.ts';
import { findLocation } from '../../db/locations/location.repository.ts';
import { findStaffOfLocation } from '../../db/staff/staff.repository.ts';
import { perDatabase } from '../../db/support/per-database.ts';
import type { SecretBox } from '../../db/support/secret-box.ts';
import type { VersionedSetup } from '../../db/terminals/read-terminal-setup.ts';
import type { Overrides } from '../../domain/configuration/resolve-config.ts';
import { withStoreAddress } from '../../domain/locations/with-store-address.ts';
import { installed, type Capabilities } from '../wire/register/capabilities.ts';
import { renderPlace, renderResolved } from './render-terminal-config.ts';

/** The part of the configuration that all registers of a place share: the end of the payload, already encoded twice. */
export interface PlaceConfig {
  /** From the comma after the terminal's own part: `config`, `location`, `resolved_config`, `staff` and `roles`. */
  restFor(overrides: Overrides): readonly Buffer[];
  /** In bytes. */
  length: number;
}

export interface PlaceWish {
  setup: VersionedSetup;
  capabilities: Capabilities;
  box: SecretBox;
  /** Reads everything again and ignores the cache. */
  isFresh: boolean;
}

interface Kept {
  key: string;
  config: Promise<PlaceConfig>;
  length: number;
}

/** The most bytes of all cached places: some hundred locations of twenty people. */
const mostKept = 16_000_000;

/** By location and store view, the last used one at the end. */
const keptPlaces = perDatabase((em) => ({ em, places: new Map<string, Kept>(), length: 0 }));

/**
 * The part of a terminal's configuration that its location shares. It is cached while its version is unchanged: each
 * request reads the counters that triggers maintain, so no process answers with an outdated version.
 */
export function placeConfig(em: EntityManager, wish: PlaceWish): Promise<PlaceConfig> {
  const { setup, capabilities, isFresh } = wish;
  const kept = keptPlaces(em);
  const place = `${setup.location_id} ${setup.store_id}`;
  const key = `${setup.versions} ${setup.website_id} ${installed(capabilities)}`;
  const known = kept.places.get(place);
  if (known && known.key === key && !isFresh) {
    kept.places.delete(place);
    kept.places.set(place, known);
    return known.config;
  }
  const made: Kept = { key, config: readPlace(kept.em, wish), length: 0 };
  forget(kept, place, known);
  kept.places.set(place, made);
  void made.config.then(
    ({ length }) => note(kept, place, made, length),
    () => forget(kept, place, made),
  );
  return made.config;
}

type KeptPlaces = ReturnType<typeof keptPlaces>;

/** Counts only existing entries; the places not requested for longest are removed first. */
function note(kept: KeptPlaces, place: string, made: Kept, length: number): void {
  if (kept.places.get(place) !== made) return;
  made.length = length;
  kept.length += length;
  for (const [oldest, one] of kept.places) {
    if (kept.length <= mostKept) return;
    forget(kept, oldest, one);
  }
}

function forget(kept: KeptPlaces, place: string, one: Kept | undefined): void {
  if (!one || kept.places.get(place) !== one) return;
  kept.places.delete(place);
  kept.length -= one.length;
}

/** Five statements, whatever the number of staff. */
async function readPlace(em: EntityManager, { setup, capabilities, box }: PlaceWish): Promise<PlaceConfig> {
  const { location_id: locationId } = setup;
  const scope = { storeId: setup.store_id ?? 0, websiteId: setup.website_id ?? 0 };
  const [shop, found, people, fixedTaxes] = await Promise.all([
    readShopSettings(em, scope, box),
    locationId === null ? undefined : findLocation(em, locationId),
    findStaffOfLocation(em, locationId),
    readFixedTaxAttributes(em, scope.storeId),
  ]);
  const location = found && withStoreAddress(found, shop);
  const { config, staff, roles, ...place } = renderPlace({ shop, location, capabilities, fixedTaxes, ...people });
  const resolve = (overrides: Overrides) =>
    Buffer.from(membersOf({ resolved_config: renderResolved({ shop, location, capabilities, overrides }) }));
  const shared = Buffer.from(`,${membersOf({ config, ...place })},`);
  const resolved = resolve({});
  const whole = Buffer.concat([shared, resolved, Buffer.from(`,${membersOf({ staff, roles })}}"`)]);
  const before = whole.subarray(0, shared.length);
  const behind = whole.subarray(shared.length + resolved.length);
  return {
    restFor: (overrides) => (Object.keys(overrides).length === 0 ? [whole] : [before, resolve(overrides), behind]),
    length: whole.length,
  };
}

/** The members of an object as they appear within a JSON text that is encoded once more. */
export const membersOf = (record: object) => JSON.stringify(JSON.stringify(record).slice(1, -1)).slice(1, -1);
