import { chapterOf, tags } from './openapi/chapters.ts';
import { slugOf } from './openapi/chapter-document.ts';
import { indexStyle } from './docs-index-look.ts';
import { operationBody, operationHtml, searchText } from './docs-operation.ts';
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
<a href="/docs/registers.md">The guide for registers</a>, with
<a href="/docs/registers/first-sale.md">the first sale</a> · <a href="/openapi.json">OpenAPI 3.1</a> ·
<a href="/docs/graphql">Published content by GraphQL</a></p>
<p><strong>Tokens.</strong> Each operation names the resource that its token needs. A register sends the access token of its
integration as <code>Authorization: Bearer …</code>; administrators and customers get theirs in the chapter
<a href="#platform-tokens">Platform: tokens</a>. In the local shop <code>npm start</code> prints the register’s token.</p>
<input id="search" type="search" placeholder="Search: settle, held-carts, 409 …" aria-label="Search operations">`,
    nav: `<nav aria-label="Chapters">${links}</nav>`,
    main: chapters.map((chapter) => chapterHtml(chapter, () => '')).join('\n'),
  });
}

/** One chapter with all that its operations say; undefined for an unknown one. It needs no script. */
export function docsChapter(routes: readonly AnyRoute[], slug: string): string | undefined {
  const chapter = chaptersOf(routes).find(({ name }) => slugOf(name) === slug);
  return (
    chapter && pageOf({ header: '<p><a href="/docs">All chapters</a></p>', main: chapterHtml(chapter, operationBody) })
  );
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

const chapterHtml = ({ name, says, routes }: Chapter, bodyOf: (route: AnyRoute) => string) => {
  const slug = slugOf(name);
  return `<section id="${slug}">
<h2>${escapeHtml(name)}</h2>
<p>${markdownLine(says)} <a href="/docs/${slug}">Every field of it, and try it</a> · <a href="/docs/${slug}.html">To read as one page</a></p>
${routes.map((route) => operationHtml(route, bodyOf(route))).join('\n')}
</section>`;
};
