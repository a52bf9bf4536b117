import { chapterOf, tags } from './openapi/chapters.ts';
import { slugOf } from './openapi/chapter-document.ts';
import { outcomesOf } from './openapi/meaning.ts';
import { operationIdOf } from './openapi/operation.ts';
import { examplesOf } from './openapi/recorded-examples.ts';
import { escapeHtml, markdownLine } from './plain-markdown.ts';
import type { AnyRoute, Example, Outcome } from './route.ts';

/**
 * The first page of the API document: every operation by chapter, with its purpose, its refusals and a call to copy. It
 * is made on the server, so that a phone shows it at once. Only the search needs a script.
 */
export function docsIndex(routes: readonly AnyRoute[]): string {
  const chapters = tags.flatMap(({ name, description }) => {
    const own = routes.filter(({ path }) => chapterOf(path) === name);
    return own.length === 0 ? [] : [{ name: String(name), says: String(description), routes: own }];
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Point of sale: the interface</title>
<link rel="stylesheet" href="/docs/index.css">
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
</head>
<body>
<header>
<h1>Point of sale: the interface</h1>
<p>JSON over HTTP under <code>/rest</code>. ${routes.length} operations.
<a href="/docs/registers.md">The guide for registers</a>, with
<a href="/docs/registers/first-sale.md">the first sale</a> · <a href="/openapi.json">OpenAPI 3.1</a> ·
<a href="/docs/graphql">Published content by GraphQL</a></p>
<p><strong>Tokens.</strong> Each operation names the resource that its token needs. A register sends the access token of its
integration as <code>Authorization: Bearer …</code>; administrators and customers get theirs in the chapter
<a href="#platform-tokens">Platform: tokens</a>. In the local shop <code>npm start</code> prints the register’s token.</p>
<input id="search" type="search" placeholder="Search: settle, held-carts, 409 …" aria-label="Search operations">
<nav>${chapters.map(({ name }) => `<a href="#${slugOf(name)}">${escapeHtml(name)}</a>`).join(' ')}</nav>
</header>
<main>
${chapters.map(chapterHtml).join('\n')}
</main>
<script src="/docs/index.js"></script>
</body>
</html>
`;
}

interface Chapter {
  name: string;
  says: string;
  routes: readonly AnyRoute[];
}

const chapterHtml = ({ name, says, routes }: Chapter) => `<section id="${slugOf(name)}">
<h2>${escapeHtml(name)}</h2>
<p>${markdownLine(says)} <a href="/docs/${slugOf(name)}">Every field of it, and try it</a></p>
${routes.map(operationHtml).join('\n')}
</section>`;

function operationHtml(route: AnyRoute): string {
  const { method, path, summary, description = '' } = route;
  const id = operationIdOf(route);
  const resources = [route.acl].flat().join(', ');
  return `<details id="${id}"><summary><b class="${method}">${method}</b> <code>${path}</code> <span>${escapeHtml(summary)}</span></summary>
<p>${markdownLine(description)}</p>
<p class="needs">${id} · needs ${escapeHtml(resources)}</p>
<table>${outcomesOf(route).map(outcomeRow).join('')}</table>
${examplesOf(route)
  .slice(0, 2)
  .map((example) => exampleHtml(route, example))
  .join('\n')}
</details>`;
}

const outcomeRow = ({ status, code, message, when, then }: Outcome) =>
  `<tr><td>${status}</td><td>${code === undefined ? '' : `<code>${code}</code> `}“${escapeHtml(message)}” ${markdownLine(when)}${then === undefined ? '' : ` <em>${markdownLine(then)}</em>`}</td></tr>`;

/** Longer answers are shown only on the chapter's page. */
const longestShown = 1_200;

function exampleHtml(route: AnyRoute, example: Example): string {
  const answer = JSON.stringify(example.response, null, 2);
  const shown = answer.length > longestShown ? `${answer.slice(0, longestShown)}\n…` : answer;
  return `<h3>${escapeHtml(example.title)}</h3><pre>${escapeHtml(curlOf(route, example))}</pre><pre>${escapeHtml(shown)}</pre>`;
}

/** A call for a shell. */
function curlOf(route: AnyRoute, { params = {}, query, body }: Example): string {
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

export const indexStyle = `:root { color-scheme: light dark; --line: #8884; --soft: #8882; }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 0 1rem 4rem; }
h1 { font-size: 1.5rem; } h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); } h3 { font-size: 1rem; margin: 1rem 0 0; }
code, pre { font: 0.85em/1.45 ui-monospace, monospace; } code { overflow-wrap: anywhere; }
pre { background: var(--soft); padding: 0.6rem; overflow-x: auto; border-radius: 4px; }
nav { line-height: 2; } nav a { margin-right: 0.8rem; white-space: nowrap; }
#search { font: inherit; width: 100%; padding: 0.5rem; margin: 0.5rem 0; }
section { content-visibility: auto; contain-intrinsic-size: auto 60rem; }
details { border-bottom: 1px solid var(--line); } summary { cursor: pointer; padding: 0.45rem 0; } summary span { display: block; opacity: 0.8; }
b { display: inline-block; min-width: 3.6rem; } .GET { color: #2a7; } .POST { color: #27c; } .PUT { color: #a60; } .DELETE { color: #c33; }
table { border-collapse: collapse; width: 100%; font-size: 0.92em; } td { border-top: 1px solid var(--line); padding: 0.3rem 0.5rem 0.3rem 0; vertical-align: top; }
.needs { opacity: 0.75; font-size: 0.9em; } [hidden] { display: none; }
`;

export const indexScript = `const search = document.getElementById('search');
let found;
// At the first search: on a phone it would hold up the page.
const rowsOf = () => (found ??= [...document.querySelectorAll('details')].map((row) => ({ row, text: row.textContent.toLowerCase() })));
const chapters = [...document.querySelectorAll('section')];
search.addEventListener('input', () => {
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const { row, text } of rowsOf()) row.hidden = !words.every((word) => text.includes(word));
  for (const chapter of chapters) chapter.hidden = !chapter.querySelector('details:not([hidden])');
});
const open = () => { const row = document.getElementById(location.hash.slice(1)); if (row?.tagName === 'DETAILS') row.open = true; };
addEventListener('hashchange', open);
open();
`;
