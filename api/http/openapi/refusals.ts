import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { inUse } from '../../../domain/idempotency.ts';
import { parametersByCode, requiredField } from '../../wire/outcomes.ts';
import type { AnyRoute, Outcome } from '../route.ts';
import { answerSchema, isOpen, propertiesOf, requiredOf, takesKey, type Json } from './json.ts';
import { pascalOf } from './shapes.ts';

/** How routes are refused, as the API document tells it. */

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
    status: 409,
    code: 'idempotency_answer_not_kept',
    message: 'This request was carried out. Its answer was not kept; read the record. Nothing was done again.',
    when: 'The same request was carried out before, and its answer was longer than 1 MB.',
    then: 'Read the record.',
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
export const responsesOf = (outcomes: readonly Outcome[]): Record<string, Json> =>
  Object.fromEntries(byStatus(outcomes).map((all) => [String(all[0]?.status), refusedWith(all)]));

export const errorSchema: Json = {
  type: 'object',
  description: 'Everything that is not a success.',
  properties: {
    message: { type: 'string', description: 'The sentence, its placeholders unfilled: `%1`, `%fieldName`.' },
    errors: {
      type: 'array',
      description: 'Where several things are wrong at once: each of them.',
      items: {
        type: 'object',
        properties: {
          message: { type: 'string', description: 'The sentence of one fault.' },
          parameters: { description: 'The values of its placeholders: an object by name, or a list by number.' },
        },
        required: ['message'],
      },
    },
    parameters: {
      description: `The values of the placeholders: an object by name, or a list by number. Of a 409 \`outcome\` is
        the word to branch on.`,
    },
  },
  required: ['message'],
};

function refusedWith(outcomes: readonly Outcome[]): Json {
  const shown = outcomes.map((outcome, at) => [exampleNameOf(outcome, at), exampleOf(outcome)] as const);
  const codes = codesOf(outcomes);
  return {
    description: outcomes.map(sentenceOf).join('\n'),
    ...(outcomes.some(isForLater) ? { headers: retryAfter } : {}),
    ...(codes.length === 0 ? {} : { 'x-outcomes': codes }),
    content: { 'application/json': { schema: envelopeOf(outcomes, codes), examples: Object.fromEntries(shown) } },
  };
}

function envelopeOf(outcomes: readonly Outcome[], codes: readonly string[]): Json {
  if (codes.length === 0) return schema;
  // Of two objects a generator for Java makes a choice; of an object and a list for `parameters` it makes no valid
  // program.
  const isWhole = outcomes.every(({ code }) => code !== undefined);
  const name = envelopeName(codes);
  const coded = name === undefined ? codedError(codes) : { $ref: `#/components/schemas/${name}` };
  return isWhole ? coded : { anyOf: [coded, schema] };
}

const byStatus = (outcomes: readonly Outcome[]) => [...Map.groupBy(outcomes, ({ status }) => status).values()];

/** Envelopes that many routes have are named once. */
function envelopeName(codes: readonly string[]): string | undefined {
  const [only, ...others] = codes;
  if (only !== undefined && others.length === 0) return `${refusalName(only)}Error`;
  const keys = ofKeys.flatMap(({ status, code }) => (status === conflictStatus && code !== undefined ? [code] : []));
  return isDeepStrictEqual(codes, keys) ? 'IdempotencyError' : undefined;
}

const conflictStatus = 409;

const codesOf = (outcomes: readonly Outcome[]) => [...new Set(outcomes.flatMap(({ code }) => code ?? []))];

/** What the parameters of a code are called: `GatewayUncertain`. */
export const refusalName = (code: string): string => pascalOf(code);

const referenceTo = (code: string): Json => ({ $ref: `#/components/schemas/${refusalName(code)}` });

/**
 * What routes are refused with, by name: the parameters of each code, that is the code itself and the values that come
 * with it, and the envelopes that many routes have.
 *
 * @param refused the outcomes of each route
 */
export function refusalSchemas(refused: readonly (readonly Outcome[])[]): Record<string, Json> {
  const parameters = codesOf(refused.flat()).map((code) => [refusalName(code), parametersOf(code)] as const);
  const envelopes = refused.flatMap(byStatus).flatMap((outcomes) => {
    const codes = codesOf(outcomes);
    const name = envelopeName(codes);
    return name === undefined ? [] : [[name, codedError(codes)] as const];
  });
  return Object.fromEntries([...parameters, ...envelopes]);
}

function parametersOf(code: string): Json {
  const { schema: own } = answerSchema(parametersByCode[code] ?? z.object({}), refusalName(code));
  return {
    type: 'object',
    description: `What a refusal with the code \`${code}\` carries.`,
    properties: {
      outcome: { type: 'string', enum: [code], description: 'The code to branch on.' },
      ...propertiesOf(own),
    },
    required: ['outcome', ...requiredOf(own)],
  };
}

/**
 * The envelope where every refusal of a status has a code: a program can tell them apart, see that it knows them all,
 * and read what each of them carries.
 */
const codedError = (codes: readonly string[]): Json => ({
  type: 'object',
  properties: {
    message: { type: 'string', description: 'The sentence, its placeholders unfilled: `%fieldName`.' },
    parameters: { ...oneOfCodes(codes), description: 'The code, and what comes with it.' },
  },
  required: ['message', 'parameters'],
});

function oneOfCodes(codes: readonly string[]): Json {
  const [only, ...others] = codes;
  if (only !== undefined && others.length === 0) return referenceTo(only);
  const mapping = Object.fromEntries(codes.map((code) => [code, referenceTo(code)['$ref']]));
  return { oneOf: codes.map(referenceTo), discriminator: { propertyName: 'outcome', mapping } };
}

/** Only these answers say when to come back; a 409 of any other cause stays what it is. */
const isForLater = ({ status, code }: Outcome) => status === 503 || code === inUse;

const retryAfter = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };

const sentenceOf = ({ code, message, when, then }: Outcome) =>
  `- ${code === undefined ? '' : `\`${code}\`: `}“${message}” ${when}${then === undefined ? '' : ` ${then}`}`;

const exampleNameOf = ({ code }: Outcome, at: number) =>
  code === undefined ? `refusal_${at + 1}` : `${code}_${at + 1}`;

/** A value for each key that is always there. */
const sampleOf = (shape: Json): Json =>
  Object.fromEntries(requiredOf(shape).map((key) => [key, sampleValue(propertiesOf(shape)[key] ?? {})]));

function sampleValue({ enum: values, examples }: Json): unknown {
  const [first] = Array.isArray(examples) ? examples : Array.isArray(values) ? values : [1];
  return first;
}

const exampleOf = ({ code, message, when }: Outcome): Json => ({
  summary: when,
  value: { message, ...(code === undefined ? {} : { parameters: sampleOf(parametersOf(code)) }) },
});
