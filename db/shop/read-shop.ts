import type { EntityManager } from '@mikro-orm/postgresql';
import type { ShopRecord } from '../../domain/shop/shop-records.ts';
import { readCatalog } from './read-catalog.ts';
import { readAdministrators, readPlaces, readSettings, readStaff } from './read-places.ts';
import { readInventory, readStores, readTerms } from './read-selling.ts';

/** The shop as a shop file describes it: names instead of ids, without secrets and without sales. */
export async function readShop(em: EntityManager): Promise<ShopRecord[]> {
  return [
    ...(await readStores(em)),
    ...(await readInventory(em)),
    ...(await readTerms(em)),
    ...(await readCatalog(em)),
    ...(await readSettings(em)),
    ...(await readPlaces(em)),
    ...(await readStaff(em)),
    ...(await readAdministrators(em)),
  ];
}
