import type { AnyRoute, Outcome } from './route.ts';

/** A route's own description in the API document. */

type Json = Record<string, unknown>;

/** One response per status, with each of its sentences: the cause, and what the caller does next. */
export const refusedWith = (outcomes: readonly Outcome[]): Json =>
  Object.fromEntries(
    [...Map.groupBy(outcomes, ({ status }) => status)].map(([status, all]) => [
      status,
      {
        description: all.map(sentenceOf).join('\n'),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );

const sentenceOf = ({ code, message, when, then }: Outcome) =>
  `- ${code === undefined ? '' : `\`${code}\`: `}“${message}” ${when}${then === undefined ? '' : ` ${then}`}`;

/** The examples of a route's body or answer, by their titles. */
export function shownExamples({ examples = [] }: AnyRoute, part: 'body' | 'response'): Json {
  const shown = examples.filter((example) => example[part] !== undefined);
  if (shown.length === 0) return {};
  return { examples: Object.fromEntries(shown.map((example) => [example.title, { value: example[part] }])) };
}
