import { z } from 'zod';
import { knownSession } from '../../db/register-sessions/find-session.ts';
import { readWholeSession, searchSessions } from '../../db/register-sessions/read-sessions.ts';
import { attributeNameNotValid, waitedTooLong, workflowsAway } from '../../domain/refusals/platform.ts';
import { finerThanCoin } from '../../domain/refusals/money.ts';
import {
  sessionStaffUnknown,
  currencyOpenedTwice,
  drawerAlreadyOpen,
  drawerNotFound,
  drawerOfOtherLocation,
  registerSessionNotFound,
  terminalOfOtherLocation,
  uuidReused,
} from '../../domain/refusals/register-sessions.ts';
import { openUpdate } from '../../workflows/register-sessions/messages.ts';
import { route, type RouteContext } from '../http/route.ts';
import { everything, renderList, searchCriteria, tooManyRows } from '../wire/criteria.ts';
import { unknownLocation, unknownTerminal } from '../wire/outcomes.ts';
import { listAnswer, payload, recordId } from '../wire/schemas.ts';
import {
  hashOf,
  mostLines,
  named,
  openingLine,
  refuseTwice,
  storedLine,
  uuid,
  uuidParam,
  makeOnce,
} from './ask-session.ts';
import { listedSessionAnswer, renderSession, renderWholeSession, sessionAnswer } from './session-answers.ts';

const sessionBody = payload({
  register_session_uuid: uuid,
  terminal_id: recordId,
  drawer_id: recordId.optional(),
  location_id: recordId,
  staff_id: recordId.optional(),
  opening: z.array(openingLine).min(1).max(mostLines),
});

/** Opens a drawer with what was counted in it. */
export const openRegisterSession = route({
  method: 'POST',
  path: '/V1/pos/register-sessions',
  acl: 'Vendor_Pos::locations',
  summary: 'Open a drawer',
  name: 'openRegisterSession',
  description: `The register makes \`register_session_uuid\`, which is the session’s only identity: a repeat answers the
    stored session. \`opening\` is what was counted in the drawer, a line for each currency that it will hold. Without
    \`drawer_id\` the terminal’s own drawer is opened; a shared drawer serves several terminals of a location. Name the
    session on each receipt, payment and refund.`,
  outcomes: [
    unknownLocation,
    unknownTerminal,
    drawerNotFound,
    terminalOfOtherLocation,
    drawerOfOtherLocation,
    sessionStaffUnknown,
    currencyOpenedTwice,
    finerThanCoin,
    drawerAlreadyOpen,
    uuidReused,
    workflowsAway,
    waitedTooLong,
  ],
  commits: 'several',
  body: z.object({ session: sessionBody }),
  response: sessionAnswer,

  async handle(request) {
    const { em, body } = request;
    const { opening: sent, register_session_uuid: sentUuid, ...place } = body.session;
    const registerSessionUuid = named(sentUuid);
    const opening = sent.map(storedLine);
    refuseTwice(opening.map(({ currency }) => currency));
    const requestHash = hashOf({ ...place, opening });
    await makeOnce(request, {
      ...{ registerSessionUuid, uuid: registerSessionUuid, requestHash },
      update: openUpdate,
      body: {
        ...{ terminalId: place.terminal_id, drawerId: place.drawer_id, locationId: place.location_id },
        ...{ staffId: place.staff_id ?? null, opening },
      },
      find: () => knownSession(em, registerSessionUuid),
    });
    return renderWholeSession(await readWholeSession(em, registerSessionUuid, seenBy(request)));
  },
});

/** A register's own token does not have this right: its count is blind. */
export const seenBy = ({ caller }: Pick<RouteContext, 'caller'>) => ({
  seesFigures: caller.can('Vendor_Pos::register_reports'),
});

export const getRegisterSession = route({
  method: 'GET',
  path: '/V1/pos/register-sessions/:registerSessionUuid',
  acl: 'Vendor_Pos::locations',
  summary: 'One register session',
  name: 'getRegisterSession',
  description: `With its cash movements, the latest 500, and its counts. \`figures\`, what each tender should be, is null
    until the session is closed or its last permitted count was made; callers with \`Vendor_Pos::register_reports\` see
    it always. Amounts are in the currency of their line.`,
  outcomes: [registerSessionNotFound],
  params: uuidParam,
  response: sessionAnswer,

  handle: async (request) =>
    renderWholeSession(await readWholeSession(request.em, named(request.params.registerSessionUuid), seenBy(request))),
});

export const listRegisterSessions = route({
  method: 'GET',
  path: '/V1/pos/register-sessions',
  acl: 'Vendor_Pos::locations',
  summary: 'List register sessions',
  name: 'listRegisterSessions',
  description: `Filter by \`state\`, \`drawer_id\`, \`terminal_id\`, \`location_id\` and \`opened_at\`. Movements, counts
    and figures are in the answer of one session.`,
  outcomes: [attributeNameNotValid, tooManyRows],
  query: z.object({ searchCriteria: searchCriteria.default(everything) }),
  response: listAnswer(listedSessionAnswer),

  async handle({ reader, query }) {
    const { rows, totalCount } = await searchSessions(reader, query.searchCriteria);
    return renderList(query.searchCriteria, rows.map(renderSession), totalCount);
  },
});
