/** The words of a register session, as its routes, its workflow and its rows have them. */

/** `counted`: the count is accepted, and the close is due. */
export const sessionStates = ['open', 'counted', 'closed'] as const;
export type SessionState = (typeof sessionStates)[number];

/** How many coins and notes of a value were counted, by their value. */
export type Denominations = Readonly<Record<string, number>>;

/** What a drawer contained when it was opened. Amounts are decimal texts in the currency. */
export interface OpeningLine {
  currency: string;
  counted: string;
  denominations?: Denominations;
  /** What the forced closing before it expected; absent where a count closed it. */
  expected?: string;
}

/** What was counted of a tender. Amounts are decimal texts in the currency. */
export interface CountLine {
  currency: string;
  tender: string;
  counted: string;
  denominations?: Denominations;
}

/** Why a line differs, in the words of the person who closes. */
export interface Explanation {
  currency: string;
  tender: string;
  text: string;
}

/** A session for its workflow. */
export interface FollowedSession {
  registerSessionUuid: string;
  state: SessionState;
  drawerId: number;
  terminalId: number;
  locationId: number;
  openedAt: string;
  /** Until it is closed by force; 0 or below: now. */
  msUntilForced: number;
}

/** The purpose under which the body of a request is sealed on its way to the workflow. */
export const bodySealedFor = 'register session';
