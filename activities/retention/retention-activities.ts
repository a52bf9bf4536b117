import { compactAllCounts, mostAtOnce } from '../../db/support/compact-counts.ts';
import { purgeVersions } from '../../db/content/purge-versions.ts';
import { readConfigValue } from '../../db/platform/stores/read-config-value.ts';
import { purgeLeftovers, type Purged } from '../../db/retention/purge-leftovers.ts';
import type { SettingPath } from '../../domain/configuration/setting-defaults.ts';
import { guestCartDaysOf, guestCartPath } from '../../domain/platform/carts/guest-cart-days.ts';
import { versionsKeptOf } from '../../domain/content/versions-kept.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';

export type RetentionActivities = ReturnType<typeof createRetentionActivities>;

const versionsSetting = 'vendor_cms/versions/kept' satisfies SettingPath;

/** One setting for the whole shop. */
const everywhere = { storeId: 0, websiteId: 0 };

export const createRetentionActivities = ({ orm }: Pick<ActivityDependencies, 'orm'>) => ({
  /**
   * Deletes a batch of rows past their retention, and adds up the counts of lists; a repeat deletes the next batch.
   * See `purgeLeftovers`, `purgeVersions`, `compactAllCounts`.
   */
  async purgeLeftovers({ limit }: { limit: number }): Promise<Purged> {
    const em = orm.em.fork();
    const guestCartDays = guestCartDaysOf(await readConfigValue(em, guestCartPath, everywhere));
    const { removed, isDone } = await purgeLeftovers(em, { limit, guestCartDays });
    const setting = await readConfigValue(em, versionsSetting, everywhere);
    const kept = versionsKeptOf(setting);
    const versions = await purgeVersions(em, { kept, limit });
    const isPurged = isDone && versions < limit;
    // Last, and once: a batch that still deletes leaves the counts alone.
    const isCounted = isPurged && (await compactAllCounts(em)) < mostAtOnce;
    return { removed: { ...removed, content_version: versions }, isDone: isCounted };
  },
});
