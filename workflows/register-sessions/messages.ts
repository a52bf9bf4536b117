import type { Command } from '../../domain/command.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { FollowedSession } from '../../domain/register-sessions/session-words.ts';
import { defineQuery, defineSignal, defineUpdate } from '../support/definitions.ts';

export interface RegisterSessionInput {
  registerSessionUuid: string;
}

/** A request of a register. Its body is sealed: amounts and comments are in no history, so a count stays blind. */
export interface SessionRequest extends Command {
  sealedBody: string;
}

type SessionAnswer = Outcome<FollowedSession>;

export const openUpdate = defineUpdate<SessionAnswer, [SessionRequest]>('open');
export const moveCashUpdate = defineUpdate<SessionAnswer, [SessionRequest]>('moveCash');
export const countUpdate = defineUpdate<SessionAnswer, [SessionRequest]>('count');
export const closeUpdate = defineUpdate<SessionAnswer, [SessionRequest]>('close');
export const reopenUpdate = defineUpdate<SessionAnswer, [SessionRequest]>('reopen');
/** From the sweep and operators: read the row again and continue from its state. */
export const refreshSignal = defineSignal('refresh');

/** For the Temporal UI; programs read the row. */
export interface RegisterSessionView {
  state: string;
  lastRequest: string | null;
  lastRefusal: string | null;
}

export const stateQuery = defineQuery<RegisterSessionView>('state');

export const registerSessionId = (registerSessionUuid: string) => `register-session-${registerSessionUuid}`;
