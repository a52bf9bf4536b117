import type { EntityManager } from '@mikro-orm/postgresql';
import { overrideFault } from '../../domain/configuration/resolvables.ts';
import { locationFault } from '../../domain/locations.ts';
import { findCountry } from '../../domain/platform/directory.ts';
import { locationNotSaved } from '../../domain/refusals/register.ts';
import { trailOf, type Author } from '../audit/record-difference.ts';
import { Source } from '../platform/inventory/stock.entity.ts';
import { StoreView, Website } from '../platform/stores/store.entity.ts';
import { definedFields } from '../support/defined-fields.ts';
import { records, type Records } from '../support/records.ts';
import { deleteLocation } from './delete-location.ts';
import { Location } from './location.entity.ts';
import { noSuchLocation, type LocationRow } from './location.repository.ts';
import { locationFields, readLocation, searchLocations } from './read-locations.ts';

/** The fields that an administrator sends; an absent field keeps its value, null inherits the shop's setting. */
export type LocationDraft = {
  [Key in keyof Omit<Location, 'locationId' | 'createdAt' | 'updatedAt' | symbol>]?: Location[Key] | undefined;
};

const saved = records<Location, LocationDraft, number, Author>({
  entity: Location,
  key: 'locationId',
  fields: locationFields,
  unknown: noSuchLocation,
  taken: () => couldNotSave('another location has this code'),
  trail: trailOf('location'),

  check(_tx, draft, id) {
    const own = locationFault(id === undefined ? { name: '', code: '', ...definedFields(draft) } : draft);
    const fault = own ?? overrideFault(draft.configOverrides ?? {});
    if (fault) throw couldNotSave(fault);
  },

  async write(tx, draft, known) {
    await refuseUnknown(tx, draft, known);
    const columns = definedFields(draft);
    return known ? tx.assign(known, columns) : tx.create(Location, { name: '', code: '', ...columns });
  },
});

/**
 * The locations of a shop, with their audit lines (spec 2.3, 4.2). Each code exists only once. Rows are read as they
 * are stored, because a register's configuration names the columns.
 *
 * Refused with: 404 unknown id · 400 `Could not save the location: %1`; a deletion as in `deleteLocation`.
 */
export const locations: Records<LocationRow, LocationDraft, number, Author> = {
  search: searchLocations,
  find: readLocation,
  save: async (em, save) => readLocation(em, (await saved.save(em, save)).locationId),
  remove: (em, locationId, by) => deleteLocation(em, { locationId, ...(by && { by }) }),
};

async function refuseUnknown(em: EntityManager, draft: LocationDraft, found: Location | undefined): Promise<void> {
  const { websiteId, storeViewId, sourceCode, damagedStockSourceCode, countryId } = draft;
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

const couldNotSave = (why: string) => locationNotSaved([why]);
