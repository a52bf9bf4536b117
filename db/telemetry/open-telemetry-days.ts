import type { EntityManager } from '@mikro-orm/postgresql';

/** Gives each day a partition of its own. Safe to repeat, and to run by two at once. Returns how many are new. */
export async function openTelemetryDays(em: EntityManager, days: readonly string[]): Promise<number> {
  let opened = 0;
  for (const day of days) {
    const [row] = await em.execute<{ opened: boolean }[]>('select pos_telemetry_open_day(?::date) as opened', [day]);
    if (row?.opened) opened++;
  }
  return opened;
}
