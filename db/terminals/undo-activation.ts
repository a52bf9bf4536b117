import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * Takes an activation back that the license service did not allow: the device is released, the code can be used again
 * (spec 4.2). Nothing for a terminal that is another device's, or whose code is another one, by now; safe to repeat.
 */
export async function undoActivation(
  em: EntityManager,
  { terminalId, deviceIdentifier }: { terminalId: number; deviceIdentifier: string },
): Promise<void> {
  await em.execute(
    `update pos_terminal set device_identifier = null, activation_used_at = null, updated_at = now()
     where terminal_id = ? and device_identifier = ?`,
    [terminalId, deviceIdentifier],
  );
}
