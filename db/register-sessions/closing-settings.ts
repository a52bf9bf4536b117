import type { EntityManager } from '@mikro-orm/postgresql';
import { settingDefaults, type SettingPath } from '../../domain/configuration/setting-defaults.ts';
import { parseAmount, zero, type Amount } from '../../domain/money.ts';
import { nothingSealed, readShopSettings } from '../configuration/read-shop-settings.ts';
import { Location } from '../locations/location.entity.ts';
import { freshReads } from '../support/fresh-reads.ts';

/** How drawers of a location are counted and closed. */
export interface ClosingSettings {
  forceAfterHours: number;
  countsAllowed: number;
  recountAbove: Amount;
  /** Null: no difference needs a second person. */
  approveAbove: Amount | null;
}

const paths = {
  force: 'vendor_pos/closing/force_after_hours',
  counts: 'vendor_pos/closing/counts_allowed',
  recount: 'vendor_pos/closing/recount_above',
  approve: 'vendor_pos/closing/approve_above',
} as const satisfies Record<string, SettingPath>;

/** As `allowedInstead` permits them. */
const most = { forceAfterHours: 168, countsAllowed: 20 };

/** The settings of a location's website and store view. A value that cannot be read is the default. */
export async function readClosingSettings(em: EntityManager, locationId: number): Promise<ClosingSettings> {
  const location = await freshReads(em).findOne(Location, { locationId });
  const place = { websiteId: location?.websiteId ?? 0, storeId: location?.storeViewId ?? 0 };
  const settings = await readShopSettings(em, place, nothingSealed, Object.values(paths));
  const whole = (path: SettingPath, least: number, greatest: number): number => {
    const value = settings.text(path).trim();
    const number = /^\d{1,4}$/.test(value) ? Number(value) : Number(settingDefaults[path]);
    return Math.min(greatest, Math.max(least, number));
  };
  const approve = settings.text(paths.approve).trim();
  return {
    forceAfterHours: whole(paths.force, 0, most.forceAfterHours),
    countsAllowed: whole(paths.counts, 1, most.countsAllowed),
    recountAbove: parseAmount(settings.text(paths.recount).trim()) ?? zero,
    approveAbove: approve === '' ? null : (parseAmount(approve) ?? zero),
  };
}
