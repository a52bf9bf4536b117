import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { topBar } from './guide/guide-page.ts';

const { resolve } = createRequire(import.meta.url);

/** The files of swagger-ui-dist that the page needs; no others are served. */
const files: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

/** One chapter with every field, to be tried. */
export const chapterPage = (slug: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Point of sale: the interface</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="stylesheet" href="/docs/narrow.css">
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
  </head>
  <body>
    ${topBar}
    <p class="wrapper"><a href="/docs#${slug}">All chapters</a> · <a href="/docs/${slug}.html">With every field, on one page</a></p>
    <div id="swagger-ui" data-chapter="${slug}"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

const start = `document.documentElement.classList.toggle('dark-mode', matchMedia('(prefers-color-scheme: dark)').matches);
const { chapter } = document.getElementById('swagger-ui').dataset;
window.ui = SwaggerUIBundle({
  url: '/docs/' + chapter + '.json', dom_id: '#swagger-ui', deepLinking: true, docExpansion: 'list', defaultModelsExpandDepth: -1,
  presets: [SwaggerUIBundle.presets.apis],
});
`;

// On a phone a parameter's field stands below its name; beside it, it was cut off.
const narrow = `body { margin: 0; font-family: system-ui, sans-serif; color-scheme: light dark; }
body > p { padding: 0 1.25rem; } body > p a { color: light-dark(#0b57c4, #8ab4f8); }
.top { display: flex; gap: 1.5rem; align-items: center; padding: 0.7rem 1.25rem; border-bottom: 1px solid #8884; }
.top a { text-decoration: none; color: light-dark(#0b57c4, #8ab4f8); } .top .home { font-weight: 650;
  color: light-dark(#1b1d21, #e4e6ea); white-space: nowrap; } .top nav { display: flex; gap: 1.1rem; margin-left: auto;
}
@media (max-width: 640px) {
  .swagger-ui table.parameters, .swagger-ui table.parameters :is(tbody, tr, td) { display: block; width: auto; }
  .swagger-ui table.parameters thead { display: none; }
  .swagger-ui table.parameters :is(input[type=text], select) { width: 100%; max-width: 100%; }
}
`;

export interface PageFile {
  type: string;
  body: string | Buffer;
}

/** The files of the chapters' page, from this machine only; undefined for what is not there. */
export async function docsFile(path: string): Promise<PageFile | undefined> {
  if (path === '/docs/start.js') return { type: 'text/javascript; charset=utf-8', body: start };
  if (path === '/docs/narrow.css') return { type: 'text/css; charset=utf-8', body: narrow };
  const name = path.slice('/docs/'.length);
  const type = Object.hasOwn(files, name) ? files[name] : undefined;
  if (type === undefined) return undefined;
  return { type, body: await readFile(resolve(`swagger-ui-dist/${name}`)) };
}

/** One sentence, and optionally a form to answer it. */
export interface Page {
  title: string;
  /** A second sentence, or why an answer was refused. */
  note?: string;
  /** A field for a new password. */
  field?: { name: string; label: string };
  button?: string;
}

/** A page without scripts or pictures, which loads nothing. */
export const htmlPage = (page: Page): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(page.title)}</title>
<style>
body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 15vh auto 0; padding: 0 1rem; text-align: center }
button, input { font: inherit; padding: .6em 1.4em }
</style>
</head>
<body>
<h1>${escaped(page.title)}</h1>
${page.note === undefined ? '' : `<p role="status">${escaped(page.note)}</p>`}
${formOf(page)}
</body>
</html>
`;

const formOf = ({ field, button }: Page) =>
  button === undefined
    ? ''
    : `<form method="post">${field === undefined ? '' : inputOf(field)}<button>${escaped(button)}</button></form>`;

const inputOf = ({ name, label }: { name: string; label: string }) =>
  `<p><label>${escaped(label)}<br><input type="password" name="${escaped(name)}" autocomplete="new-password" required></label></p>`;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? '');
