import { indexStyle } from './docs-index-look.ts';
import { topBar } from './guide/guide-page.ts';
import { isJson, propertiesOf, requiredOf, slugOf, type Json } from './openapi/json.ts';
import { chapterOf, examplesOf, tags } from './openapi/meaning.ts';
import { outcomesOf } from './openapi/refusals.ts';
import { operationIdOf } from './openapi/operation.ts';
import { escapeHtml, markdownLine } from './plain-markdown.ts';
import type { AnyRoute, Example, Outcome } from './route.ts';

/**
 * Tables of the fields that operations take and answer, made from the API document, so that no script is needed to read
 * them.
 */
export interface FieldTables {
  /** What an operation takes and answers. */
  ofOperation(operation: Json): string;
  /** Objects that several operations share, each once. */
  shapes(): string;
}

/**
 * @param document the document of one chapter
 * @param page the address of the page that has the shapes
 */
function fieldTables(document: Json, page: string): FieldTables {
  const components = partOf(document, 'components');
  const schemas = partOf(components, 'schemas');
  const pen = { page, schemas };
  const inlined = new Set<string>();

  /** An operation's own object is shown with it. */
  const opened = (schema: Json): Json => {
    const name = nameIn(schema);
    const shape = name === undefined ? undefined : schemas[name];
    if (name === undefined || !isJson(shape) || !/(?:Request|Answer)$/.test(name)) return schema;
    inlined.add(name);
    return shape;
  };
  const parametersOf = (operation: Json) =>
    listOf(operation['parameters'])
      .map((one) => referred(one, partOf(components, 'parameters')))
      .filter((one) => one['in'] !== 'header')
      .map((one) =>
        row(String(one['name']), partOf(one, 'schema'), {
          pen,
          isRequired: one['required'] === true,
          says: one['description'],
        }),
      );

  return {
    ofOperation(operation) {
      const body = bodyOf(operation['requestBody']);
      const answer = bodyOf(partOf(operation, 'responses')['200']);
      return [
        table('In the address', parametersOf(operation)),
        body === undefined ? '' : table('It takes', rowsOf(opened(body), pen)),
        answer === undefined ? '' : table('It answers', rowsOf(opened(answer), pen)),
      ].join('');
    },
    shapes: () =>
      Object.entries(schemas)
        .filter(([name]) => !inlined.has(name))
        .map(
          ([name, shape]) =>
            `<div class="shape" id="shape-${name}">${table(name, rowsOf(isJson(shape) ? shape : {}, pen))}</div>`,
        )
        .join('\n'),
  };
}

interface Pen {
  page: string;
  schemas: Json;
}

const partOf = (parent: Json, key: string): Json => (isJson(parent[key]) ? parent[key] : {});
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isJson) : []);
const nameIn = ({ $ref }: Json): string | undefined => (typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined);

function referred(input: Json, known: Json): Json {
  const name = nameIn(input);
  return name === undefined ? input : partOf(known, name);
}

function bodyOf(holder: unknown): Json | undefined {
  const content = isJson(holder) ? partOf(partOf(holder, 'content'), 'application/json') : {};
  return isJson(content['schema']) ? content['schema'] : undefined;
}

const table = (title: string, rows: readonly string[]) =>
  rows.length === 0 ? '' : `<h3>${escapeHtml(title)}</h3><table class="fields">${rows.join('')}</table>`;

/** One row for each field; what is no object is one row. */
function rowsOf(schema: Json, pen: Pen, before = ''): string[] {
  const fields = Object.entries(propertiesOf(schema));
  if (fields.length === 0)
    return [
      row(before === '' ? '' : before.slice(0, -1), schema, { pen, isRequired: false, says: schema['description'] }),
    ];
  return fields.flatMap(([name, inner]) => {
    const own = row(`${before}${name}`, inner, {
      pen,
      isRequired: requiredOf(schema).includes(name),
      says: inner['description'],
    });
    const below = belowOf(inner);
    return below === undefined ? [own] : [own, ...rowsOf(below.schema, pen, `${before}${name}${below.mark}`)];
  });
}

/** The fields of an object, or of a list's rows, that has no name of its own. */
function belowOf(schema: Json): { schema: Json; mark: string } | undefined {
  if (Object.keys(propertiesOf(schema)).length > 0) return { schema, mark: '.' };
  const items = schema['items'];
  if (isJson(items) && Object.keys(propertiesOf(items)).length > 0) return { schema: items, mark: '[].' };
  const inner = schema['contentSchema'];
  return isJson(inner) && Object.keys(propertiesOf(inner)).length > 0 ? { schema: inner, mark: '.' } : undefined;
}

interface Reply {
  pen: Pen;
  isRequired: boolean;
  says: unknown;
}

