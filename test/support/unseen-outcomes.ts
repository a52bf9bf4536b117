import type { AnyRoute } from '../../api/http/route.ts';
import { lineOf } from './seen-outcomes.ts';

/** The lines of all outcomes that routes declare. */
export const declaredOutcomes = (routes: readonly AnyRoute[]): string[] => [
  ...new Set(routes.flatMap((route) => (route.outcomes ?? []).map((outcome) => lineOf(route, outcome)))),
];

/** Declared outcomes without an answer. Of a sentence with `…` only the part before it counts. */
export function unseenOutcomes(declared: readonly string[], seen: ReadonlySet<string>): string[] {
  const isSeen = (line: string) => {
    const [beginning = '', ...rest] = line.split('…');
    return rest.length === 0 ? seen.has(line) : [...seen].some((one) => one.startsWith(beginning));
  };
  return declared.filter((line) => !isSeen(line)).toSorted();
}

/** Why a whole run is not good enough, in sentences; empty where it is. */
export const faultsOf = (unseen: readonly string[]): string[] =>
  unseen.map((line) => `No test was answered with this outcome of a route: ${line}`);
