import type { EntityManager } from '@mikro-orm/postgresql';
import { unauthorized } from '../../domain/errors.ts';
import { findTerminal } from './terminal.repository.ts';

/**
 * Releases a terminal's binding at its own device's wish (spec 3.4, `deactivate`).
 *
 * A repeat by the same device finds the binding released and is as good as the first.
 *
 * Refused with: 404 unknown terminal · 401 another device.
 */
export async function releaseTerminal(
  em: EntityManager,
  { terminalId, deviceIdentifier }: { terminalId: number; deviceIdentifier: string },
): Promise<void> {
  const released = await em.execute<{ terminal_id: number }[]>(
    `update pos_terminal
     set released_device_identifier = coalesce(device_identifier, released_device_identifier), device_identifier = null,
       updated_at = now()
     where terminal_id = ? and ? in (device_identifier, case when device_identifier is null then released_device_identifier end)
     returning terminal_id`,
    [terminalId, deviceIdentifier],
  );
  if (released.length > 0) return;
  await findTerminal(em, terminalId);
  throw unauthorized('Device identifier mismatch.');
}
