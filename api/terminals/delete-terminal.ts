import { z } from 'zod';
import { deleteTerminal as remove } from '../../db/terminals/delete-terminal.ts';
import { authorOf } from '../http/register/author-of.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';

/**
 * Deletes a terminal (spec 4.2). A repeat is a 404.
 *
 * Refused with: 404 unknown id · 400 `Could not delete the terminal: %1`.
 */
export const deleteTerminal = route({
  method: 'DELETE',
  path: '/V1/pos/terminals/:terminalId',
  acl: 'Vendor_Pos::locations_manage',
  summary: 'Delete a terminal',
  params: z.object({ terminalId: idParam }),
  response: z.literal(true),

  async handle({ em, params: { terminalId }, caller }) {
    await remove(em, { terminalId, by: authorOf(caller) });
    return true as const;
  },
});