const row = (name: string, schema: Json, { pen, isRequired, says }: Reply) =>
  `<tr><td><code>${escapeHtml(name).replaceAll('.', '.<wbr>')}</code></td><td>${typeHtml(schema, pen)}${isRequired ? ', <b>needed</b>' : ''}</td><td>${markdownLine(typeof says === 'string' ? says : '')}</td></tr>`;

function typeHtml(schema: Json, pen: Pen): string {
  const name = nameIn(schema);
  if (name !== undefined) return `<a href="${pen.page}#shape-${name}">${name}</a>`;
  const choices = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])];
  if (choices.length > 0) return [...new Set(choices.map((one) => typeHtml(one, pen)))].join(' or ');
  if (Array.isArray(schema['enum']))
    return schema['enum'].map((one) => `<code>${escapeHtml(JSON.stringify(one))}</code>`).join(' or ');
  if ('const' in schema) return `<code>${escapeHtml(JSON.stringify(schema['const']))}</code>`;
  if (isJson(schema['items'])) return `list of ${typeHtml(schema['items'], pen)}${mostOf(schema)}`;
  if (isJson(schema['contentSchema'])) return 'JSON in a string';
  const type = [schema['type']].flat().filter((one) => typeof one === 'string');
  return `${type.length === 0 ? 'any' : type.join(' or ')}${limitOf(schema)}`;
}

const mostOf = ({ maxItems }: Json) => (typeof maxItems === 'number' ? `, at most ${maxItems}` : '');

/** `at most 255`, `1 to 500`, `date-time` */
function limitOf({ format, maxLength, minimum, maximum }: Json): string {
  const most = maxLength ?? maximum;
  const least = typeof minimum === 'number' && minimum > Number.MIN_SAFE_INTEGER ? minimum : undefined;
  const isBounded = typeof most === 'number' && most < Number.MAX_SAFE_INTEGER;
  const range = isBounded
    ? least === undefined
      ? `at most ${most}`
      : `${least} to ${most}`
    : least === undefined
      ? undefined
      : `from ${least}`;
  const hints = [typeof format === 'string' ? format : undefined, range].filter((one) => one !== undefined);
  return hints.length === 0 ? '' : ` (${escapeHtml(hints.join(', '))})`;
}

/** An operation as one line, with what opens below it: nothing on the first page, which fetches it; else it is open. */
const operationHtml = (route: AnyRoute, body: string): string =>
  `<details id="${operationIdOf(route)}"${body === '' ? '' : ' open'}><summary><b class="${route.method}">${route.method}</b> <code>${route.path}</code> <span>${escapeHtml(route.summary)}</span></summary>${body}</details>`;

/** What an operation is for, what it needs, its fields, how it is refused, and calls to copy. */
function operationBody(route: AnyRoute, fields = ''): string {
  const { description = '' } = route;
  const resources = [route.acl].flat().join(', ');
  return `
<p>${markdownLine(description)}</p>
<p class="needs">${operationIdOf(route)} · needs ${escapeHtml(resources)}</p>
<table>${outcomesOf(route).map(outcomeRow).join('')}</table>
${callsOf(route)}
${fields}
`;
}

/** At least one call, for a reader who copies it. */
const callsOf = (route: AnyRoute) =>
  examplesOf(route)
    .slice(0, 2)
    .map((example) => exampleHtml(route, example))
    .join('\n') || callHtml(curlOf(route, {}));

/** What a reader may look for: path, purpose, texts, refusals and examples. */
const searchText = (route: AnyRoute): string =>
  `${route.method} ${route.path} ${route.summary} ${operationBody(route)}`
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll(/\s+/g, ' ')
    .toLowerCase();

const outcomeRow = ({ status, code, message, when, then }: Outcome) =>
  `<tr><td>${status}</td><td>${code === undefined ? '' : `<code>${code}</code> `}“${escapeHtml(message)}” ${markdownLine(when)}${then === undefined ? '' : ` <em>${markdownLine(then)}</em>`}</td></tr>`;

/** Longer answers are shown only on the chapter's page. */
const longestShown = 1_200;

function exampleHtml(route: AnyRoute, example: Example): string {
  const answer = JSON.stringify(example.response, null, 2);
  const shown = answer.length > longestShown ? `${answer.slice(0, longestShown)}\n…` : answer;
  return `<h3>${escapeHtml(example.title)}</h3>${callHtml(curlOf(route, example))}<pre>${escapeHtml(shown)}</pre>`;
}

const callHtml = (call: string) =>
  `<div class="call"><button type="button">Copy</button><pre>${escapeHtml(call)}</pre></div>`;

