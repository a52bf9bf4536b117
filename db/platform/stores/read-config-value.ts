import type { EntityManager } from '@mikro-orm/postgresql';
import { freshReads } from '../../support/fresh-reads.ts';
import { ConfigValue } from './store.entity.ts';

/** A platform setting in a store view: its own value, else the website's, else the default. Secrets are not read. */
export async function readConfigValue(
  em: EntityManager,
  path: string,
  { storeId, websiteId }: { storeId: number; websiteId: number },
): Promise<string | undefined> {
  return (await readScopedValue(em, path, { storeId, websiteId }))?.value ?? undefined;
}

/** The value that holds in a store view; undefined where none is set. */
export async function readScopedValue(
  em: EntityManager,
  path: string,
  { storeId, websiteId }: { storeId: number; websiteId: number },
): Promise<Pick<ConfigValue, 'value'> | undefined> {
  const inScope = [
    { scope: 'default' as const },
    { scope: 'websites' as const, scopeId: websiteId },
    { scope: 'stores' as const, scopeId: storeId },
  ];
  const values = await freshReads(em).find(
    ConfigValue,
    { path, isEncrypted: false, $or: inScope },
    { fields: ['scope', 'scopeId', 'value'], orderBy: { scopeId: 'asc' } },
  );
  return nearestValue(values, { storeId, websiteId });
}

/** Of the values of one path the one that holds in a store view: its own, else the website's, else the default. */
export const nearestValue = <Value extends Pick<ConfigValue, 'scope' | 'scopeId'>>(
  values: readonly Value[],
  { storeId, websiteId }: { storeId: number; websiteId: number },
): Value | undefined =>
  values.find(({ scope, scopeId }) => scope === 'stores' && scopeId === storeId) ??
  values.find(({ scope, scopeId }) => scope === 'websites' && scopeId === websiteId) ??
  values.find(({ scope }) => scope === 'default');
