import { inUse } from '../../../domain/idempotency/idempotency-key.ts';
import type { AnyRoute, Outcome } from '../route.ts';
import { inSnakeCase } from '../../wire/in-snake-case.ts';
import { isJson, type Json } from './json.ts';
import { isOpen, takesKey } from './keys.ts';
import { examplesOf } from './recorded-examples.ts';
import { requiredField } from '../../wire/outcomes.ts';

/** The texts of a route in the API document. */

const notPermitted: Outcome = {
  status: 401,
  message: "The consumer isn't authorized to access %resources.",
  when: 'There is no token, it is over or revoked, or it lacks the resource: these are told alike.',
  then: 'Sign in again, once, and send the same request. Where it stays, ask an administrator.',
};

const unreadable: Outcome = requiredField(
  'An argument is missing. One of a wrong type, and a body that is no JSON, are 400 as well; the message says which.',
  'Correct the request. The same one is refused again.',
);

const ofKeys: readonly Outcome[] = [
  {
    status: 409,
    code: inUse,
    message: 'The same request is still being carried out. Send it again in a moment.',
    when: 'The same request is at work at this moment.',
    then: 'Send it again after `Retry-After` seconds.',
  },
  {
    status: 422,
    code: 'idempotency_key_reused',
    message: 'This Idempotency-Key was sent with another request. Nothing was done; use a new key for a new request.',
    when: 'The key came with another method, path, query or body.',
    then: 'A new request needs a new key.',
  },
];

const schema = { $ref: '#/components/schemas/Error' };

const unknownStore: Outcome = {
  status: 404,
  message: "The store that was requested wasn't found. Verify the store and try again.",
  when: 'The store code of the path names no store view.',
};

/** Every refusal: the route's own and those of all routes. */
export const outcomesOf = (route: AnyRoute): readonly Outcome[] => [
  ...(route.outcomes ?? []),
  ...(route.params || route.query || route.body ? [unreadable] : []),
  ...(isOpen(route) ? [unknownStore] : [notPermitted]),
  ...(takesKey(route) ? ofKeys : []),
];

/** One response for each status, with the cause of each refusal and what the caller does next. */
export const refusalsOf = (route: AnyRoute): Record<string, Json> => responsesOf(outcomesOf(route));

/** The same of these outcomes. */
export function responsesOf(outcomes: readonly Outcome[]): Record<string, Json> {
  const byStatus = Map.groupBy(outcomes, ({ status }) => status);
  return Object.fromEntries([...byStatus].map(([status, all]) => [String(status), refusedWith(all)]));
}

function refusedWith(outcomes: readonly Outcome[]): Json {
  const shown = outcomes.map((outcome, at) => [exampleNameOf(outcome, at), exampleOf(outcome)] as const);
  const codes = [...new Set(outcomes.flatMap(({ code }) => code ?? []))];
  const isCoded = codes.length > 0 && outcomes.every(({ code }) => code !== undefined);
  return {
    description: outcomes.map(sentenceOf).join('\n'),
    ...(outcomes.some(isForLater) ? { headers: retryAfter } : {}),
    ...(codes.length === 0 ? {} : { 'x-outcomes': codes }),
    content: {
      'application/json': { schema: isCoded ? codedError(codes) : schema, examples: Object.fromEntries(shown) },
    },
  };
}

/** The envelope where every refusal of a status has a code: a program can tell them apart, and see that it knows them all. */
const codedError = (codes: readonly string[]): Json => ({
  type: 'object',
  properties: {
    message: { type: 'string', description: 'The sentence, its placeholders unfilled: `%fieldName`.' },
    parameters: {
      type: 'object',
      description: 'The values of the placeholders, and the code.',
      properties: { outcome: { type: 'string', enum: codes, description: 'The code to branch on.' } },
      required: ['outcome'],
      additionalProperties: {},
    },
  },
  required: ['message', 'parameters'],
});

/** Only these answers say when to come back; a 409 of any other cause stays what it is. */
const isForLater = ({ status, code }: Outcome) => status === 503 || code === inUse;

const retryAfter = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };

const sentenceOf = ({ code, message, when, then }: Outcome) =>
  `- ${code === undefined ? '' : `\`${code}\`: `}“${message}” ${when}${then === undefined ? '' : ` ${then}`}`;

const exampleNameOf = ({ code }: Outcome, at: number) =>
  code === undefined ? `refusal_${at + 1}` : `${code}_${at + 1}`;

const exampleOf = ({ code, message, when }: Outcome): Json => ({
  summary: when,
  value: { message, ...(code === undefined ? {} : { parameters: { outcome: code } }) },
});

/** The examples of a route's body or answer, by title. */
export function shownExamples(route: AnyRoute, part: 'body' | 'response'): Json {
  const shown = examplesOf(route).filter((example) => example[part] !== undefined);
  if (shown.length === 0) return {};
  return {
    examples: Object.fromEntries(
      shown.map((example) => [
        nameOf(example.title),
        { summary: example.title, value: asSent(route, part, example[part]) },
      ]),
    ),
  };
}

/** A double-encoded answer is a text. A body's inner keys are spelled as in its schema. */
function asSent(route: AnyRoute, part: 'body' | 'response', value: unknown): unknown {
  if (part === 'response') return route.isDoubleEncoded ? JSON.stringify(value) : value;
  if (!isJson(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === 'request' ? inner : inSnakeCase(inner)]),
  );
}

const nameOf = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '');
