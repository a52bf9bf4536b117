import { Location } from '../db/locations/location.entity.ts';
import { Terminal } from '../db/terminals/terminal.entity.ts';
import { notFound } from '../domain/errors.ts';
import { fine, type Answer } from './support/answer.ts';
import { columns } from './support/columns.ts';
import type { CommandContext } from './support/command-context.ts';

/**
 * `terminal code --location CODE` and `terminal code --all`: the activation codes of every register that waits for its device.
 * Nothing is changed, and no device is released.
 *
 * Refused with 404 for an unknown location.
 */
export async function terminalCodes({ em: connect }: CommandContext, code: string | undefined): Promise<Answer> {
  const em = await connect();
  const locations = await em.find(Location, code === undefined ? {} : { code });
  if (code !== undefined && locations.length === 0) throw notFound('No location has the code %1.', [code]);
  const codeOf = new Map(locations.map((location) => [location.locationId, location.code]));
  const terminals = await em.find(
    Terminal,
    { locationId: { $in: [...codeOf.keys()] } },
    { orderBy: { terminalId: 'asc' } },
  );
  const rows = terminals.map(({ terminalId, name, locationId, activationCode, deviceIdentifier }) => ({
    terminal_id: terminalId,
    location: codeOf.get(locationId ?? 0) ?? '',
    name,
    activation_code: deviceIdentifier ? null : (activationCode ?? null),
  }));
  if (rows.length === 0) return fine('There are no registers.', rows);
  return fine(
    columns(
      rows.map(({ location, name, activation_code: waiting }) => [location, name, waiting ?? 'in use by a device']),
    ),
    rows,
  );
}
