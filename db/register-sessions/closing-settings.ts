import type { EntityManager } from '@mikro-orm/postgresql';
import { settingDefaults, type SettingPath } from '../../domain/configuration/setting-defaults.ts';
import { money, parseAmount, zero, type Amount } from '../../domain/money.ts';
import { Location } from '../locations/location.entity.ts';
import { readConfigValue } from '../platform/stores/read-config-value.ts';
import { freshReads } from '../support/fresh-reads.ts';

/** How drawers of a location are counted and closed. */
export interface ClosingSettings {
  forceAfterHours: number;
  countsAllowed: number;
  recountAbove: Amount;
  /** Null: no difference needs a second person. */
  approveAbove: Amount | null;
}

/** As `allowedInstead` permits them. */
const most = { forceAfterHours: 168, countsAllowed: 20 };

const whole = (value: string, path: SettingPath, [least, greatest]: [number, number]): number => {
  const number = /^\d{1,4}$/.test(value.trim()) ? Number(value) : Number(settingDefaults[path]);
  return Math.min(greatest, Math.max(least, number));
};

/** The settings of a location's website and store view. A value that cannot be read is the default. */
export async function readClosingSettings(em: EntityManager, locationId: number): Promise<ClosingSettings> {
  const location = await freshReads(em).findOne(Location, { locationId });
  const scope = { websiteId: Number(location?.websiteId ?? 0), storeId: Number(location?.storeViewId ?? 0) };
  const valueOf = async (path: SettingPath) =>
    (await readConfigValue(em, path, scope)) ?? String(settingDefaults[path] ?? '');
  const force = await valueOf('vendor_pos/closing/force_after_hours');
  const counts = await valueOf('vendor_pos/closing/counts_allowed');
  const recount = await valueOf('vendor_pos/closing/recount_above');
  const approve = await valueOf('vendor_pos/closing/approve_above');
  return {
    forceAfterHours: whole(force, 'vendor_pos/closing/force_after_hours', [0, most.forceAfterHours]),
    countsAllowed: whole(counts, 'vendor_pos/closing/counts_allowed', [1, most.countsAllowed]),
    recountAbove: parseAmount(recount.trim()) ?? zero,
    approveAbove: approve.trim() === '' ? null : (parseAmount(approve.trim()) ?? money('0')),
  };
}
