import { closeSession, forceCloseSession, type SessionToClose } from '../db/register-sessions/close-session.ts';
import { countSession, type CountToStore } from '../db/register-sessions/count-session.ts';
import { followSession, lookAtSession } from '../db/register-sessions/follow-session.ts';
import { moveCash, type CashToMove } from '../db/register-sessions/move-cash.ts';
import { openSession, type SessionToOpen } from '../db/register-sessions/open-session.ts';
import { reopenSession, type SessionToReopen } from '../db/register-sessions/reopen-session.ts';
import type { Outcome, Refused } from '../domain/outcome.ts';
import { bodySealedFor, type FollowedSession } from '../domain/register-sessions/session-words.ts';
import type { SessionRequest } from '../workflows/register-sessions/messages.ts';
import { inTime, orRefused, type ActivityDependencies } from './support.ts';

type Dependencies = Pick<ActivityDependencies, 'orm'> & {
  providers: Pick<ActivityDependencies['providers'], 'secrets'>;
};

interface Named {
  registerSessionUuid: string;
}

export type RegisterSessionActivities = ReturnType<typeof createRegisterSessionActivities>;

/** What of a request is not in its sealed body. */
type FromCommand = 'registerSessionUuid' | 'beginBefore' | 'operationKey' | 'by';

export const createRegisterSessionActivities = ({ orm, providers }: Dependencies) => {
  /** Opens the body, carries it out, and answers the session as it is now. */
  const carriesOut =
    <Input extends { beginBefore: string }>(work: (input: Input) => Promise<Refused | undefined | void>) =>
    (request: SessionRequest & Named): Promise<Outcome<FollowedSession>> =>
      orRefused(async () => {
        const { registerSessionUuid, beginBefore, operationKey, by, sealedBody } = request;
        const body: unknown = JSON.parse(providers.secrets.open(sealedBody, bodySealedFor));
        // The route sealed it, after it checked it.
        const sealed = body as Omit<Input, FromCommand>;
        const input = { ...sealed, registerSessionUuid, beginBefore, operationKey, by } as unknown as Input;
        const refused = await inTime(orm.em, beginBefore, () => work(input));
        return refused ?? followSession(orm.em.fork(), registerSessionUuid);
      });

  return {
    /** A session for its workflow; this also records that the workflow follows it. A repeat only reads. */
    followSession: ({ registerSessionUuid }: Named) =>
      orRefused(() => followSession(orm.em.fork(), registerSessionUuid)),

    /** The current state of a session. Reads only. */
    lookAtSession: ({ registerSessionUuid }: Named) =>
      orRefused(() => lookAtSession(orm.em.fork(), registerSessionUuid)),

    /** Opens a drawer, once per UUID. See `openSession`. */
    openSession: carriesOut<SessionToOpen>((request) => openSession(orm.em, request)),

    /** Moves cash, once per UUID. See `moveCash`. */
    moveCash: carriesOut<CashToMove>((request) => moveCash(orm.em, request)),

    /** Stores a count, once per UUID. See `countSession`. */
    countSession: carriesOut<CountToStore>((request) => countSession(orm.em, request)),

    /** Closes a session; a repeat changes nothing. See `closeSession`. */
    closeSession: carriesOut<SessionToClose>((request) => closeSession(orm.em, request)),

    /** Opens a session again, once per request. See `reopenSession`. */
    reopenSession: carriesOut<SessionToReopen>((request) => reopenSession(orm.em, request)),

    /** Closes a session whose night has come; one that is not due is unchanged. */
    forceCloseSession: ({ registerSessionUuid }: Named) => forceCloseSession(orm.em, registerSessionUuid),
  };
};
