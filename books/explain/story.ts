/** One thing that happened, in words for somebody who was not there. */
export interface StoryEvent {
  /** ISO 8601, UTC. */
  at: string;
  /** A person, a register, or null when the service did it by itself. */
  who: string | null;
  what: string;
  /** With its currency, such as `54.00 USD`; null where no money is meant. */
  amount: string | null;
  /** The id of the workflow that did it, as the Temporal page lists it. */
  workflow: string | null;
}

/** What became of one movement of money, in order. */
export interface Story {
  title: string;
  /** What to know before reading on: what was bought, how it was paid. */
  facts: string[];
  events: StoryEvent[];
  totals: { what: string; amount: string }[];
  /** What a person can do from here, each with the exact command or request. */
  next: string[];
}

/** Fills in what an event leaves out. */
export const event = (told: Pick<StoryEvent, 'at' | 'what'> & Partial<StoryEvent>): StoryEvent => ({
  who: null,
  amount: null,
  workflow: null,
  ...told,
});

/** In order of time; what happened in one moment stays in the order it is told. */
export const inOrder = (events: readonly StoryEvent[]): StoryEvent[] =>
  events.toSorted((one, other) => (one.at === other.at ? 0 : one.at < other.at ? -1 : 1));
