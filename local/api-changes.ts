import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openApiOf } from '../api/http/openapi/document.ts';
import { isJson, propertiesOf, requiredOf, type Json } from '../api/http/openapi/json.ts';
import { routes } from '../api/routes.ts';
import { version } from '../providers/release.ts';
import { isEntryPoint } from '../db/support/is-entry-point.ts';

/**
 * `npm run tools -- api:changes`: tells how the API document differs from the one that was shown last, and writes what
 * the changelog of the interface lacks. With `--release` it makes the document of now the one that later ones are
 * compared with.
 */
export const releasedFile = fileURLToPath(new URL('../docs/reference/released-api.json', import.meta.url));
export const changelogFile = fileURLToPath(new URL('../docs/reference/api-changes.md', import.meta.url));

/** A sentence for people, as the changelog has it. */
export interface ApiChange {
  /** A register that was written for the document may fail by it. */
  isBreaking: boolean;
  says: string;
}

const texts = new Set(['summary', 'description', 'example', 'examples', 'tags', 'default', 'title', 'headers']);

/** The document without its texts and examples: what programs depend on. It is an API document still. */
export function bareDocument(document: Json): Json {
  const { openapi, info, paths, components } = document;
  const { title, version } = recordOf(info);
  const { schemas, parameters, securitySchemes } = recordOf(components);
  const bare = (part: unknown, isNames = false): unknown => {
    if (Array.isArray(part)) return part.map((one) => bare(one));
    if (!isJson(part)) return part;
    const stored = Object.entries(part).filter(([key]) => isNames || !texts.has(key));
    return Object.fromEntries(stored.map(([key, inner]) => [key, bare(inner, !isNames && holdsNames.has(key))]));
  };
  const operations = Object.entries(recordOf(paths)).map(([path, methods]) => {
    const own = Object.entries(recordOf(methods)).map(([method, one]) => [method, bareOperation(recordOf(one), bare)]);
    return [path, Object.fromEntries(own)] as const;
  });
  return {
    ...{ openapi, info: { title, version }, paths: Object.fromEntries(operations) },
    components: { schemas: bare(schemas, true), parameters: bare(parameters, true), securitySchemes },
  };
}

const holdsNames = new Set(['properties', '$defs', 'mapping']);

function bareOperation(
  { operationId, parameters, requestBody, responses, security }: Json,
  bare: (part: unknown) => unknown,
): Json {
  const answers = Object.entries(recordOf(responses)).flatMap(([status, one]) => {
    const { content, 'x-outcomes': codes } = recordOf(one);
    if (status[0] !== '2' && codes === undefined) return [];
    const outcomes = codes === undefined ? {} : { 'x-outcomes': codes };
    return [[status, { description: '', ...outcomes, content: bare(content) }] as const];
  });
  return {
    ...{ operationId, security, parameters: bare(parameters) },
    ...(requestBody === undefined ? {} : { requestBody: bare(requestBody) }),
    responses: Object.fromEntries(answers),
  };
}

/** How a later document differs from an earlier one: what breaks registers, and which operations are new. */
export function changesOf(before: Json, after: Json): ApiChange[] {
  const [old, now] = [operationsOf(before), operationsOf(after)];
  const fresh = [...now.keys()].filter((name) => !old.has(name));
  const broken = [...old].flatMap(([name, operation]) => {
    const later = now.get(name);
    if (!later) return [`\`${name}\` is gone.`];
    const pair = { before, after };
    return [
      ...parametersBroken(operation, later, pair),
      ...broken200(operation, later, pair),
      ...brokenSchema(bodyOf(operation['requestBody']), bodyOf(later['requestBody']), { ...pair, isSent: true }),
    ].map((says) => `\`${name}\` ${says}`);
  });
  return [
    ...[...new Set(broken)].map((says) => ({ isBreaking: true, says })),
    ...fresh.map((name) => ({ isBreaking: false, says: `\`${name}\` is new.` })),
  ];
}

interface Pair {
  before: Json;
  after: Json;
}

function parametersBroken(old: Json, later: Json, { before, after }: Pair): string[] {
  const [was, is] = [parametersOf(old, before), parametersOf(later, after)];
  const gone = [...was.keys()].filter((name) => !is.has(name)).map((name) => `takes no \`${name}\` any more.`);
  const needed = [...is].flatMap(([name, one]) =>
    one['required'] === true && one['in'] !== 'path' && was.get(name)?.['required'] !== true
      ? [`needs \`${name}\`.`]
      : [],
  );
  return [...gone, ...needed];
}

