import { z } from 'zod';
import { conditionTypes } from '../../../domain/platform/search-criteria.ts';
import type { AnyRoute } from '../route.ts';
import {
  answeredHeaders,
  answerSchema,
  isJson,
  isOpen,
  propertiesOf,
  readHeaders,
  requestSchema,
  requiredOf,
  type Json,
  type Written,
} from './json.ts';
import { chapterOf, examplesOf, shownExamples } from './meaning.ts';
import { refusalsOf } from './refusals.ts';
import { pascalOf } from './shapes.ts';

/**
 * The search of a list as flat parameters, because generators of clients cannot write nested ones. A second filter or
 * group has the next number in the brackets.
 */

const group = 'searchCriteria[filter_groups][0][filters][0]';

interface Word {
  component: string;
  name: string;
  description: string;
  /** Without a default where the value alone is refused: pages that try a call fill it in. */
  schema: Json;
  example: unknown;
}

const words: readonly Word[] = [
  {
    component: 'CriteriaField',
    name: `${group}[field]`,
    description: `The field that is looked at. Further filters of the same group (\`[filters][1]\`) are joined by
      OR, further groups (\`[filter_groups][1]\`) by AND. At most 400 parameters in all.`,
    schema: { type: 'string' },
    example: undefined,
  },
  {
    component: 'CriteriaValue',
    name: `${group}[value]`,
    description: 'What it is compared with. `%` stands for any text with `like`; a list for `in` has commas.',
    schema: { type: 'string' },
    example: undefined,
  },
  {
    component: 'CriteriaCondition',
    name: `${group}[condition_type]`,
    description: 'How it is compared. Left out: `eq`. `from` and `to` include their ends.',
    schema: {
      type: 'string',
      enum: [...conditionTypes],
    },
    example: undefined,
  },
  {
    component: 'CriteriaSortField',
    name: 'searchCriteria[sort_orders][0][field]',
    description: 'The field that the list is sorted by.',
    schema: { type: 'string' },
    example: undefined,
  },
  {
    component: 'CriteriaSortDirection',
    name: 'searchCriteria[sort_orders][0][direction]',
    description: 'The direction of the sort. Left out: `DESC`.',
    schema: { type: 'string', enum: ['ASC', 'DESC'] },
    example: undefined,
  },
  {
    component: 'CriteriaPageSize',
    name: 'searchCriteria[page_size]',
    description: 'Rows in a page. Left out, or 0: all rows, as far as the list allows.',
    schema: { type: 'integer' },
    example: 20,
  },
  {
    component: 'CriteriaPage',
    name: 'searchCriteria[current_page]',
    description: 'The page, from 1; a lower number is the first.',
    schema: { type: 'integer', default: 1 },
    example: 1,
  },
];

export const criteriaComponents: Record<string, Json> = Object.fromEntries(
  words.map(({ component, name, description, schema, example }) => [
    component,
    { name, in: 'query', required: false, description, schema, ...(example === undefined ? {} : { example }) },
  ]),
);

/** On every route whose answer has keys. */
export const fieldsParameter: Json = {
  name: 'fields',
  in: 'query',
  required: false,
  description: `Keeps only these keys of the answer: \`items[entity_id,status],total_count\`. Left out: all of them. It
belongs
    to the request: a repeat has the same one.`,
  schema: { type: 'string', maxLength: 4_000, pattern: '^[\\w\\-,[\\]]*$' },
};

const scalars: readonly unknown[] = ['string', 'integer', 'number', 'boolean'];

/** Whether `fields` keeps a part of the answer. A JSON text and an answer that is sent while it is read come whole. */
function takesFields({ isDoubleEncoded, isStreamed }: AnyRoute, answer: Json): boolean {
  return !isDoubleEncoded && !isStreamed && hasParts(answer);
}

function hasParts({ type, items, maxItems, anyOf }: Json): boolean {
  if (Array.isArray(anyOf)) return anyOf.filter(isJson).some(hasParts);
  if (maxItems === 0 || [type].flat().some((one) => scalars.includes(one))) return false;
  return !isJson(items) || hasParts(items);
}

/** The parameters of a list that takes `searchCriteria`. */
const criteriaParameters: readonly Json[] = words.map(({ component }) => ({
  $ref: `#/components/parameters/${component}`,
}));

/** The schemas of one route, before the document names shared ones. */
export interface RouteSchemas {
  answer: Written;
  body?: Written;
  path?: Written;
  query?: Written;
}

/** The route's own name, else one made of method and path. */
export const operationIdOf = ({ name, method, path }: AnyRoute) =>
  name ?? `${method.toLowerCase()}${pascalOf(path.replace('/V1', ''))}`;

export const answerName = (route: AnyRoute) => `${pascalOf(operationIdOf(route))}Answer`;
export const bodyName = (route: AnyRoute) => `${pascalOf(operationIdOf(route))}Request`;
export const queryName = (route: AnyRoute) => `${pascalOf(operationIdOf(route))}Query`;
const pathName = (route: AnyRoute) => `${pascalOf(operationIdOf(route))}Path`;

/** For a route without variables in its path, or without a query. */
const noKeys = z.object({});

export const schemasOf = (route: AnyRoute): RouteSchemas => ({
  answer: answerSchema(route.response, answerName(route)),
  ...(route.body ? { body: requestSchema(route.body, bodyName(route)) } : {}),
  path: requestSchema(route.params ?? noKeys, pathName(route)),
  query: requestSchema(route.query ?? noKeys, queryName(route)),
});

/** The schemas of one route with the document's names. */
export interface NamedSchemas {
  answer: Json;
  body?: Json;
  path: Json;
  query: Json;
}

