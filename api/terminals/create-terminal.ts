import { z } from 'zod';
import { requiresCode } from '../../db/terminals/requires-code.ts';
import { saveTerminal } from '../../db/terminals/save-terminal.ts';
import { findTerminal } from '../../db/terminals/terminal.repository.ts';
import { invalid } from '../../domain/errors.ts';
import { authorOf } from '../http/register/author-of.ts';
import { renderTerminal, terminalAnswer } from '../wire/register/render-terminal.ts';
import { route } from '../http/route.ts';
import { terminalPayload, terminalWish } from './terminal-payload.ts';

/**
 * Adds a terminal (spec 4.2). Without a device identifier it gets an activation code. With one it is bound at once: the
 * self-registration of a shop that requires no codes (`require_terminal_registration`, as of the location's website).
 * One more terminal on each call, but a device named again moves to the new one.
 *
 * Refused with: 400 a device where the shop requires codes: nothing is bound past a code · 400 no name, a location or license that does not exist, a malformed identifier or license key,
 * a key of `config_overrides` that is no setting.
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
    const wish = terminalWish(body.terminal);
    if (wish.deviceIdentifier && (await requiresCode(em, wish.locationId ?? null))) throw codeRequired();
    const terminalId = await saveTerminal(em, undefined, wish, authorOf(caller));
    return renderTerminal(await findTerminal(em, terminalId), { showsCode: true });
  },
});

const codeRequired = () =>
  invalid('Could not save the terminal: %1', [
    'a device is bound by an activation code here; leave out device_identifier, and activate the device with the code',
  ]);
