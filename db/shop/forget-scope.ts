import type { EntityManager } from '@mikro-orm/postgresql';
import { viewKey, websiteKey } from '../../domain/platform/catalog/scoped-values.ts';
import { integer, text } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

/**
 * Removes what a website says for itself: settings, sealed keys among them, and values of products. The next website may
 * get its number, and must not get its card processor.
 */
export async function forgetWebsite(em: EntityManager, websiteId: number): Promise<void> {
  await settings.run(em, { scope: 'websites', scopeId: websiteId });
  await productValues.run(em, { key: websiteKey(websiteId) });
}

/** As `forgetWebsite`, of a store view; its texts of published content go as well. */
export async function forgetView(em: EntityManager, storeId: number): Promise<void> {
  await settings.run(em, { scope: 'stores', scopeId: storeId });
  await productValues.run(em, { key: viewKey(storeId) });
  await texts.run(em, { storeId });
}

const settings = statement({
  takes: { scope: text, scopeId: integer },
  text: `delete from config_value where scope = $scope and scope_id = $scopeId`,
});

const productValues = statement({
  takes: { key: text },
  text: `update product set scoped_values = scoped_values - $key where jsonb_exists(scoped_values, $key)`,
});

const texts = statement({
  takes: { storeId: integer },
  text: `delete from content_view_text where store_id = $storeId`,
});