/** One operation of the document, complete. */
export function operationOf(route: AnyRoute, schemas: NamedSchemas): Json {
  const resources = [route.acl].flat();
  return {
    operationId: operationIdOf(route),
    summary: route.summary,
    description: [route.description && flowing(route.description), bodyless(route), needs(route)]
      .filter(Boolean)
      .join('\n\n'),
    tags: [chapterOf(route.path)],
    ...(isOpen(route) ? { security: [] } : { security: [{ bearer: [] }], 'x-acl': resources }),
    ...(route.isForAdmins ? { 'x-administrators': true } : {}),
    parameters: [
      ...parametersOf(inPath(route, schemas.path), 'path', sampleOf(route)),
      ...parametersOf(schemas.query, 'query', sampleOf(route)),
      ...(takesFields(route, schemas.answer) ? [{ $ref: '#/components/parameters/Fields' }] : []),
      ...readHeaders(route),
    ],
    ...(schemas.body ? { requestBody: requestBodyOf(route, schemas.body) } : {}),
    responses: {
      200: {
        description: 'Done.',
        headers: answeredHeaders(route),
        content: { 'application/json': { schema: doubly(route, schemas.answer), ...shownExamples(route, 'response') } },
      },
      ...refusalsOf(route),
      default: { $ref: '#/components/responses/Error' },
    },
  };
}

const requestBodyOf = (route: AnyRoute, schema: Json): Json => ({
  required: true,
  content: { 'application/json': { schema, ...shownExamples(route, 'body') } },
});

const doubly = ({ isDoubleEncoded }: AnyRoute, answer: Json): Json =>
  isDoubleEncoded ? { type: 'string', contentMediaType: 'application/json', contentSchema: answer } : answer;

/** One line, however the source breaks it; paragraphs stay. */
const flowing = (text: string) =>
  text
    .split('\n\n')
    .map((paragraph) =>
      paragraph
        .split('\n')
        .map((line) => line.trim())
        .join(' '),
    )
    .join('\n\n')
    .trim();

/** A reader who knows that the verb has a body asks for it. */
const bodyless = ({ method, body }: AnyRoute) =>
  body === undefined && (method === 'POST' || method === 'PUT') ? 'Takes no body; `{}` is taken as well.' : undefined;

/** The kind of token that the route needs, as a sentence. */
function needs({ acl, isForAdmins }: AnyRoute): string {
  const resources = [acl].flat();
  if (resources.every((one) => one === 'anonymous')) return 'Needs no token.';
  if (resources.includes('self')) return 'Needs the customer’s own token.';
  const names = resources.map((one) => `\`${one}\``).join(' and ');
  return isForAdmins
    ? `Needs the token of an administrator with ${names}; an integration’s is refused.`
    : `Needs a token with ${names}.`;
}

/** Routes that are made alike share one shape; a path without a variable has no parameter for it. */
const inPath = ({ path }: AnyRoute, schema: Json): Json => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(propertiesOf(schema)).filter(([name]) => path.split('/').includes(`:${name}`)),
  ),
});

/** The values of path and query in the first example, so that a reader can try it as it stands. */
function sampleOf(route: AnyRoute): Readonly<Record<string, unknown>> {
  const [first] = examplesOf(route);
  return { ...Object.fromEntries(new URLSearchParams(first?.query)), ...first?.params };
}

function parametersOf(schema: Json, where: 'path' | 'query', sample: Readonly<Record<string, unknown>>): Json[] {
  return Object.entries(propertiesOf(schema)).flatMap(([name, inner]) => {
    if (name === 'searchCriteria') return criteriaParameters;
    if (isJson(inner['items']) && 'properties' in inner['items']) return firstOfRows(name, inner['items'], sample);
    const { description, examples, ...own } = inner;
    const example: unknown =
      sample[name] ?? sample[`${name}[0]`] ?? (Array.isArray(examples) ? examples[0] : undefined);
    return [
      {
        name: own['type'] === 'array' && !hasKeys(own['items']) ? `${name}[]` : name,
        in: where,
        required: where === 'path' || requiredOf(schema).includes(name),
        ...(description === undefined ? {} : { description }),
        schema: own,
        ...(example === undefined ? {} : { example: asTyped(own, example) }),
        ...(where === 'query' && (own['type'] === 'object' || hasKeys(own['items']))
          ? { style: 'deepObject', explode: true }
          : {}),
      },
    ];
  });
}

/** The path and the query of an example are texts and numbers, whatever the parameter is. */
function asTyped({ type, items }: Json, example: unknown): unknown {
  if (type === 'array') return [example].flat().map((one) => (isJson(items) ? asTyped(items, one) : one));
  if (type === 'integer' || type === 'number') return Number(example);
  return type === 'string' && typeof example === 'number' ? String(example) : example;
}

/** Flat parameters for a list of objects in a query: generators of clients cannot write nested ones. */
const firstOfRows = (name: string, row: Json, sample: Readonly<Record<string, unknown>>): Json[] =>
  Object.entries(propertiesOf(row)).map(([key, { description, ...schema }]) => {
    const own = `${name}[0][${key}]`;
    return {
      ...{ name: own, in: 'query', required: true },
      description: `${typeof description === 'string' ? description : 'Of the first row.'} Further rows have further
numbers in the brackets.`,
      schema,
      ...(sample[own] === undefined ? {} : { example: asTyped(schema, sample[own]) }),
    };
  });

const hasKeys = (items: unknown) => isJson(items) && ('properties' in items || '$ref' in items);
