import { z } from 'zod';
import { deleteTerminal as remove } from '../../db/terminals/delete-terminal.ts';
import { authorOf } from '../http/register/author-of.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import { unknownTerminal } from '../wire/outcomes.ts';

/** Deletes a terminal (spec 4.2). */
export const deleteTerminal = route({
  method: 'DELETE',
  path: '/V1/pos/terminals/:terminalId',
  acl: 'Vendor_Pos::locations_manage',
  summary: 'Delete a terminal',
  name: 'deleteTerminal',
  description: 'Removes the terminal and its binding. A repeat is a 404.',
  outcomes: [unknownTerminal],
  params: z.object({ terminalId: idParam }),
  response: z.literal(true),

  async handle({ em, params: { terminalId }, caller }) {
    await remove(em, { terminalId, by: authorOf(caller) });
    return true as const;
  },
});
