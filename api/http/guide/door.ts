import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { PageFile } from '../docs-page.ts';
import { escapeHtml } from '../plain-markdown.ts';
import type { Health } from '../health.ts';
import { guideScript, guideStyle } from './guide-look.ts';
import { filesBelow, guideMenu, guidePath, readDocument } from './guide-menu.ts';
import { topBar } from './guide-page.ts';

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
export const doorPage = (health: Health): string => `<!doctype html>
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
${accesses.map(doorHtml).join('\n')}
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

const doorHtml = ({ name, says, links }: Access) =>
  `<section><h2>${name}</h2><p>${says}</p><ul>${links.map(([path, text]) => `<li><a href="${path}">${text}</a></li>`).join('')}</ul></section>`;

const root = new URL('../../../', import.meta.url);

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
