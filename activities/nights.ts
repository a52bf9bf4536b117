import type { EntityManager } from '@mikro-orm/postgresql';
import { asyncLocalStorage, cancellationSignal } from '@temporalio/activity';
import { purgeVersions } from '../db/content/purge-versions.ts';
import { keepCheck } from '../db/ops/books-checks.ts';
import { markNightEnded, markNightWorked } from '../db/ops/nights.ts';
import { openIndexDay, reindexDue, type Reindexed } from '../db/platform/catalog-rules/reindex-due.ts';
import { readConfigValue } from '../db/platform/stores/read-config-value.ts';
import { purgeLeftovers, type Purged } from '../db/retention.ts';
import { purgeOneTimeCodes } from '../db/self-checkout/read-code-to-tell.ts';
import { databaseNow } from '../db/support/database-now.ts';
import { compactAllCounts } from '../db/support/stored-count.ts';
import { untilAborted } from '../db/support/connections/until-aborted.ts';
import { mostAtOnce } from '../db/support/save-rows.ts';
import { findDueDays } from '../db/telemetry/find-due-days.ts';
import { openTelemetryDays } from '../db/telemetry/open-telemetry-days.ts';
import { purgeTelemetry, type Purged as PurgedTelemetry } from '../db/telemetry/purge-telemetry.ts';
import { summariseDay } from '../db/telemetry/summarise-day.ts';
import { settingDefaults, type SettingPath } from '../domain/configuration/setting-defaults.ts';
import { versionsStoredOf } from '../domain/content.ts';
import { guestCartDaysOf, guestCartPath } from '../domain/platform/carts/shop-choices.ts';
import { timeZonesInUse } from '../db/platform/stores/time-zone.ts';
import { retentionDaysOf, telemetryPlan } from '../domain/telemetry.ts';
import type { BooksInput } from '../workflows/messages.ts';
import { whileAlive, type ActivityDependencies } from './support.ts';

export type CatalogRuleActivities = ReturnType<typeof createCatalogRuleActivities>;

/** One transaction: short enough to delay no other, long enough that its own cost hardly counts. */
const productsPerBatch = 2_000;
/** One activity: well within its timeout, with few history events in a long run. */
const batchesPerStep = 25;

export const createCatalogRuleActivities = ({ orm }: Pick<ActivityDependencies, 'orm'>) => ({
  /** Moves the prices of every website to the website's current day. A repeat changes nothing. See `openIndexDay`. */
  openIndexDay: async (): Promise<number> => {
    const em = orm.em.fork();
    return openIndexDay(em, await databaseNow(em));
  },

  /**
   * Recalculates the next due prices, batch by batch, each committed; a repeat continues. It sends heartbeats,
   * because one batch may take longer than the heartbeat timeout. When cancelled, it stops between two batches.
   */
  reindexDue: (): Promise<Reindexed> =>
    whileAlive(async () => {
      const signal = cancellationSignal();
      const total: Reindexed = { products: 0, changed: 0, isDone: false };
      for (let batch = 0; batch < batchesPerStep && !total.isDone; batch++) {
        signal.throwIfAborted();
        const done = await reindexDue(orm.em.fork(), { limit: productsPerBatch });
        total.products += done.products;
        total.changed += done.changed;
        total.isDone = done.isDone;
      }
      return total;
    }),
});

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
    const stored = versionsStoredOf(setting);
    const versions = await purgeVersions(em, { kept: stored, limit });
    const isPurged = isDone && versions < limit;
    // Last, and once: a batch that still deletes leaves the counts alone.
    const isCounted = isPurged && (await compactAllCounts(em)) < mostAtOnce;
    await (isCounted ? markNightEnded : markNightWorked)(em, 'purge-leftovers');
    return { removed: { ...removed, content_version: versions }, isDone: isCounted };
  },
});

export type SelfCheckoutActivities = ReturnType<typeof createSelfCheckoutActivities>;

