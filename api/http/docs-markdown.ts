import { readFile } from 'node:fs/promises';
import type { AnyRoute } from './route.ts';

const root = new URL('../..', import.meta.url);

/** Files served unchanged from the repository. */
const files: Readonly<Record<string, { file: string; says: string }>> = {
  '/docs/registers.md': {
    file: 'docs/registers/README.md',
    says: 'How a register must behave: four rules, the pages of the guide, how to read its samples',
  },
  ...guidePages({
    'first-sale': 'The first sale: a device is bound; receipt, order, invoice, shipment',
    hold: 'Hold a cart: parked, listed, taken back by one register',
    return: 'A return: goods back, then money back, in cash or to the card',
    'refund-in-doubt': "A refund in doubt: the card processor's answer is lost",
    layaway: 'Layaway: paid in parts, settled or cancelled',
    credit: 'Credit: store credit, gift cards and points, spent and given back',
    offline: 'Offline: what waits, replays, conflicts, copies for the day',
    errors: 'Errors: the envelope, codes, Retry-After, Idempotency-Key, what each answer asks of a register',
    tokens: 'Tokens: which token opens what',
    customers: 'Customers: kiosk sign-in, newsletter, texts for the display',
  }),
  '/docs/changelog.md': {
    file: 'CHANGELOG.md',
    says: 'What changed in which module version, and whether a register must act',
  },
};

/** The guide's pages by their name: `docs/registers/<name>.md`, at the same path. */
function guidePages(pages: Readonly<Record<string, string>>): Record<string, { file: string; says: string }> {
  return Object.fromEntries(
    Object.entries(pages).map(([name, says]) => [
      `/docs/registers/${name}.md`,
      { file: `docs/registers/${name}.md`, says },
    ]),
  );
}

const routesPath = '/docs/routes.md';

/** The documents as Markdown, and their index for machine readers; undefined for an unknown path. */
export async function markdownOf(path: string, routes: readonly AnyRoute[]): Promise<string | undefined> {
  if (path === '/llms.txt') return index();
  if (path === routesPath) return routeTable(routes);
  const known = Object.hasOwn(files, path) ? files[path] : undefined;
  return known && readFile(new URL(known.file, root), 'utf8');
}

const index = () =>
  [
    '# Point of sale',
    '',
    '> The server side of a retail register: configuration, staff, held carts, orders, credits, layaways, returns and',
    '> refunds through card processors. JSON over HTTP under `/rest`, with a bearer token.',
    '',
    '## Documents',
    '',
    ...Object.entries(files).map(([path, { says }]) => `- [${path}](${path}): ${says}`),
    `- [${routesPath}](${routesPath}): every route, what it takes and who may call it`,
    '- [/openapi.json](/openapi.json): the same as OpenAPI 3.1, with every schema',
    '',
  ].join('\n');

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
