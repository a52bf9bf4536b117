import { z } from 'zod';
import { saveTerminal } from '../../db/terminals/save-terminal.ts';
import { findTerminal } from '../../db/terminals/terminal.repository.ts';
import { authorOf } from '../support/register/author-of.ts';
import { renderTerminal, terminalAnswer } from '../support/register/render-terminal.ts';
import { route } from '../support/route.ts';
import { terminalPayload, terminalWish } from './terminal-payload.ts';

/**
 * Adds a terminal (spec 4.2): with a device identifier it is bound at once, as in self-registration without codes;
 * without one it gets an activation code. One more terminal on each call, but a device named again moves to the new one.
 *
 * Refused with: 400 no name, a location or license that does not exist, a malformed identifier or license key.
 */
export const createTerminal = route({
  method: 'POST',
  path: '/V1/pos/terminals',
  acl: 'Vendor_Pos::locations_manage',
  summary: 'Add a terminal',
  body: z.object({ terminal: terminalPayload }),
  response: terminalAnswer,
  isPrivate: true,

  async handle({ em, body, caller }) {
    const terminalId = await saveTerminal(em, undefined, terminalWish(body.terminal), authorOf(caller));
    return renderTerminal(await findTerminal(em, terminalId), { showsCode: true });
  },
});
