import { fieldTables } from './docs-fields.ts';
import { topBar } from './guide/guide-page.ts';
import { chapterOf, tags } from './openapi/chapters.ts';
import { slugOf } from './openapi/chapter-document.ts';
import { indexStyle } from './docs-index-look.ts';
import { operationBody, operationHtml, searchText } from './docs-operation.ts';
import { isJson, type Json } from './openapi/json.ts';
import { operationIdOf } from './openapi/operation.ts';
import { escapeHtml, markdownLine } from './plain-markdown.ts';
import type { AnyRoute } from './route.ts';

/**
 * The first page of the API document: every operation by chapter, a line each. It is made on the server, its style is in
 * it, and its script waits, so that a phone shows it at once. What an operation says comes when it is opened.
 */
export function docsIndex(routes: readonly AnyRoute[]): string {
  const chapters = chaptersOf(routes);
  const links = chapters.map(({ name }) => `<a href="#${slugOf(name)}">${escapeHtml(name)}</a>`).join(' ');
  return pageOf({
    header: `<p>JSON over HTTP under <code>/rest</code>. ${routes.length} operations.
<a href="/docs/guide/registers">The guide for registers</a>, with
<a href="/docs/guide/registers/first-sale">the first sale</a> · <a href="/openapi.json">OpenAPI 3.1</a> ·
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
 * One chapter with all that its operations say and each of their fields; undefined for an unknown one. It needs no script.
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
