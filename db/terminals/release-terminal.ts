import type { EntityManager } from '@mikro-orm/postgresql';
import { unauthorized } from '../../domain/errors.ts';
import { integer, text } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';
import { findTerminal } from './terminal.repository.ts';

/**
 * Releases a terminal's binding at the request of its own device (spec 3.4, `deactivate`).
 *
 * A repeat by the same device finds the binding released and gets the same answer.
 *
 * Refused with: 404 unknown terminal · 401 another device.
 */
export async function releaseTerminal(
  em: EntityManager,
  { terminalId, deviceIdentifier }: { terminalId: number; deviceIdentifier: string },
): Promise<void> {
  if ((await release.run(em, { terminalId, deviceIdentifier })) > 0) return;
  await findTerminal(em, terminalId);
  throw unauthorized('Device identifier mismatch.');
}

const release = statement({
  takes: { terminalId: integer, deviceIdentifier: text },
  text: `
    update pos_terminal
    set released_device_identifier = coalesce(device_identifier, released_device_identifier), device_identifier = null,
      updated_at = now()
    where terminal_id = $terminalId
      and $deviceIdentifier in (
        device_identifier, case when device_identifier is null then released_device_identifier end)`,
});
