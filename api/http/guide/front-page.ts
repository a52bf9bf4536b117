import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { PageFile } from '../docs-page.ts';
import { escapeHtml } from '../plain-markdown.ts';
import type { Health } from '../health.ts';
import { filesBelow, guideMenu, guidePath, readDocument } from './guide-menu.ts';
import { topBar } from './guide-page.ts';

export const guideStyle = `:root { color-scheme: light dark;
  --ground: light-dark(#fff, #16181c); --ink: light-dark(#1b1d21, #e4e6ea); --soft: light-dark(#5b6068, #a3a9b3);
  --line: light-dark(#dfe2e6, #33373e); --panel: light-dark(#f4f5f7, #1f2228); --link: light-dark(#0b57c4, #8ab4f8);
  --key: light-dark(#8a2be2, #c8a2ff); --text: light-dark(#0a6b35, #8fd6a5); --number: light-dark(#a34700, #ffb77a); }
* { box-sizing: border-box; }
html { scroll-padding-top: 4.5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; background: var(--ground); color: var(--ink); }
a { color: var(--link); text-underline-offset: 0.15em; }
a:focus-visible, summary:focus-visible, button:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.top { position: sticky; top: 0; z-index: 1; display: flex; gap: 1.5rem; align-items: center; padding: 0.7rem 1.25rem;
  background: var(--ground); border-bottom: 1px solid var(--line); }
.top a { text-decoration: none; } .top .home { font-weight: 650; color: inherit; white-space: nowrap; }
.top nav { display: flex; gap: 1.1rem; margin-left: auto; }
.soft { color: var(--soft); font-size: 0.9em; }
h1 { font-size: 1.9rem; line-height: 1.25; margin: 0 0 1rem; letter-spacing: -0.01em; }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 2.4rem 0 0.6rem; } h3 { font-size: 1.05rem; margin: 1.8rem 0 0.4rem; }
h1, h2, h3, p, li { overflow-wrap: anywhere; }
.anchor { margin-left: 0.35em; text-decoration: none; opacity: 0; font-weight: 400; }
:is(h1, h2, h3, h4):hover .anchor, .anchor:focus-visible { opacity: 0.6; }
code, pre { font: 0.875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
th code { white-space: nowrap; } pre code { font-size: inherit; } :not(pre) > code { background: var(--panel);
  border-radius: 4px; padding: 0.1em 0.3em; overflow-wrap: anywhere; }
.call { position: relative; margin: 0.9rem 0; }
.call pre { margin: 0; padding: 0.85rem 1rem; overflow-x: auto; background: var(--panel); border: 1px solid var(--line);
  border-radius: 8px; tab-size: 2; }
.call:has(button) pre { padding-top: 2.3rem; }
.call button { position: absolute; top: 0.45rem; right: 0.45rem; font: inherit; font-size: 0.75rem; line-height: 1.4;
  padding: 0.15rem 0.55rem; border: 1px solid var(--line); border-radius: 5px; background: var(--ground);
color: var(--soft); cursor: pointer; }
.call button:hover { color: var(--ink); }
.hljs-attr, .hljs-title, .hljs-keyword, .hljs-built_in, .hljs-variable { color: var(--key); }
.hljs-string { color: var(--text); } .hljs-number, .hljs-literal { color: var(--number); }
.hljs-comment, .hljs-meta { color: var(--soft); }
.table { overflow-x: auto; margin: 0.9rem 0; } table { border-collapse: collapse; width: 100%; font-size: 0.925em;
  line-height: 1.5; }
th { text-align: left; font-weight: 600; border-bottom: 2px solid var(--line); }
td { border-bottom: 1px solid var(--line); } th, td { padding: 0.45rem 0.9rem 0.45rem 0; vertical-align: top; }
td:has(> code:only-child) code { white-space: nowrap; }
img { max-width: 100%; height: auto; border-radius: 8px; border: 1px solid var(--line); }
.flow { list-style: none; margin: 0.9rem 0; padding: 0.85rem 1rem; background: var(--panel);
  border: 1px solid var(--line); border-radius: 8px; } .flow b { font-weight: 600; }
blockquote { margin: 1rem 0; padding: 0.1rem 1rem; border-left: 3px solid var(--line); color: var(--soft); }
.menu { border-bottom: 1px solid var(--line); padding: 0 1.25rem; } .menu > summary { padding: 0.6rem 0;
  font-weight: 600; cursor: pointer; }
.menu nav { padding-bottom: 1rem; } .menu nav summary { cursor: pointer; padding: 0.3rem 0; font-weight: 600; }
.menu ul { list-style: none; margin: 0 0 0.5rem; padding: 0 0 0 0.9rem; border-left: 1px solid var(--line); }
.menu li a { display: block; padding: 0.22rem 0; text-decoration: none; color: var(--soft); line-height: 1.4; }
.menu li a:hover { color: var(--ink); }
.menu [aria-current] { color: var(--link) !important; font-weight: 600; }
main { padding: 1.5rem 1.25rem 4rem; } article { max-width: 48rem; }
.contents { display: none; }
footer { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1rem; }
.turn { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; } .turn a { text-decoration: none;
  border: 1px solid var(--line); border-radius: 8px; padding: 0.6rem 0.9rem; line-height: 1.4; }
.turn a:hover { border-color: var(--link); }
.turn a span { display: block; font-size: 0.8em; color: var(--soft); } .turn [rel=next] { text-align: right;
  grid-column: 2; }
body.door { display: block; } .door main { max-width: 62rem; margin: 0 auto; display: block; padding-top: 2.5rem; }
.door h1 { font-size: 2.3rem; margin-bottom: 0.5rem; }
.lead { font-size: 1.1rem; max-width: 44rem; margin-top: 0; }
.state { display: inline-block; border-radius: 14px; padding: 0.25rem 0.9rem; font-weight: 600; font-size: 0.925rem;
  margin: 0.3rem 0 1.5rem; } .state a { color: inherit; }
.ready { background: light-dark(#e3f5ea, #12301c); color: light-dark(#14602f, #8fdca5); }
.away { background: light-dark(#fdecec, #3c1516); color: light-dark(#98141b, #ffb3b0); }
.doors { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr)); gap: 1rem;
  margin-bottom: 1.5rem; }
.doors section { border: 1px solid var(--line); border-radius: 12px; padding: 1.1rem 1.3rem; background: var(--panel); }
.doors h2 { margin: 0 0 0.2rem; font-size: 1.15rem; } .doors p { margin: 0 0 0.6rem; color: var(--soft); }
.doors ul { list-style: none; margin: 0; padding: 0; } .doors li a { display: inline-block; padding: 0.2rem 0; }
@media (min-width: 60rem) {
  body { display: grid; grid-template-columns: 17rem minmax(0, 1fr); grid-template-rows: auto 1fr; min-height: 100vh; }
.top { grid-column: 1 / -1; }
  .menu { position: sticky; top: 3.3rem; align-self: start; max-height: calc(100vh - 3.3rem); overflow-y: auto;
  border: 0; padding: 1rem 1.25rem; }
  .menu > summary { display: none; } main { padding: 2rem 2.5rem 5rem; }
}
@media (min-width: 88rem) {
  main { display: grid; grid-template-columns: minmax(0, 48rem) 14rem; column-gap: 3rem; }
  .contents { display: block; position: sticky; top: 5rem; align-self: start; max-height: calc(100vh - 6rem);
  overflow-y: auto; font-size: 0.875em; }
  .contents p { font-weight: 600; margin: 0 0 0.4rem; } .contents ul { list-style: none; margin: 0; padding: 0; }
.contents a { display: block; padding: 0.2rem 0; color: var(--soft); text-decoration: none; line-height: 1.4; }
.contents a:hover { color: var(--ink); }
}
@media (max-width: 40rem) { td:not(:first-child) { min-width: 9.5rem; } h1 { font-size: 1.6rem; } }
@media print { .top, .menu, .contents, .turn, .call button { display: none; } .call pre { white-space: pre-wrap; } }
`;

