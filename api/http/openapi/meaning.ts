import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { inSnakeCase } from '../../wire/rows.ts';
import type { AnyRoute, Example } from '../route.ts';
import { isJson, type Json } from './json.ts';

/**
 * Calls and answers recorded in the demo shop, by the names of routes, with a file for each chapter. They are not
 * beside their routes because one order fills a page.
 */
const folder = new URL('examples/', import.meta.url);

const shownExample: z.ZodType<Example> = z.object({
  title: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])).exactOptional(),
  query: z.string().exactOptional(),
  body: z.unknown().optional(),
  response: z.unknown(),
});

const file = z.record(z.string(), z.array(shownExample));

const readAll = (): [name: string, examples: Example[]][] =>
  readdirSync(folder).flatMap((chapter) =>
    Object.entries(file.parse(JSON.parse(readFileSync(new URL(chapter, folder), 'utf8')))),
  );

let recorded: ReadonlyMap<string, readonly Example[]> | undefined;

/** The examples of a route: its own, else the recorded ones. */
export function examplesOf({ name, examples }: AnyRoute): readonly Example[] {
  if (examples !== undefined) return examples;
  const known = (recorded ??= new Map(readAll()));
  return known.get(name ?? '') ?? [];
}

/** The names of all recorded routes, so that a test finds those that no route uses. */
export const recordedNames = (): readonly string[] => readAll().map(([name]) => name);

/** The examples of a route's body or answer, by title. */
export function shownExamples(route: AnyRoute, part: 'body' | 'response'): Json {
  const shown = examplesOf(route).filter((example) => example[part] !== undefined);
  if (shown.length === 0) return {};
  return {
    examples: Object.fromEntries(
      shown.map((example) => [
        nameOf(example.title),
        { summary: example.title, value: asSent(route, part, example[part]) },
      ]),
    ),
  };
}

/** A double-encoded answer is a text. A body's inner keys are spelled as in its schema. */
function asSent(route: AnyRoute, part: 'body' | 'response', value: unknown): unknown {
  if (part === 'response') return route.isDoubleEncoded ? JSON.stringify(value) : value;
  if (!isJson(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === 'request' ? inner : inSnakeCase(inner)]),
  );
}

const nameOf = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '');

/** The chapters of the document, in the order in which a register's developer needs them. */

interface Chapter {
  name: string;
  says: string;
  /** Paths of the chapter; the first chapter that matches gets the route. */
  paths: RegExp;
}