const broken200 = (old: Json, later: Json, pair: Pair) => {
  const answerOf = ({ responses }: Json) => bodyOf(recordOf(responses)['200']);
  return brokenSchema(answerOf(old), answerOf(later), { ...pair, isSent: false });
};

interface Walk extends Pair {
  /** A request may ask for less and allow more; an answer may have more and lack nothing. */
  isSent: boolean;
  place?: string;
  seen?: Set<string>;
}

function brokenSchema(old: Json | undefined, later: Json | undefined, walk: Walk): string[] {
  const { before, after, isSent, place = '', seen = new Set<string>() } = walk;
  if (!old || !later) return !later && old ? [isSent ? 'takes no body any more.' : 'answers nothing any more.'] : [];
  const [was, is] = [resolved(old, before), resolved(later, after)];
  const pairOfNames = `${String(old['$ref'])} ${String(later['$ref'])}`;
  if (old['$ref'] !== undefined && seen.has(pairOfNames)) return [];
  seen.add(pairOfNames);
  const named = place === '' ? (isSent ? 'the body' : 'the answer') : `\`${place}\``;
  const [from, to] = isSent ? [was, is] : [is, was];
  // From a request's old form to its new one, and from an answer's new form to its old one, nothing may be lost.
  const lost = typesOf(from).filter((type) => typesOf(to).length > 0 && !accepts(to, type));
  if (lost.length > 0)
    return [
      isSent ? `takes no ${lost.join(' or ')} for ${named} any more.` : `answers ${lost.join(' or ')} for ${named}.`,
    ];
  const [wasKeys, isKeys] = [propertiesOf(was), propertiesOf(is)];
  const keyOf = (key: string) => (place === '' ? key : `${place}.${key}`);
  const gone = Object.keys(wasKeys).filter((key) => !(key in isKeys) && Object.keys(isKeys).length > 0);
  const required = requiredOf(isSent ? is : was).filter((key) => !requiredOf(isSent ? was : is).includes(key));
  const narrowed = isSent ? valuesLost(was, is) : [];
  return [
    ...gone.map((key) => `${isSent ? 'takes' : 'answers'} no \`${keyOf(key)}\` any more.`),
    ...required
      .filter((key) => !gone.includes(key))
      .map((key) => (isSent ? `needs \`${keyOf(key)}\`.` : `may leave \`${keyOf(key)}\` out.`)),
    ...narrowed.map((value) => `takes no ${value} for ${named} any more.`),
    ...Object.keys(wasKeys)
      .filter((key) => key in isKeys)
      .flatMap((key) => brokenSchema(wasKeys[key], isKeys[key], { ...walk, place: keyOf(key), seen })),
    ...partsOf(was).flatMap(([word, inner]) =>
      brokenSchema(inner, partsOf(is).find(([other]) => other === word)?.[1] ?? inner, {
        ...{ ...walk, place: `${place}${word}`, seen },
      }),
    ),
  ];
}

/** The rows of a list, and the JSON inside a text. */
const partsOf = ({ items, contentSchema }: Json): [word: string, schema: Json][] => [
  ...(isJson(items) ? [['[]', items] as [string, Json]] : []),
  ...(isJson(contentSchema) ? [['{}', contentSchema] as [string, Json]] : []),
];

const typesOf = ({ type }: Json): unknown[] => (type === undefined ? [] : [type].flat());
const accepts = (schema: Json, type: unknown) =>
  typesOf(schema).includes(type) || (type === 'integer' && typesOf(schema).includes('number'));

const valuesLost = (was: Json, is: Json): string[] => {
  const [old, now] = [was['enum'], is['enum']];
  if (!Array.isArray(now) || !Array.isArray(old)) return [];
  return old.filter((value) => !now.includes(value)).map((value) => `\`${String(value)}\``);
};

const operationsOf = ({ paths }: Json): Map<string, Json> =>
  new Map(
    Object.entries(recordOf(paths)).flatMap(([path, methods]) =>
      Object.entries(recordOf(methods)).map(
        ([method, one]) => [`${method.toUpperCase()} ${path.replace(/^\/rest/, '')}`, recordOf(one)] as const,
      ),
    ),
  );

