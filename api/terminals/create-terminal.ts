import { z } from 'zod';
import { requiresCode } from '../../db/terminals/requires-code.ts';
import { saveTerminal } from '../../db/terminals/save-terminal.ts';
import { findTerminal } from '../../db/terminals/terminal.repository.ts';
import { invalid } from '../../domain/errors.ts';
import { authorOf } from '../http/register/author-of.ts';
import { renderTerminal, terminalAnswer } from '../wire/register/render-terminal.ts';
import { route } from '../http/route.ts';
import { terminalPayload, terminalWish } from './terminal-payload.ts';
import { terminalNotSaved } from './terminal-outcomes.ts';

/** Adds a terminal (spec 4.2). */
export const createTerminal = route({
  method: 'POST',
  path: '/V1/pos/terminals',
  acl: 'Vendor_Pos::locations_manage',
  summary: 'Add a terminal',
  name: 'createTerminal',
  description: `Without \`device_identifier\` the terminal gets an activation code for \`terminals/activate\`. With
    one it is bound at once; only a website that requires no registration allows that. Each call adds one more
    terminal. A device that is named again moves to the new one.`,
  outcomes: [
    terminalNotSaved,
    {
      status: 400,
      message: 'Invalid device identifier format.',
      when: 'The identifier is not 1 to 100 letters, digits and hyphens.',
      then: 'Make another identifier.',
    },
  ],
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
