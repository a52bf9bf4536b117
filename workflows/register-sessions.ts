import {
  allHandlersFinished,
  condition,
  continueAsNew,
  proxyLocalActivities,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { RegisterSessionActivities } from '../activities/register-sessions.ts';
import { inWords } from '../domain/fill-in.ts';
import { markdownLiteral } from '../domain/markdown-literal.ts';
import { isRefused, type Outcome } from '../domain/outcome.ts';
import type { FollowedSession } from '../domain/register-sessions/session-words.ts';
import {
  closeUpdate,
  countUpdate,
  moveCashUpdate,
  openUpdate,
  refreshSignal,
  reopenUpdate,
  stateQuery,
  type RegisterSessionInput,
  type RegisterSessionView,
  type SessionRequest,
} from './register-sessions/messages.ts';
import { Inbox, mustHappen, oneTransaction, type Turn } from './support/activity-options.ts';
import { Renewal } from './support/renewal.ts';
import { posStatus } from './support/search-attributes.ts';

const { followSession, lookAtSession, openSession, moveCash, countSession, closeSession, reopenSession } =
  proxyLocalActivities<RegisterSessionActivities>(oneTransaction);
const { forceCloseSession } = proxyActivities<RegisterSessionActivities>({
  ...mustHappen,
  summary: 'close the session by force',
});

const verbs = { open: openSession, moveCash, count: countSession, close: closeSession, reopen: reopenSession };
type Verb = keyof typeof verbs;
type Request = { verb: Verb; request: SessionRequest } | { verb: 'refresh' };
type Answer = Outcome<FollowedSession>;

/** The longest timer. After it the workflow reads the session again and waits further. */
const longestWaitMs = 7 * 86_400_000;
/** The pause when the database's clock is behind the timer's. */
const waitForClockMs = 60_000;

/**
 * The life of one session of a drawer, from its opening to its closing; its only input is the session's UUID.
 *
 * Handlers only put requests into the inbox. The loop carries out one at a time, so a count and a close never overlap.
 * Between requests a timer runs until the night in which the session is closed by force. A session that is opened again
 * gets a new run.
 *
 * @returns the state it ended with, as committed in PostgreSQL; `unknown` where its opening was refused
 */
export async function registerSessionWorkflow({ registerSessionUuid }: RegisterSessionInput): Promise<string> {
  const inbox = new Inbox<Request, Answer>();
  const view: RegisterSessionView = { state: 'loading', lastRequest: null, lastRefusal: null };
  registerHandlers(inbox, view);

  let session = show(await followSession({ registerSessionUuid }), view);
  const renewal = new Renewal();
  let isLate = false;
  for (;;) {
    if ((session === undefined || session.state === 'closed') && inbox.empty) {
      await condition(() => !inbox.empty || allHandlersFinished());
      if (inbox.empty) return view.state;
    }
    if (await renewal.isDue(() => !inbox.empty))
      await continueAsNew<typeof registerSessionWorkflow>({ registerSessionUuid });
    const turn = await next(inbox, session, isLate);
    if (turn === undefined) {
      await forceCloseSession({ registerSessionUuid });
      session = show(await lookAtSession({ registerSessionUuid }), view);
      isLate = session?.state !== 'closed';
      continue;
    }
    const outcome = await carryOut(registerSessionUuid, turn.request);
    turn.answer(outcome);
    if (turn.request.verb !== 'refresh') {
      view.lastRequest = requestText(turn.request);
      view.lastRefusal = isRefused(outcome) ? inWords(outcome.refused) : null;
    }
    session = show(isRefused(outcome) ? await lookAtSession({ registerSessionUuid }) : outcome, view);
    isLate = false;
  }
}

/** Registers every handler before the first await: an update that arrives with the start would be rejected otherwise. */
function registerHandlers(inbox: Inbox<Request, Answer>, view: RegisterSessionView): void {
  const asks = (verb: Verb) => (request: SessionRequest) => inbox.ask({ verb, request });
  setHandler(openUpdate, asks('open'), { description: 'Opens the drawer.' });
  setHandler(moveCashUpdate, asks('moveCash'), { description: 'Puts cash in, takes it out, or notes a no-sale.' });
  setHandler(countUpdate, asks('count'), { description: 'Stores a blind count.' });
  setHandler(closeUpdate, asks('close'), { description: 'Closes the session and writes its closing.' });
  setHandler(reopenUpdate, asks('reopen'), { description: 'Opens the latest session of the drawer again.' });
  setHandler(refreshSignal, () => inbox.note({ verb: 'refresh' }), {
    description: 'Reads the session again and continues from its state. Harmless at any time.',
  });
  setHandler(stateQuery, () => view);
}

const carryOut = (registerSessionUuid: string, request: Request): Promise<Answer> =>
  request.verb === 'refresh'
    ? lookAtSession({ registerSessionUuid })
    : verbs[request.verb]({ registerSessionUuid, ...request.request });

/** The next request, or undefined when the night came first. */
async function next(
  inbox: Inbox<Request, Answer>,
  session: FollowedSession | undefined,
  isLate: boolean,
): Promise<Turn<Request, Answer> | undefined> {
  if (session === undefined || session.state === 'closed') return inbox.next();
  if (session.msUntilForced <= 0 && !isLate) return inbox.nextAtOnce();
  const wait = isLate ? waitForClockMs : Math.min(session.msUntilForced, longestWaitMs);
  return inbox.nextWithin(wait, 'night in which it is closed by force');
}

/** Who asked comes from outside. */
const requestText = ({ verb, request }: { verb: Verb; request: SessionRequest }): string =>
  `${verb}, asked by ${request.by} (request ${request.requestId})`;

/** Shows the state of the session; for an unknown one it shows that instead. */
function show(outcome: Answer, view: RegisterSessionView): FollowedSession | undefined {
  if (isRefused(outcome)) {
    view.state = 'unknown';
    setCurrentDetails('### No such session\n\n- Its opening was refused, or has not been carried out.');
    return undefined;
  }
  view.state = outcome.state;
  if (workflowInfo().typedSearchAttributes.get(posStatus) !== view.state)
    upsertSearchAttributes([{ key: posStatus, value: view.state }]);
  setCurrentDetails(detailsOf(outcome, view));
  return outcome;
}

/** The text of the workflow's page. It has no amounts: an open session is counted blind. */
function detailsOf(session: FollowedSession, { lastRequest, lastRefusal }: RegisterSessionView): string {
  const { registerSessionUuid, state, drawerId, terminalId, locationId, openedAt } = session;
  const lines = [
    `### Session of drawer ${drawerId} is **${state}**`,
    '',
    `- Terminal ${terminalId}, location ${locationId}, open since ${openedAt}`,
  ];
  if (lastRequest !== null) lines.push(`- Last request: ${markdownLiteral(lastRequest)}`);
  if (lastRefusal !== null) lines.push(`- Last refusal: ${markdownLiteral(lastRefusal)}`);
  lines.push(`- ${nextStep(state, registerSessionUuid)}`);
  return lines.join('\n');
}

function nextStep(state: FollowedSession['state'], uuid: string): string {
  const path = `/V1/pos/register-sessions/${uuid}`;
  if (state === 'closed') return `Closed. An administrator may open it again (\`POST ${path}/reopen\`).`;
  if (state === 'counted') return `Counted. Waits to be closed (\`POST ${path}/close\`).`;
  return `Waits for its count (\`POST ${path}/count\`). At night it is closed by force.`;
}
