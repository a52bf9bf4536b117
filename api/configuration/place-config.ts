import type { EntityManager } from '@mikro-orm/postgresql';
import { readShopSettings } from '../../db/configuration/read-shop-settings.ts';
import { findLocation } from '../../db/locations/location.repository.ts';
import { findStaffOfLocation } from '../../db/staff/staff.repository.ts';
import { perDatabase } from '../../db/support/per-database.ts';
import type { SecretBox } from '../../db/support/secret-box.ts';
import type { VersionedSetup } from '../../db/terminals/read-terminal-setup.ts';
import type { Overrides } from '../../domain/configuration/resolve-config.ts';
import { withStoreAddress } from '../../domain/locations/with-store-address.ts';
import { installed, type Capabilities } from '../wire/register/capabilities.ts';
import { renderPlace, renderResolved } from './render-terminal-config.ts';

/** What every register of a place is told alike: the end of the payload, encoded twice, as it goes over the line. */
export interface PlaceConfig {
  /** From the comma behind what is the terminal's own: `config`, `location`, `resolved_config`, `staff` and `roles`. */
  restFor(overrides: Overrides): readonly Buffer[];
  /** In bytes. */
  length: number;
}

export interface PlaceWish {
  setup: VersionedSetup;
  capabilities: Capabilities;
  box: SecretBox;
  /** Read everything anew, whatever is kept. */
  isFresh: boolean;
}

interface Kept {
  key: string;
  config: Promise<PlaceConfig>;
  length: number;
}

/** Bytes of all places together: some hundred locations of twenty people. */
const mostKept = 16_000_000;

/** By location and store view, the one used last at the end. */
const keptPlaces = perDatabase((em) => ({ em, places: new Map<string, Kept>(), length: 0 }));

/**
 * The part of a terminal's configuration that its location shares. Kept for as long as nothing of it changed: the
 * counters that triggers keep are read with each request, so no process answers with what another one has replaced.
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

/** Only what is still there counts; the places that nobody asked for longest make room. */
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

/** Four statements, however many staff there are. */
async function readPlace(em: EntityManager, { setup, capabilities, box }: PlaceWish): Promise<PlaceConfig> {
  const { location_id: locationId } = setup;
  const scope = { storeId: setup.store_id ?? 0, websiteId: setup.website_id ?? 0 };
  const [shop, found, people] = await Promise.all([
    readShopSettings(em, scope, box),
    locationId === null ? undefined : findLocation(em, locationId),
    findStaffOfLocation(em, locationId),
  ]);
  const location = found && withStoreAddress(found, shop);
  const { config, staff, roles, ...place } = renderPlace({ shop, location, capabilities, ...people });
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

/** The members of an object as they stand inside a JSON text that is encoded once more. */
export const membersOf = (record: object) => JSON.stringify(JSON.stringify(record).slice(1, -1)).slice(1, -1);
