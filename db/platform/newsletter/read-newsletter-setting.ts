import type { EntityManager } from '@mikro-orm/postgresql';
import { newsletterDefaults } from '../../../domain/platform/newsletter/subscription.ts';
import { readConfigValue } from '../stores/read-config-value.ts';

/** Whether a setting of the newsletter is on in a store view. */
export async function isNewsletterOn(
  em: EntityManager,
  path: keyof typeof newsletterDefaults,
  store: { storeId: number; websiteId: number },
): Promise<boolean> {
  const value = (await readConfigValue(em, path, store)) ?? newsletterDefaults[path];
  return !['', '0', 'false'].includes(value.trim());
}
