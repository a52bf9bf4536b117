/** One event, in words for a reader who was not there. */
export interface StoryEvent {
  /** ISO 8601, UTC. */
  at: string;
  /** A person, a register, or null when the service acted by itself. */
  who: string | null;
  what: string;
  /** With its currency, such as `54.00 USD`; null where no money moved. */
  amount: string | null;
  /** The id of the workflow that did it, as on the Temporal page. */
  workflow: string | null;
}

/** A page of the operator on which something is done by a button. */
export type WayPage = { kind: 'return'; id: number } | { kind: 'doubts' | 'layaways' };

/** What a person can do now. */
export interface Way {
  /** A sentence; without its full stop where the exact command or request follows. */
  says: string;
  how?: string;
  /** Where a button does it. */
  page?: WayPage;
}

/** As the tool tells it, with the command or the request. */
export const wayText = ({ says, how }: Way): string => (how === undefined ? says : `${says}: ${how}`);

/** What happened to the money of a sale, in order. */
export interface Story {
  title: string;
  /** Facts to know first: what was bought, how it was paid. */
  facts: string[];
  events: StoryEvent[];
  totals: { what: string; amount: string }[];
  /** What a person can do now, each with the exact command or request. */
  next: string[];
  /** The same, apart: for a page with buttons. */
  ways: Way[];
}

/** A story with what can be done about it. */
export const withWays = (story: Omit<Story, 'next' | 'ways'>, ways: Way[]): Story => ({
  ...story,
  next: ways.map(wayText),
  ways,
});

/** Completes an event with default values. */
export const event = (parts: Pick<StoryEvent, 'at' | 'what'> & Partial<StoryEvent>): StoryEvent => ({
  who: null,
  amount: null,
  workflow: null,
  ...parts,
});

/** In order of time; events of the same moment keep the order in which they were added. */
export const inOrder = (events: readonly StoryEvent[]): StoryEvent[] =>
  events.toSorted((one, other) => (one.at === other.at ? 0 : one.at < other.at ? -1 : 1));
