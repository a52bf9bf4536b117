import type { EntityManager } from '@mikro-orm/postgresql';
import { secretPaths } from '../../domain/configuration/setting-defaults.ts';
import { publicSettingPaths } from '../../domain/content.ts';
import { beginRenewalOfEverything } from '../content/render-places.ts';
import { ConfigValue, type configScopes } from '../platform/stores/store.entity.ts';
import { lockAdvisory } from '../support/lock-advisory.ts';
import type { SecretBox } from '../support/secret-box.ts';
import { transact } from '../support/transact.ts';

export interface SettingChange {
  path: string;
  /** Null removes the value, so that the wider scope's value applies again. */
  value: string | null;
  scope?: (typeof configScopes)[number];
  /** Website or store view; 0 in the default scope. */
  scopeId?: number;
}

/**
 * Sets one merchant setting in one scope; provider keys are sealed (spec 2.1, 3.6).
 *
 * Safe to repeat: the same value again writes nothing. A trigger increases the config version when registers see the
 * setting. A worker renders content again that may show the value.
 */
export async function setConfigValue(em: EntityManager, box: SecretBox, change: SettingChange): Promise<void> {
  const { path, value, scope = 'default', scopeId = 0 } = change;
  await transact(em, async (tx) => {
    await lockAdvisory(tx, `setting ${path}`);
    const row = await tx.findOne(ConfigValue, { path, scope, scopeId });
    if (value === null ? !row : row && clearOf(row, box) === value) return;
    if (publicSettingPaths.some((one) => one === path)) await beginRenewalOfEverything(tx);
    if (value === null) {
      if (row) tx.remove(row);
      return;
    }
    const isEncrypted = secretPaths.has(path);
    const stored = isEncrypted ? box.seal(value, path) : value;
    if (row) tx.assign(row, { value: stored, isEncrypted });
    else tx.create(ConfigValue, { path, scope, scopeId, value: stored, isEncrypted });
  });
}

/** Undefined where the present key cannot decrypt it: then it is sealed again. */
function clearOf({ path, value, isEncrypted }: ConfigValue, box: SecretBox): string | null | undefined {
  if (!isEncrypted || value === null || value === undefined) return value;
  try {
    return box.open(value, path);
  } catch {
    return undefined;
  }
}