export const guideScript = `// On a phone the menu is closed until it is asked for.
const menu = document.querySelector('.menu');
if (menu && !matchMedia('(min-width: 60rem)').matches) menu.open = false;

document.addEventListener('click', async ({ target: button }) => {
  if (!button.matches('.call button')) return;
  const sample = button.nextElementSibling;
  const name = button.textContent;
  // Without https the browser has no clipboard: the sample is marked, to be copied by hand.
  // A call goes to the service that shows it; the tokens are the reader's.
  const text = button.dataset.copy.replaceAll('\${API%/rest}', location.origin).replaceAll('$API', location.origin + '/rest');
  const isCopied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
  if (!isCopied) getSelection().selectAllChildren(sample);
  button.textContent = isCopied ? 'Copied' : 'Marked';
  setTimeout(() => { button.textContent = name; }, 2000);
});
`;

interface Access {
  name: string;
  says: string;
  links: readonly (readonly [path: string, name: string])[];
}

const accesses: readonly Access[] = [
  {
    name: 'You build a register',
    says: 'What to send, what comes back, and what to do when nothing does.',
    links: [
      ['/docs/guide/registers', 'How a register must behave'],
      ['/docs/guide/registers/first-sale', 'The first sale'],
      ['/docs/guide/registers/client', 'A client in TypeScript'],
      ['/docs/guide/registers/errors', 'Errors, and when to send again'],
      ['/docs/guide/sandbox', 'Values that call up trouble'],
      ['/docs', 'Every operation of the API'],
    ],
  },
  {
    name: 'You run the shop',
    says: 'Stores, staff, prices and receipts, and the questions that only a person can answer.',
    links: [
      ['/ops', 'The operator’s page'],
      ['/docs/guide/first-shop', 'The first shop'],
      ['/docs/guide/operators/staff', 'Staff and their passcodes'],
      ['/docs/guide/operators', 'For operators'],
      ['/docs/guide/receipts', 'Receipts'],
    ],
  },
  {
    name: 'You run the servers',
    says: 'From one machine to many, and how you know that all is well.',
    links: [
      ['/docs/guide/start', 'Start here'],
      ['/docs/guide/deploy', 'Deployment'],
      ['/docs/guide/operators/restore', 'After a restore'],
      ['/health/ready', 'The state of this service'],
    ],
  },
  {
    name: 'You change the code',
    says: 'Where things are, why they are so, and what proves it.',
    links: [
      ['/docs/guide/contributing', 'Contributing'],
      ['/docs/guide/inside/map', 'The map'],
      ['/docs/guide/glossary', 'Glossary'],
      ['/docs/guide/inside/decisions', 'Decisions'],
    ],
  },
];