export const createSelfCheckoutActivities = ({ orm }: Pick<ActivityDependencies, 'orm'>) => ({
  /** Deletes a batch of expired codes and answers how many; a repeat deletes the next batch. */
  purgeOneTimeCodes: ({ limit }: { limit: number }) => purgeOneTimeCodes(orm.em.fork(), { limit }),
});

export type TelemetryActivities = ReturnType<typeof createTelemetryActivities>;

const retentionSetting = 'vendor_pos_advanced/telemetry/retention_days' satisfies SettingPath;

export const createTelemetryActivities = ({ orm }: Pick<ActivityDependencies, 'orm'>) => ({
  /** Which days are due, and the first day of telemetry that is kept. Reads only. */
  async planTelemetry(): Promise<{ dueDays: string[]; daysToOpen: string[]; keptFrom: string }> {
    const em = orm.em.fork();
    const byDefault = settingDefaults[retentionSetting] ?? '';
    const setting = (await readConfigValue(em, retentionSetting, everywhere)) ?? byDefault;
    const now = await databaseNow(em);
    const retentionDays = retentionDaysOf(setting, Number(byDefault));
    const { keptFrom, lastClosedDay, daysToOpen } = telemetryPlan(now, retentionDays, await timeZonesInUse(em));
    return { dueDays: await findDueDays(em, keptFrom, lastClosedDay), daysToOpen, keptFrom };
  },

  /** Creates partitions for coming days. A repeat finds them. */
  openTelemetryDays: ({ days }: { days: readonly string[] }) => openTelemetryDays(orm.em.fork(), days),

  /** Sums up a day again; a repeat gives the same. */
  summariseDay: ({ day }: { day: string }) => summariseDay(orm.em.fork(), day),

  /** Deletes a batch of events older than that day; a repeat deletes the next batch. */
  async purgeTelemetry(batch: { before: string; limit: number }): Promise<PurgedTelemetry> {
    const em = orm.em.fork();
    const purged = await purgeTelemetry(em, batch);
    await (purged.isDone ? markNightEnded : markNightWorked)(em, 'roll-up-telemetry');
    return purged;
  },
});

export type BooksActivities = ReturnType<typeof createBooksActivities>;

export interface CheckToRun extends BooksInput {
  /** Of this run: it leaves one line. */
  runKey: string;
}

/** Who checked, as the page shows it: nobody of the staff. */
const byNight = 'schedule check-books';

export const createBooksActivities = ({ orm, openBooks }: Pick<ActivityDependencies, 'orm' | 'openBooks'>) => ({
  /**
   * Checks every rule and keeps what it found, under the name of who asked, else the schedule's; a repeat of the same
   * run checks again and keeps the first line. It gives up when it is cancelled, and when its worker ends: another one
   * begins anew.
   */
  checkBooks: ({ runKey, checkedBy = byNight }: CheckToRun): Promise<{ rules: number; broken: string[] }> =>
    whileAlive(async (tell) => {
      // Loaded by the night: a worker by day does without the rules, and without their connection.
      const { invariants, verify } = await import('../books/verify/verify.ts');
      const own = await openBooks?.();
      const signal = asyncLocalStorage.getStore()?.cancellationSignal;
      await markNightWorked(orm.em.fork(), 'check-books');
      const look = (em: EntityManager) =>
        verify(em, {
          tell: (howFar) => {
            signal?.throwIfAborted();
            tell(howFar);
          },
        });
      try {
        const em = (own ?? orm).em.fork();
        const ends = signal && own && { own: em, other: orm.em.fork(), signal };
        const findings = await (ends ? untilAborted(ends, () => look(em)) : look(em));
        const rules = invariants.length;
        await keepCheck(orm.em.fork(), { checkedBy, runKey, rules, findings });
        await markNightEnded(orm.em.fork(), 'check-books');
        return { rules, broken: findings.map(({ id }) => id) };
      } finally {
        await own?.close();
      }
    }),
});
