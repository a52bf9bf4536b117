import { z } from 'zod';
import { findTerminal } from '../../db/terminals/terminal.repository.ts';
import { renderTerminal, terminalAnswer } from '../wire/register/render-terminal.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import { mayManageTerminals } from './may-manage-terminals.ts';
import { unknownTerminal } from '../wire/outcomes.ts';

/** One terminal (spec 4.2); with its activation code for those who manage terminals. */
export const getTerminal = route({
  method: 'GET',
  path: '/V1/pos/terminals/:terminalId',
  acl: 'Vendor_Pos::locations',
  summary: 'One terminal',
  name: 'getTerminal',
  description: 'The activation code is null for callers that may not manage terminals.',
  outcomes: [unknownTerminal],
  params: z.object({ terminalId: idParam }),
  response: terminalAnswer,
  isPrivate: true,

  handle: async ({ em, params, caller }) =>
    renderTerminal(await findTerminal(em, params.terminalId), { showsCode: mayManageTerminals(caller) }),
});