/** The first page of the service: what this is, how it is, and where each reader goes on. */
export const frontPage = (health: Health): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Point of sale</title>
<link rel="stylesheet" href="/docs/guide.css">
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
</head>
<body class="door">
${topBar}
<main>
<h1>Point of sale</h1>
<p class="lead">The server side of a retail register: sales, returns and refunds through card processors, held carts, layaways,
credits and receipts. JSON over HTTP under <code>/rest</code>, with a bearer token.</p>
${stateHtml(health)}
<div class="doors">
${accesses.map(accessHtml).join('\n')}
</div>
<p class="soft">For programs: <a href="/openapi.json">OpenAPI 3.1</a> · <a href="/llms.txt">llms.txt</a> ·
<a href="/docs/routes.md">all routes as Markdown</a> · <a href="/docs/graphql">published content by GraphQL</a></p>
</main>
</body>
</html>
`;

const stateHtml = ({ status, missing = [] }: Health) =>
  status === 'ok'
    ? '<p class="state ready" role="status">Ready: the database and Temporal answer.</p>'
    : `<p class="state away" role="status">${status === 'degraded' ? 'Ready, but' : 'Not ready'}: ${missing.map(escapeHtml).join('; ')}. <a href="/docs/guide/start">Start here</a></p>`;

const accessHtml = ({ name, says, links }: Access) =>
  `<section><h2>${name}</h2><p>${says}</p><ul>${links.map(([path, text]) => `<li><a href="${path}">${text}</a></li>`).join('')}</ul></section>`;

const root = new URL('../../..', import.meta.url);

const types: Readonly<Record<string, string>> = {
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.json': 'application/json; charset=utf-8',
};

const html = 'text/html; charset=utf-8';

/** The guide as pages, and the files behind them; undefined for an unknown path. */
export async function guideFile(path: string): Promise<PageFile | undefined> {
  if (path === '/docs/guide.css') return { type: 'text/css; charset=utf-8', body: guideStyle };
  if (path === '/docs/guide.js') return { type: 'text/javascript; charset=utf-8', body: guideScript };
  if (path === guidePath || path.startsWith(`${guidePath}/`)) return guideHtml(path);
  return rawFile(path);
}

async function guideHtml(path: string): Promise<PageFile | undefined> {
  // Loaded by the first reader: an API that nobody reads about does without them.
  const [{ renderPage }, { contentsPage, guidePage }] = await Promise.all([
    import('./guide-markdown.ts'),
    import('./guide-page.ts'),
  ]);
  if (path === guidePath) return { type: html, body: contentsPage() };
  const page = guideMenu().byPath.get(path);
  return page && { type: html, body: guidePage(page, renderPage(page, readDocument(page.file))) };
}

let known: ReadonlySet<string> | undefined;

/** A document as it lies in the repository, so that links between documents work; no other file is served. */
async function rawFile(path: string): Promise<PageFile | undefined> {
  const file = path.slice(1);
  known ??= new Set([...guideMenu().byFile.keys(), ...filesBelow('docs', /\.(?:png|json)$/)]);
  if (!known.has(file)) return undefined;
  return { type: types[extname(file)] ?? 'text/plain', body: await readFile(new URL(file, root)) };
}