const chapters: readonly Chapter[] = [
  {
    name: 'Start',
    says:
      'A register begins here: bind the device to its terminal, pull the configuration, sign a cashier in, and ' +
      'send a heartbeat. `terminals/activate` needs a token that may manage locations; everything after it goes ' +
      'with the register’s own token.',
    paths:
      /^\/V1\/pos\/(terminals\/(activate|deactivate)|terminals\/:terminalId\/(config|heartbeat|license\/refresh)|config|postcode-patterns|order-statuses|staff\/authenticate|staff\/session\/validate)$/,
  },
  {
    name: 'Sell',
    says:
      'A sale is a receipt, an order, its invoice and its shipment, in this order. Make the sale’s id on the ' +
      'register before you send anything: `pos_order_id` of the receipt and `pos_sale_id` of the order are that ' +
      'id, and a repeat is the same sale.',
    paths:
      /^\/V1\/(orders(\/create|\/:id|\/:id\/cancel)?|order\/:orderId\/(invoice|ship)|pos\/(customer-prices|orders\/.*(points-earned|issued-gift-cards)))$/,
  },
  {
    name: 'Hold',
    says:
      'A cart that is parked at one register can be taken up at another of the same location. The register makes ' +
      'the cart’s UUID; one register wins a recall.',
    paths: /^\/V1\/pos\/held-carts/,
  },
  {
    name: 'Drawer',
    says:
      'A drawer is opened with what was counted in it, and closed by a blind count. The register makes the ' +
      'session’s UUID and names it on receipts, payments and refunds. Each closing is numbered and contains the ' +
      'digest of the one before.',
    paths: /^\/V1\/pos\/(register-sessions|closings|drawers)/,
  },
  {
    name: 'Return',
    says:
      'Ask what may come back, show what a refund would book, create the return, settle it. A return that is ' +
      'settled in cash needs two calls: the return, then `settle`. Every verb may be sent again: a return that is ' +
      'over is answered as it is.',
    paths: /^\/V1\/pos\/(rma(?!\/refund-attempts)|refunds)/,
  },
  {
    name: 'Refund in doubt',
    says:
      'A card refund whose answer was lost is `uncertain`: it is not known where the money is. Hand no cash out. ' +
      'The server asks the gateway again by itself; these routes ask at once, or take the word of a person who ' +
      'looked.',
    paths: /^\/V1\/pos\/rma\/refund-attempts/,
  },
  {
    name: 'Layaway',
    says:
      'An order that is paid in parts before the goods are handed over. It is placed like every order, with ' +
      '`pos_layaway_status`; the payments and the cancellation are here.',
    paths: /^\/V1\/pos\/layaways/,
  },
  {
    name: 'Credit',
    says:
      'Store credit, gift cards and reward points: what a customer has, what a cart may spend, what goes back. ' +
      'Credit that is due on an order is collected here too.',
    paths:
      /^\/V1\/(pos\/(credits|orders\/:orderId\/due-payments|customers\/:customerId\/credit-limit)|vendor-store-credit|carts\/mine\/store-credit)/,
  },
  {
    name: 'Customers',
    says:
      'Find, check and open customers at the register, sign them in at a kiosk, and learn what concerns their ' +
      'sale: prices, promotions they used, the newsletter.',
    paths: /^\/V1\/pos\/(customer|newsletter|self-checkout|catalog-rule-prices|fixed-product-taxes|wishlist|coupon)/,
  },
  {
    name: 'Receipts',
    says:
      'The receipt of a sale is stored before its order is placed, and linked to it by the sale’s id. It has a ' +
      'public page of its own, found by its token.',
    paths: /^\/V1\/pos\/receipts/,
  },
  {
    name: 'Register reports',
    says:
      'The report of a closed register session, as the register counted it. It is stored once, never changed, and ' +
      'compared with what the server saw; the office reads and annotates it.',
    paths: /^\/V1\/pos\/register-reports/,
  },
  {
    name: 'Set-up',
    says:
      'What an administrator sets up: locations, terminals, staff and their roles. A register at work needs none ' +
      'of these writes.',
    paths: /^\/V1\/pos\/(locations|terminals|staff|roles)/,
  },
  {
    name: 'Events',
    says:
      'What happened, for the systems around: a feed that skips nothing, and webhooks that are signed after ' +
      'Standard Webhooks. A till that waits for a doubtful refund reads the feed; a program elsewhere takes ' +
      'webhooks.',
    paths: /^\/V1\/pos\/events/,
  },
  {
    name: 'Audit',
    says:
      'What was changed at registers and by administrators, and what registers count. Neither stops a register: ' +
      'both may be sent later, all at once.',
    paths: /^\/V1\/pos\/(audit-log|telemetry)/,
  },
  {
    name: 'Platform: tokens',
    says:
      'Administrators and customers sign in here. A register has the access token of an integration, which does ' +
      'not end, and needs none of these routes.',
    paths: /^\/V1\/integration/,
  },
  {
    name: 'Platform: orders',
    says:
      'Orders and their documents as the commerce platform keeps them: lines, comments, invoices, shipments, ' +
      'credit memos and payment transactions. Keys are in snake_case. Refunds here are made by hand; those of the ' +
      'counter are returns.',
    paths: /^\/V1\/(orders?|invoices?|shipments?|creditmemos?|transactions)(\/|$)/,
  },
  {
    name: 'Platform: returns',
    says:
      'The same returns as under `Return`, in the shape that the commerce platform gives them. Goods and money ' +
      'move by the verbs of `/V1/pos/rma`.',
    paths: /^\/V1\/returns/,
  },
  {
    name: 'Platform: catalog',
    says: 'Products, categories and attributes. Prices are in the base currency, without tax.',
    paths: /^\/V1\/(products|configurable-products|categories|attributes|eav|search$)(?!\/:sku\/stockItems)/,
  },
  {
    name: 'Platform: inventory',
    says:
      'Sources hold goods, stocks join sources, websites sell from stocks. Where `has_msi` of the configuration is ' +
      'false a register uses the stock items of products alone.',
    paths: /^\/V1\/(inventory|stockItems|stockStatuses|products\/:sku\/stockItems)/,
  },
  {
    name: 'Platform: customers',
    says: 'Accounts and their addresses as the commerce platform keeps them.',
    paths: /^\/V1\/(customers|customerGroups|addresses|attributeMetadata)/,
  },
  {
    name: 'Platform: carts',
    says:
      'The cart of a customer who signed in, of a guest, and every cart for an administrator. A customer’s own ' +
      'comes from the token; who knows the word of a guest’s cart has the cart. A register does not need them: it ' +
      'places orders.',
    paths: /^\/V1\/(carts|guest-carts)/,
  },
  {
    name: 'Platform: prices and taxes',
    says: 'Promotions, coupons and tax rates, for a register that adds up by itself.',
    paths: /^\/V1\/(salesRules|coupons|taxRates|taxClasses|taxRules|catalogRules?)/,
  },
  {
    name: 'Platform: stores',
    says: 'Websites, store groups, store views, currencies and countries.',
    paths: /^\/V1\/(store|directory|modules)/,
  },
  {
    name: 'Platform: bulks',
    says:
      'How far a bulk is, and what became of each of its operations. Every route that writes takes one: `POST ' +
      '/rest/async/bulk/V1/…` with a list of bodies is answered at once with `bulk_uuid`, and carried out in the ' +
      'background.',
    paths: /^\/V1\/bulk/,
  },
  {
    name: 'Content',
    says: 'Pages, blocks and texts as their editors write them. What is published is read by GraphQL, at `/graphql`.',
    paths: /^\/V1\/(vendorCms|cmsPage|cmsBlock)/,
  },
];

/** The chapter of routes that match no other; a test keeps it empty. */
export const elsewhere = 'Elsewhere';

/** The chapter of a route. */
export const chapterOf = (path: string): string => chapters.find(({ paths }) => paths.test(path))?.name ?? elsewhere;

export const tags: readonly Json[] = chapters.map(({ name, says }) => ({ name, description: says }));
