import type { Chance } from '../random.ts';

/** Where a worker stands still: all of them after it has claimed the call. */
export const freezePoints = ['before_connect', 'connected', 'writing'] as const;
export type FreezePoint = (typeof freezePoints)[number];

/**
 * How long: it is back well before the deadline of its call, about at it, a second after it, or only when the attempt
 * has been given up and another one has given the money back.
 */
export const freezeLengths = ['below', 'at', 'above', 'outlived'] as const;
export type FreezeLength = (typeof freezeLengths)[number];

/** What protects at the other end: `provider_a` honours keys, `provider_b` does not; it caps, or not even that. */
export const laxities = {
  only_caps: { keys: 'ignored', cap: true },
  neither: { keys: 'ignored', cap: false },
} as const;
export type Laxity = keyof typeof laxities;

/** Half of its trials are at the gateway that knows keys, half at the other. */
export interface Round {
  point: FreezePoint;
  length: FreezeLength;
  lax: Laxity;
}

/** What any run has to see first: the one window no client can close, then the ones it can. */
const always: readonly Round[] = [
  { point: 'writing', length: 'outlived', lax: 'only_caps' },
  { point: 'connected', length: 'outlived', lax: 'neither' },
  { point: 'before_connect', length: 'at', lax: 'neither' },
];

/** So many rounds: those that every run has, then as chance has it, the hard ones twice as often. */
export function roundsOf(count: number, chance: Chance): Round[] {
  const more = Array.from({ length: Math.max(0, count - always.length) }, () => ({
    point: chance.oneOf(freezePoints),
    length: chance.oneOf([...freezeLengths, 'outlived'] as const),
    lax: chance.oneOf(['only_caps', 'neither'] as const),
  }));
  return [...always, ...more].slice(0, Math.max(1, count));
}

/**
 * Whether money can go out twice in such a round: only a call that stood still after its last look at the clock, at the
 * gateway that does not know keys. No client can prevent that; the books have to show it.
 */
export const canDouble = ({ point, length }: Round) => point === 'writing' && length === 'outlived';
