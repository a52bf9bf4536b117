import { z } from 'zod';
import { requiresCode } from '../../db/terminals/requires-code.ts';
import { terminals } from '../../db/terminals/terminals.ts';
import { invalid } from '../../domain/errors.ts';
import { authorOf } from '../http/register/author-of.ts';
import { resource } from '../http/resource.ts';
import { route, type AnyRoute, type Outcome } from '../http/route.ts';
import { unknownTerminal } from '../wire/outcomes.ts';
import { renderTerminal, terminalAnswer } from '../wire/register/render-terminal.ts';
import { flag, integer, listAnswer, payload, text } from '../wire/schemas.ts';
import { everything, renderList, searchCriteria, unknownField } from '../wire/search-criteria.ts';
import { badDeviceIdentifier } from './terminal-outcomes.ts';

/**
 * What an administrator sends (spec 2.4). Fields that the server sets are accepted and ignored, so that an answer can be
 * sent back. `license_key` links the license service's license (our choice); it is never answered here, registers get it
 * with their license.
 */
const sentTerminal = payload({
  name: text(255).optional(),
  device_identifier: text(1_000).nullable().optional(),
  location_id: integer.nullable().optional(),
  is_active: flag.optional(),
  license_id: integer.nullable().optional(),
  license_key: text(1_000).optional(),
  config_overrides: z.record(z.string(), z.unknown()).optional(),
  regenerate_activation_code: flag.optional(),
  terminal_id: z.unknown().optional(),
  activation_code: z.unknown().optional(),
  activation_used_at: z.unknown().optional(),
  last_seen_at: z.unknown().optional(),
  created_at: z.unknown().optional(),
  updated_at: z.unknown().optional(),
}).meta({ id: 'Terminal' });

const draftOf = (given: z.output<typeof sentTerminal>) => ({
  name: given.name,
  deviceIdentifier: given.device_identifier === '' ? null : given.device_identifier,
  locationId: given.location_id,
  isActive: given.is_active,
  licenseId: given.license_id,
  licenseKey: given.license_key,
  configOverrides: given.config_overrides,
  regenerateActivationCode: given.regenerate_activation_code,
});

const terminal = resource({
  records: terminals,
  acl: 'Vendor_Pos::locations',
  changesNeed: 'Vendor_Pos::locations_manage',
  unknown: unknownTerminal,
  body: 'terminal',
  sent: sentTerminal,
  draft: draftOf,
  answer: terminalAnswer,
  /** Only callers who manage terminals see activation codes (our choice). */
  render: (row, caller) => renderTerminal(row, { showsCode: caller?.can('Vendor_Pos::locations_manage') === true }),
});

const terminalNotSaved: Outcome = {
  status: 400,
  message: 'Could not save the terminal: %1',
  when: 'The name is missing, the location or license does not exist, or a key of `config_overrides` is no setting. The parameter says which.',
  then: 'Correct what the parameter names.',
};

/** The shop's terminals (spec 4.2). */
const listTerminals = route({
  method: 'GET',
  path: '/V1/pos/terminals',
  acl: 'Vendor_Pos::locations',
  summary: 'List terminals',
  name: 'listTerminals',
  description: `Without criteria every terminal of the shop. The activation code is null for callers that may not
    manage terminals, and cannot be searched.`,
  outcomes: [unknownField],
  query: z.object({ searchCriteria: searchCriteria.default(everything) }),
  response: listAnswer(terminalAnswer),
  isPrivate: true,

  async handle({ reader, query, caller }) {
    const { rows, totalCount } = await terminals.search(reader, query.searchCriteria);
    return renderList(
      query.searchCriteria,
      rows.map((row) => terminal.render(row, caller)),
      totalCount,
    );
  },
});

/** Adds a terminal (spec 4.2). */
const createTerminal = route({
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
  body: z.object({ terminal: sentTerminal }),
  response: terminalAnswer,
  isPrivate: true,

  async handle({ em, body, caller }) {
    const wish = draftOf(body.terminal);
    if (wish.deviceIdentifier && (await requiresCode(em, wish.locationId ?? null))) throw codeRequired();
    return terminal.render(await terminals.save(em, { draft: wish, by: authorOf(caller) }), caller);
  },
});

const codeRequired = () =>
  invalid('Could not save the terminal: %1', [
    'a device is bound by an activation code here; leave out device_identifier, and activate the device with the code',
  ]);

/** The shop's terminals (spec 4.2). */
export const terminalRoutes: readonly AnyRoute[] = [
  listTerminals,

  terminal.get({
    path: '/V1/pos/terminals/:terminalId',
    name: 'getTerminal',
    summary: 'One terminal',
    description: 'The activation code is null for callers that may not manage terminals.',
    isPrivate: true,
  }),

  createTerminal,

  terminal.update({
    path: '/V1/pos/terminals/:terminalId',
    name: 'updateTerminal',
    summary: 'Change a terminal',
    description: `What you leave out stays. \`regenerate_activation_code\` makes a new code and releases the device. A
      repeat changes nothing more, but asks for one more code where it says so.`,
    outcomes: [terminalNotSaved, badDeviceIdentifier],
    isPrivate: true,
  }),

  terminal.remove({
    path: '/V1/pos/terminals/:terminalId',
    name: 'deleteTerminal',
    summary: 'Delete a terminal',
    description: 'Removes the terminal and its binding. A repeat is a 404.',
  }),
];
