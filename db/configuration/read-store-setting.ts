import type { EntityManager } from '@mikro-orm/postgresql';
import { settingDefaults, type SettingPath } from '../../domain/configuration/setting-defaults.ts';
import { readScopedValue } from '../platform/stores/read-config-value.ts';
import { StoreView } from '../platform/stores/store.entity.ts';
import { freshReads } from '../support/fresh-reads.ts';

/** The value of one setting in a store view, or its default. For settings that are not secret. */
export async function readStoreSetting(em: EntityManager, path: SettingPath, storeId: number): Promise<string> {
  const view = await freshReads(em).findOne(StoreView, { storeId }, { fields: ['websiteId'] });
  const set = await readScopedValue(em, path, { storeId, websiteId: view?.websiteId ?? -1 });
  return set ? (set.value ?? '') : (settingDefaults[path] ?? '');
}
