import { posix } from 'node:path';
import { guideMenu, readDocument, type GuidePage } from './guide/guide-menu.ts';
import type { AnyRoute } from './route.ts';

/** Addresses that clients know from earlier releases. */
const aliases: Readonly<Record<string, string>> = {
  '/docs/registers.md': 'docs/registers/README.md',
  '/docs/changelog.md': 'CHANGELOG.md',
};

const routesPath = '/docs/routes.md';

/** What is made for machine readers: an index, the routes, documents under old names; undefined for an unknown path. */
export function markdownOf(path: string, routes: readonly AnyRoute[]): string | undefined {
  if (path === '/llms.txt') return index();
  if (path === routesPath) return routeTable(routes);
  const known = Object.hasOwn(aliases, path) ? aliases[path] : undefined;
  return known === undefined ? undefined : readDocument(known);
}

const index = () =>
  [
    '# Point of sale',
    '',
    '> The server side of a retail register: configuration, staff, held carts, orders, credits, layaways, returns and',
    '> refunds through card processors. JSON over HTTP under `/rest`, with a bearer token.',
    '',
    '## The interface',
    '',
    `- [${routesPath}](${routesPath}): every route, what it takes and who may call it`,
    '- [/openapi.json](/openapi.json): the same as OpenAPI 3.1, with every schema',
    ...guideMenu().sections.flatMap(({ name, pages }) => ['', `## ${name}`, '', ...pages.map(line)]),
    '',
  ].join('\n');

const line = (page: GuidePage) => `- [/${page.file}](/${page.file}): ${saysOf(page)}`;

/** What the first page of the folder says of it in its table, else its title. */
function saysOf({ file, title }: GuidePage): string {
  const first = guideMenu().byFile.get(posix.join(posix.dirname(file), 'README.md'));
  if (!first) return title;
  // `| [Hold a cart](/docs/registers/hold.md) | parked, listed … |`
  const rows = readDocument(first.file)
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const [, , says] = rows.find(([, link = '']) => link.endsWith(`](/${file})`)) ?? [];
  return says === undefined ? title : `${title}: ${says}`;
}

const routeTable = (routes: readonly AnyRoute[]) =>
  [
    '# Routes',
    '',
    'Under `/rest`, or `/rest/<store code>`. Schemas are in [/openapi.json](/openapi.json).',
    '',
    '| Method | Path | What it does | Who may call it |',
    '| --- | --- | --- | --- |',
    ...routes.map(
      ({ method, path, summary, acl }) => `| ${method} | \`${path}\` | ${cell(summary)} | ${[acl].flat().join(', ')} |`,
    ),
    '',
  ].join('\n');

const cell = (text: string) => text.replaceAll('|', '\\|');
