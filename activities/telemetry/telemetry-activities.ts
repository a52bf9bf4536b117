import { readConfigValue } from '../../db/platform/stores/read-config-value.ts';
import { databaseNow } from '../../db/support/database-now.ts';
import { findDueDays } from '../../db/telemetry/find-due-days.ts';
import { openTelemetryDays } from '../../db/telemetry/open-telemetry-days.ts';
import { purgeTelemetry } from '../../db/telemetry/purge-telemetry.ts';
import { summariseDay } from '../../db/telemetry/summarise-day.ts';
import { settingDefaults, type SettingPath } from '../../domain/configuration/setting-defaults.ts';
import { retentionDaysOf, telemetryPlan } from '../../domain/telemetry/retention.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';

export type TelemetryActivities = ReturnType<typeof createTelemetryActivities>;

const retentionSetting = 'vendor_pos_advanced/telemetry/retention_days' satisfies SettingPath;

/** One retention for the whole shop: telemetry knows locations, not websites. */
const everywhere = { storeId: 0, websiteId: 0 };

export const createTelemetryActivities = ({ orm }: Pick<ActivityDependencies, 'orm'>) => ({
  /** Which days are due, and the first day of telemetry that is kept. Reads only. */
  async planTelemetry(): Promise<{ dueDays: string[]; daysToOpen: string[]; keptFrom: string }> {
    const em = orm.em.fork();
    const byDefault = settingDefaults[retentionSetting] ?? '';
    const setting = (await readConfigValue(em, retentionSetting, everywhere)) ?? byDefault;
    const now = await databaseNow(em);
    const { keptFrom, lastClosedDay, daysToOpen } = telemetryPlan(now, retentionDaysOf(setting, Number(byDefault)));
    return { dueDays: await findDueDays(em, keptFrom, lastClosedDay), daysToOpen, keptFrom };
  },

  /** Creates partitions for coming days. A repeat finds them. */
  openTelemetryDays: ({ days }: { days: readonly string[] }) => openTelemetryDays(orm.em.fork(), days),

  /** Sums up a day again; a repeat gives the same. */
  summariseDay: ({ day }: { day: string }) => summariseDay(orm.em.fork(), day),

  /** Deletes a batch of events older than that day; a repeat deletes the next batch. */
  purgeTelemetry: (batch: { before: string; limit: number }) => purgeTelemetry(orm.em.fork(), batch),
});