const parametersOf = ({ parameters }: Json, document: Json): Map<string, Json> =>
  new Map(
    (Array.isArray(parameters) ? parameters.filter(isJson) : [])
      .map((one) => resolved(one, document))
      .map((one) => [String(one['name']), one] as const),
  );

function bodyOf(holder: unknown): Json | undefined {
  const { schema } = recordOf(recordOf(recordOf(holder)['content'])['application/json']);
  return isJson(schema) ? schema : undefined;
}

function resolved(schema: Json, document: Json): Json {
  const { $ref: reference, anyOf } = schema;
  if (typeof reference === 'string')
    return reference
      .slice(2)
      .split('/')
      .reduce<Json>((at, key) => recordOf(at[key]), document);
  // `X or null`
  const [only, ...others] = (Array.isArray(anyOf) ? anyOf.filter(isJson) : []).filter(({ type }) => type !== 'null');
  return only && others.length === 0 ? { ...resolved(only, document) } : schema;
}

const recordOf = (value: unknown): Json => (isJson(value) ? value : {});

/** The document that was shown last, and the one of now. */
export const released = (): Json => JSON.parse(readFileSync(releasedFile, 'utf8'));
export function presentDocument(): Json {
  return openApiOf(routes, { title: 'Point of sale', version });
}

/** The lines that the changelog lacks. */
export const missingIn = (changelog: string, changes: readonly ApiChange[]): string[] =>
  changes.map(lineOf).filter((line) => !changelog.includes(line));

const lineOf = ({ isBreaking, says }: ApiChange) => `- ${isBreaking ? '**Breaks:** ' : ''}${says}`;

/** A line each path and each shape, so that a change of one is one line of a difference. */
export function lined(document: Json): string {
  const rows = (part: unknown) =>
    Object.entries(recordOf(part))
      .map(([key, one]) => `${JSON.stringify(key)}:${JSON.stringify(one)}`)
      .join(',\n');
  const { paths, components, ...own } = document;
  const { schemas, ...more } = recordOf(components);
  const head = JSON.stringify(own).slice(1, -1);
  const tail = JSON.stringify(more).slice(1, -1);
  return `{${head},"paths":{\n${rows(paths)}\n},"components":{${tail},"schemas":{\n${rows(schemas)}\n}}}\n`;
}

/** The changelog of the interface with the day on which a version was shown; the last one of a day counts. */
export function withRelease(changelog: string, { version, day }: { version: string; day: string }): string {
  const sentence = `The document of this day, of version ${version}, is the one that later ones are compared with.`;
  const ofToday = new RegExp(`(?<=^## ${day}\\n\\n)The document of this day.*\\n`, 'm');
  if (ofToday.test(changelog)) return changelog.replace(ofToday, `${sentence}\n`);
  if (changelog.includes(`## ${day}\n\n`)) return changelog.replace(`## ${day}\n\n`, `## ${day}\n\n${sentence}\n\n`);
  return changelog.replace(/^## /m, `## ${day}\n\n${sentence}\n\n## `);
}

function main(): void {
  if (process.argv.includes('--release')) {
    const document = bareDocument(presentDocument());
    writeFileSync(releasedFile, lined(document));
    const [version, day] = [String(recordOf(document['info'])['version']), new Date().toISOString().slice(0, 10)];
    writeFileSync(changelogFile, withRelease(readFileSync(changelogFile, 'utf8'), { version, day }));
    return console.log('Later documents are compared with the one of now.');
  }
  const changelog = readFileSync(changelogFile, 'utf8');
  const missing = missingIn(changelog, changesOf(released(), bareDocument(presentDocument())));
  if (missing.length === 0) return console.log('The changelog of the interface has every change.');
  const day = `## ${new Date().toISOString().slice(0, 10)}`;
  const before = changelog.includes(day)
    ? changelog.replace(`${day}\n\n`, `${day}\n\n${missing.join('\n')}\n`)
    : undefined;
  writeFileSync(changelogFile, before ?? changelog.replace(/^## /m, `${day}\n\n${missing.join('\n')}\n\n## `));
  console.log(
    `Written into the changelog of the interface; say why, and what a register must do:\n${missing.join('\n')}`,
  );
}

if (isEntryPoint(import.meta)) main();
