import { z } from 'zod';
import { configHash } from '../../db/configuration/config-hash.ts';
import { noteSoftware } from '../../db/terminals/note-software.ts';
import { readTerminalSetup, type VersionedSetup } from '../../db/terminals/read-terminal-setup.ts';
import { JsonText } from '../wire/json-text.ts';
import { capabilitiesOf, installed } from '../wire/register/capabilities.ts';
import { secretBoxOf } from '../http/register/secret-box-of.ts';
import { route, type RouteContext } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import { membersOf, placeConfig } from './place-config.ts';
import { renderOwn, terminalConfigAnswer } from './render-terminal-config.ts';
import { unknownTerminal } from '../wire/outcomes.ts';

/**
 * Everything a register needs to work, in one answer encoded twice (spec 2.2, 4.1). Carries provider keys and license
 * secrets in clear, so it is never stored on the way. One statement when nothing changed for the location since it was
 * last asked for, six otherwise, however many staff there are; `Cache-Control: no-cache` asks for the six.
 */
export const getTerminalConfig = route({
  method: 'GET',
  path: '/V1/pos/terminals/:terminalId/config',
  acl: 'Vendor_Pos::locations',
  summary: 'The whole configuration of one terminal, encoded twice',
  name: 'getTerminalConfig',
  description: `Everything a register needs to work: its terminal, license, settings, location, staff and roles.
    Pull it at the start, and whenever \`config_hash\` of a heartbeat is new. The answer is a JSON text inside JSON:
    parse it twice. \`resolved_config\` is what counts: the terminal’s overrides over the location’s values over the
    shop’s. Keys of card providers are in clear.`,
  outcomes: [unknownTerminal],
  headers: {
    read: [
      {
        name: 'Cache-Control',
        description: `With \`no-cache\` everything is read again. Without it, data that a location's registers share may
          come from memory, until it changes.`,
        example: 'no-cache',
      },
    ],
  },
  params: z.object({ terminalId: idParam }),
  response: terminalConfigAnswer,
  isDoubleEncoded: true,
  isPrivate: true,

  readAhead: ({ reader, params }) => readTerminalSetup(reader, params.terminalId),

  async handle(request) {
    const { reader, ahead: setup, settings, providers, now, header } = request;
    void noteBehind(request, setup);
    const box = secretBoxOf(settings);
    const capabilities = capabilitiesOf(providers);
    const isFresh = /\bno-cache\b/i.test(header('cache-control') ?? '');
    const place = await placeConfig(reader, { setup, capabilities, box, isFresh });
    const own = membersOf(renderOwn({ setup, box, now }));
    return new JsonText(`"{${own}`, ...place.restFor(setup.config_overrides));
  },
});

/** For the operator's page Tills. Nobody waits for it, and a fetch succeeds without. */
async function noteBehind({ reader, providers, header, log }: RouteContext, setup: VersionedSetup): Promise<void> {
  const { terminal_id: terminalId, own_versions: versions } = setup;
  try {
    await noteSoftware(reader, {
      terminalId,
      configHash: configHash({ versions, installed: installed(capabilitiesOf(providers)) }),
      agent: header('user-agent'),
    });
  } catch (error) {
    log.warn({ terminalId, error }, 'what a register fetched could not be noted; the next fetch tries again');
  }
}