/** A call for a shell. */
function curlOf(route: AnyRoute, { params = {}, query, body }: Partial<Example>): string {
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name] ?? name)));
  const isOpen = [route.acl].flat().includes('anonymous');
  return [
    `curl -g${route.method === 'GET' ? '' : ` -X ${route.method}`} "$POS/rest${path}${query === undefined ? '' : `?${query}`}"`,
    ...(isOpen ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`]),
  ].join(' \\\n  ');
}

/**
 * The first page of the API document: every operation by chapter, a line each. It is made on the server, its style is
 * in it, and its script waits, so that a phone shows it at once. What an operation says comes when it is opened.
 */
export function docsIndex(routes: readonly AnyRoute[]): string {
  const chapters = chaptersOf(routes);
  const links = chapters.map(({ name }) => `<a href="#${slugOf(name)}">${escapeHtml(name)}</a>`).join(' ');
  return pageOf({
    header: `<p>JSON over HTTP under <code>/rest</code>. ${routes.length} operations.
<a href="/docs/guide/registers">The guide for registers</a>, with
<a href="/docs/guide/registers/first-sale">the first sale</a> · <a href="/openapi.json">OpenAPI 3.1</a> · <a href="/docs/bruno.zip">Bruno</a> ·
<a href="/docs/graphql">Published content by GraphQL</a></p>
<p><strong>Tokens.</strong> Each operation names the resource that its token needs. A register sends the access token of its
integration as <code>Authorization: Bearer …</code>; administrators and customers get theirs in the chapter
<a href="#platform-tokens">Platform: tokens</a>. In the local shop <code>npm start</code> prints the register’s token. A copied call takes it from the shell: <code>TOKEN=…</code></p>
<input id="search" type="search" placeholder="Search: settle, held-carts, 409 …" aria-label="Search operations">`,
    nav: `<nav aria-label="Chapters">${links}</nav>`,
    main: chapters.map((chapter) => chapterHtml(chapter, () => '')).join('\n'),
  });
}

/**
 * One chapter with all that its operations say and each of their fields; undefined for an unknown one. It needs no
 * script.
 *
 * @param document the API document of the chapter
 */
export function docsChapter(routes: readonly AnyRoute[], slug: string, document: Json): string | undefined {
  const chapter = chaptersOf(routes).find(({ name }) => slugOf(name) === slug);
  if (!chapter) return undefined;
  const tables = fieldTables(document, `/docs/${slug}.html`);
  const operations = operationsIn(document);
  const operation = (route: AnyRoute) =>
    operationBody(route, tables.ofOperation(operations.get(operationIdOf(route)) ?? {}));
  const main = chapterHtml(chapter, operation, tryIt(slug));
  const links = chapter.routes.map((route) => `<a href="#${operationIdOf(route)}">${escapeHtml(route.summary)}</a>`);
  return pageOf({
    header: '<p><a href="/docs">All chapters</a></p>',
    nav: `<nav aria-label="Operations">${links.join(' ')}<a href="#shapes">Objects</a></nav>`,
    main: `${main}
<section id="shapes"><h2>Objects</h2>
${tables.shapes()}
</section>`,
  });
}

/** The operations of a document by their ids. */
function operationsIn(document: Json): ReadonlyMap<unknown, Json> {
  const paths = Object.values(isJson(document['paths']) ? document['paths'] : {});
  const operations = paths.flatMap((methods) => (isJson(methods) ? Object.values(methods).filter(isJson) : []));
  return new Map(operations.map((operation) => [operation['operationId'], operation]));
}

/** What the search of the first page looks through: a text for each operation. */
export const docsSearch = (routes: readonly AnyRoute[]): string =>
  JSON.stringify(Object.fromEntries(routes.map((route) => [operationIdOf(route), searchText(route)])));

interface Chapter {
  name: string;
  says: string;
  routes: readonly AnyRoute[];
}

const chaptersOf = (routes: readonly AnyRoute[]): Chapter[] =>
  tags.flatMap(({ name, description }) => {
    const own = routes.filter(({ path }) => chapterOf(path) === name);
    return own.length === 0 ? [] : [{ name: String(name), says: String(description), routes: own }];
  });

const pageOf = ({ header, nav = '', main }: { header: string; nav?: string; main: string }) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Point of sale: the interface</title>
<style>${indexStyle}</style>
<script src="/docs/index.js" defer></script>
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
</head>
<body>
${topBar}
<header>
<h1>Point of sale: the interface</h1>
${header}
</header>
${nav}
<main>
${main}
</main>
</body>
</html>
`;

const chapterHtml = (
  { name, says, routes }: Chapter,
  bodyOf: (route: AnyRoute) => string,
  links = chapterLinks(slugOf(name)),
) =>
  `<section id="${slugOf(name)}">
<h2>${escapeHtml(name)}</h2>
<p>${markdownLine(says)} ${links}</p>
${routes.map((route) => operationHtml(route, bodyOf(route))).join('\n')}
</section>`;

const chapterLinks = (slug: string) =>
  `<a href="/docs/${slug}.html">With every field, on one page</a> · ${tryIt(slug)}`;
const tryIt = (slug: string) => `<a href="/docs/${slug}">Try it</a>`;
