import { z } from 'zod';
import { saveTerminal } from '../../db/terminals/save-terminal.ts';
import { findTerminal } from '../../db/terminals/terminal.repository.ts';
import { authorOf } from '../http/register/author-of.ts';
import { renderTerminal, terminalAnswer } from '../wire/register/render-terminal.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import { terminalPayload, terminalWish } from './terminal-payload.ts';
import { badDeviceIdentifier, terminalNotSaved } from './terminal-outcomes.ts';
import { unknownTerminal } from '../wire/outcomes.ts';

/** Changes a terminal (spec 4.2); absent fields stay. */
export const updateTerminal = route({
  method: 'PUT',
  path: '/V1/pos/terminals/:terminalId',
  acl: 'Vendor_Pos::locations_manage',
  summary: 'Change a terminal',
  name: 'updateTerminal',
  description: `What you leave out stays. \`regenerate_activation_code\` makes a new code and releases the device. A
    repeat changes nothing more, but asks for one more code where it says so.`,
  outcomes: [unknownTerminal, terminalNotSaved, badDeviceIdentifier],
  params: z.object({ terminalId: idParam }),
  body: z.object({ terminal: terminalPayload }),
  response: terminalAnswer,
  isPrivate: true,

  async handle({ em, params, body, caller }) {
    await saveTerminal(em, params.terminalId, terminalWish(body.terminal), authorOf(caller));
    return renderTerminal(await findTerminal(em, params.terminalId), { showsCode: true });
  },
});
