import { LockMode, type EntityManager, type RequiredEntityData } from '@mikro-orm/postgresql';
import { overrideFault } from '../../domain/configuration/override-fault.ts';
import { invalid } from '../../domain/errors.ts';
import { locationFault } from '../../domain/locations/location-fault.ts';
import { findCountry } from '../../domain/platform/directory/countries.ts';
import { factsOf, recordDifference, type Author } from '../audit/record-difference.ts';
import { Source } from '../platform/inventory/source.entity.ts';
import { StoreView } from '../platform/stores/store-view.entity.ts';
import { Website } from '../platform/stores/website.entity.ts';
import { given } from '../support/given.ts';
import { transact } from '../support/transact.ts';
import { noSuchLocation } from './location.repository.ts';
import { Location } from './location.entity.ts';
import { refuseTaken } from '../support/refuse-taken.ts';

/** The fields that an administrator sends; an absent field keeps its value, null inherits the shop's setting. */
export type LocationWish = {
  [Key in keyof Omit<Location, 'locationId' | 'createdAt' | 'updatedAt' | symbol>]?: Location[Key] | undefined;
};

/**
 * Creates a location, or changes one, with its audit lines (spec 2.3, 4.2). A repeated change changes nothing. Each
 * call without an id creates a location, but each code exists only once.
 *
 * Refused with: 404 unknown id · 400 `Could not save the location: %1`.
 *
 * @returns the location's id
 */
export async function saveLocation(
  em: EntityManager,
  { locationId, wish, by }: { locationId?: number; wish: LocationWish; by?: Author },
): Promise<number> {
  const own = locationId === undefined ? locationFault({ name: '', code: '', ...given(wish) }) : locationFault(wish);
  const fault = own ?? overrideFault(wish.configOverrides ?? {});
  if (fault) throw couldNotSave(fault);
  return refuseTaken(
    () => transact(em, (tx) => save(tx, { locationId, wish, by })),
    () => couldNotSave('another location has this code'),
  );
}

async function save(
  em: EntityManager,
  { locationId, wish, by }: { locationId: number | undefined; wish: LocationWish; by: Author | undefined },
): Promise<number> {
  const found = locationId === undefined ? undefined : await lockLocation(em, locationId);
  const before = found ? await factsOf(em, { kind: 'location', id: found.locationId }) : {};
  await refuseUnknown(em, wish, found);
  const location = found ? em.assign(found, given(wish)) : em.create(Location, newLocation(wish));
  await em.flush();
  await recordDifference(em, { subject: { kind: 'location', id: location.locationId }, before, by });
  return location.locationId;
}

async function lockLocation(em: EntityManager, locationId: number): Promise<Location> {
  const found = await em.findOne(Location, { locationId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!found) throw noSuchLocation(locationId);
  return found;
}

const newLocation = (wish: LocationWish): RequiredEntityData<Location> => ({ name: '', code: '', ...given(wish) });

async function refuseUnknown(em: EntityManager, wish: LocationWish, found: Location | undefined): Promise<void> {
  const { websiteId, storeViewId, sourceCode, damagedStockSourceCode, countryId } = wish;
  if (countryId && !findCountry(countryId)) throw couldNotSave('the country does not exist');
  if (websiteId && !(await em.count(Website, { websiteId }))) throw couldNotSave('the website does not exist');
  for (const code of [sourceCode, damagedStockSourceCode])
    if (code && !(await em.count(Source, { sourceCode: code }))) throw couldNotSave('the source does not exist');
  const viewId = storeViewId === undefined ? found?.storeViewId : storeViewId;
  const isNamed = Boolean(storeViewId) || websiteId !== undefined;
  if (!viewId || !isNamed) return;
  const view = await em.findOne(StoreView, { storeId: viewId });
  const place = websiteId ?? found?.websiteId ?? 0;
  if (!view || (place !== 0 && view.websiteId !== place))
    throw couldNotSave('the store view is not one of the website');
}

const couldNotSave = (why: string) => invalid('Could not save the location: %1', [why]);
