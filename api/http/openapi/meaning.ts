import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { inUse } from '../../../domain/idempotency.ts';
import { inSnakeCase } from '../../wire/rows.ts';
import { parametersByCode, requiredField } from '../../wire/outcomes.ts';
import type { AnyRoute, Example, Outcome } from '../route.ts';
import { answerSchema, isJson, isOpen, propertiesOf, requiredOf, takesKey, type Json } from './json.ts';
import { pascalOf } from './shapes.ts';

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

/** The texts of a route in the API document. */

const notPermitted: Outcome = {
  status: 401,
  message: "The consumer isn't authorized to access %resources.",
  when: 'There is no token, it is over or revoked, or it lacks the resource: these are told alike.',
  then: 'Sign in again, once, and send the same request. Where it stays, ask an administrator.',
};

const unreadable: Outcome = requiredField(
  'An argument is missing. One of a wrong type, and a body that is no JSON, are 400 as well; the message says which.',
  'Correct the request. The same one is refused again.',
);

const ofKeys: readonly Outcome[] = [
  {
    status: 409,
    code: inUse,
    message: 'The same request is still being carried out. Send it again in a moment.',
    when: 'The same request is at work at this moment.',
    then: 'Send it again after `Retry-After` seconds.',
  },
  {
    status: 409,
    code: 'idempotency_answer_not_kept',
    message: 'This request was carried out. Its answer was not kept; read the record. Nothing was done again.',
    when: 'The same request was carried out before, and its answer was longer than 1 MB.',
    then: 'Read the record.',
  },
  {
    status: 422,
    code: 'idempotency_key_reused',
    message: 'This Idempotency-Key was sent with another request. Nothing was done; use a new key for a new request.',
    when: 'The key came with another method, path, query or body.',
    then: 'A new request needs a new key.',
  },
];

const schema = { $ref: '#/components/schemas/Error' };

const unknownStore: Outcome = {
  status: 404,
  message: "The store that was requested wasn't found. Verify the store and try again.",
  when: 'The store code of the path names no store view.',
};

/** Every refusal: the route's own and those of all routes. */
export const outcomesOf = (route: AnyRoute): readonly Outcome[] => [
  ...(route.outcomes ?? []),
  ...(route.params || route.query || route.body ? [unreadable] : []),
  ...(isOpen(route) ? [unknownStore] : [notPermitted]),
  ...(takesKey(route) ? ofKeys : []),
];

/** One response for each status, with the cause of each refusal and what the caller does next. */
export const refusalsOf = (route: AnyRoute): Record<string, Json> => responsesOf(outcomesOf(route));

/** The same of these outcomes. */
export function responsesOf(outcomes: readonly Outcome[]): Record<string, Json> {
  const byStatus = Map.groupBy(outcomes, ({ status }) => status);
  return Object.fromEntries([...byStatus].map(([status, all]) => [String(status), refusedWith(all)]));
}

const errorProperties: Record<string, Json> = {
  message: { type: 'string', description: 'The sentence, its placeholders unfilled: `%1`, `%fieldName`.' },
  errors: {
    type: 'array',
    description: 'Where several things are wrong at once: each of them.',
    items: {
      type: 'object',
      properties: {
        message: { type: 'string', description: 'The sentence of one fault.' },
        parameters: { description: 'The values of its placeholders: an object by name, or a list by number.' },
      },
      required: ['message'],
    },
  },
  parameters: {
    description: `The values of the placeholders: an object by name, or a list by number. Of a 409 \`outcome\` is
      the word to branch on.`,
  },
};

export const errorSchema: Json = {
  type: 'object',
  description: 'Everything that is not a success.',
  properties: errorProperties,
  required: ['message'],
};

function refusedWith(outcomes: readonly Outcome[]): Json {
  const shown = outcomes.map((outcome, at) => [exampleNameOf(outcome, at), exampleOf(outcome)] as const);
  const codes = codesOf(outcomes);
  return {
    description: outcomes.map(sentenceOf).join('\n'),
    ...(outcomes.some(isForLater) ? { headers: retryAfter } : {}),
    ...(codes.length === 0 ? {} : { 'x-outcomes': codes }),
    content: { 'application/json': { schema: envelopeOf(outcomes, codes), examples: Object.fromEntries(shown) } },
  };
}

function envelopeOf(outcomes: readonly Outcome[], codes: readonly string[]): Json {
  if (codes.length === 0) return schema;
  return outcomes.every(({ code }) => code !== undefined) ? codedError(codes) : partlyCodedError(codes);
}

const codesOf = (outcomes: readonly Outcome[]) => [...new Set(outcomes.flatMap(({ code }) => code ?? []))];

/** What the parameters of a code are called: `GatewayUncertain`. */
export const refusalName = (code: string): string => pascalOf(code);

const referenceTo = (code: string): Json => ({ $ref: `#/components/schemas/${refusalName(code)}` });

/** The parameters of each code, named after it: the code itself, and the values that come with it. */
export const refusalSchemas = (outcomes: readonly Outcome[]): Record<string, Json> => ({
  ...Object.fromEntries(codesOf(outcomes).map((code) => [refusalName(code), parametersOf(code)])),
  ...(outcomes.some(
    ({ status, code }) => code !== undefined && outcomes.some((one) => one.status === status && one.code === undefined),
  )
    ? { NamedValues: namedValues }
    : {}),
});

function parametersOf(code: string): Json {
  const { schema: own } = answerSchema(parametersByCode[code] ?? z.object({}), refusalName(code));
  return {
    type: 'object',
    description: `What a refusal with the code \`${code}\` carries.`,
    properties: {
      outcome: { type: 'string', enum: [code], description: 'The code to branch on.' },
      ...propertiesOf(own),
    },
    required: ['outcome', ...requiredOf(own)],
  };
}

/**
 * The envelope where every refusal of a status has a code: a program can tell them apart, see that it knows them all, and
 * read what each of them carries.
 */
const codedError = (codes: readonly string[]): Json => ({
  type: 'object',
  properties: {
    message: { type: 'string', description: 'The sentence, its placeholders unfilled: `%fieldName`.' },
    parameters:
      codes.length === 1
        ? referenceTo(codes[0] ?? '')
        : {
            oneOf: codes.map(referenceTo),
            discriminator: {
              propertyName: 'outcome',
              mapping: Object.fromEntries(codes.map((code) => [code, referenceTo(code)['$ref']])),
            },
            description: 'The code, and what comes with it.',
          },
  },
  required: ['message', 'parameters'],
});

/** Values of placeholders by name, without a code: by that they differ from those with one. */
const namedValues: Json = {
  type: 'object',
  description: 'The values of the placeholders of a sentence, by name. There are others.',
  properties: {
    fieldName: { type: 'string', description: 'The argument that is wrong.' },
    value: { description: 'What was sent.' },
    fieldValue: { description: 'What was looked for.' },
  },
};

/** The envelope where only some refusals of a status have a code. */
const partlyCodedError = (codes: readonly string[]): Json => ({
  ...errorSchema,
  properties: {
    ...errorProperties,
    parameters: {
      anyOf: [...codes.map(referenceTo), { $ref: '#/components/schemas/NamedValues' }, { type: 'array', items: {} }],
      description: 'With a code: the code, and what comes with it. Else the values of the placeholders.',
    },
  },
});

/** Only these answers say when to come back; a 409 of any other cause stays what it is. */
const isForLater = ({ status, code }: Outcome) => status === 503 || code === inUse;

const retryAfter = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };

const sentenceOf = ({ code, message, when, then }: Outcome) =>
  `- ${code === undefined ? '' : `\`${code}\`: `}“${message}” ${when}${then === undefined ? '' : ` ${then}`}`;

const exampleNameOf = ({ code }: Outcome, at: number) =>
  code === undefined ? `refusal_${at + 1}` : `${code}_${at + 1}`;

/** A value for each key that is always there. */
const sampleOf = (shape: Json): Json =>
  Object.fromEntries(requiredOf(shape).map((key) => [key, sampleValue(propertiesOf(shape)[key] ?? {})]));

function sampleValue({ enum: values, examples }: Json): unknown {
  const [first] = Array.isArray(examples) ? examples : Array.isArray(values) ? values : [1];
  return first;
}

const exampleOf = ({ code, message, when }: Outcome): Json => ({
  summary: when,
  value: { message, ...(code === undefined ? {} : { parameters: sampleOf(parametersOf(code)) }) },
});

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
    says: 'A register begins here: bind the device to its terminal, pull the configuration, sign a cashier in, and send a heartbeat. `terminals/activate` needs a token that may manage locations; everything after it goes with the register’s own token.',
    paths:
      /^\/V1\/pos\/(terminals\/(activate|deactivate)|terminals\/:terminalId\/(config|heartbeat|license\/refresh)|config|postcode-patterns|order-statuses|staff\/authenticate|staff\/session\/validate)$/,
  },
  {
    name: 'Sell',
    says: 'A sale is a receipt, an order, its invoice and its shipment, in this order. Make the sale’s id on the register before you send anything: `pos_order_id` of the receipt and `pos_sale_id` of the order are that id, and a repeat is the same sale.',
    paths:
      /^\/V1\/(orders(\/create|\/:id|\/:id\/cancel)?|order\/:orderId\/(invoice|ship)|pos\/(customer-prices|orders\/.*points-earned))$/,
  },
  {
    name: 'Hold',
    says: 'A cart that is parked at one register can be taken up at another of the same location. The register makes the cart’s UUID; one register wins a recall.',
    paths: /^\/V1\/pos\/held-carts/,
  },
  {
    name: 'Return',
    says: 'Ask what may come back, show what a refund would book, create the return, settle it. A return that is settled in cash needs two calls: the return, then `settle`. Every verb may be sent again: a return that is over is answered as it is.',
    paths: /^\/V1\/pos\/(rma(?!\/refund-attempts)|refunds)/,
  },
  {
    name: 'Refund in doubt',
    says: 'A card refund whose answer was lost is `uncertain`: it is not known where the money is. Hand no cash out. The server asks the gateway again by itself; these routes ask at once, or take the word of a person who looked.',
    paths: /^\/V1\/pos\/rma\/refund-attempts/,
  },
  {
    name: 'Layaway',
    says: 'An order that is paid in parts before the goods are handed over. It is placed like every order, with `pos_layaway_status`; the payments and the cancellation are here.',
    paths: /^\/V1\/pos\/layaways/,
  },
  {
    name: 'Credit',
    says: 'Store credit, gift cards and reward points: what a customer has, what a cart may spend, what goes back. Credit that is due on an order is collected here too.',
    paths:
      /^\/V1\/(pos\/(credits|orders\/:orderId\/due-payments|customers\/:customerId\/credit-limit)|vendor-store-credit|carts\/mine\/store-credit)/,
  },
  {
    name: 'Customers',
    says: 'Find, check and open customers at the register, sign them in at a kiosk, and learn what concerns their sale: prices, promotions they used, the newsletter.',
    paths: /^\/V1\/pos\/(customer|newsletter|self-checkout|catalog-rule-prices|fixed-product-taxes|wishlist|coupon)/,
  },
  {
    name: 'Receipts',
    says: 'The receipt of a sale is stored before its order is placed, and linked to it by the sale’s id. It has a public page of its own, found by its token.',
    paths: /^\/V1\/pos\/receipts/,
  },
  {
    name: 'Set-up',
    says: 'What an administrator sets up: locations, terminals, staff and their roles. A register at work needs none of these writes.',
    paths: /^\/V1\/pos\/(locations|terminals|staff|roles)/,
  },
  {
    name: 'Events',
    says: 'What happened, for the systems around: a feed that skips nothing, and webhooks that are signed after Standard Webhooks. A till that waits for a doubtful refund reads the feed; a program elsewhere takes webhooks.',
    paths: /^\/V1\/pos\/events/,
  },
  {
    name: 'Audit',
    says: 'What was changed at registers and by administrators, and what registers count. Neither stops a register: both may be sent later, all at once.',
    paths: /^\/V1\/pos\/(audit-log|telemetry)/,
  },
  {
    name: 'Platform: tokens',
    says: 'Administrators and customers sign in here. A register has the access token of an integration, which does not end, and needs none of these routes.',
    paths: /^\/V1\/integration/,
  },
  {
    name: 'Platform: orders',
    says: 'Orders and their documents as the commerce platform keeps them: lines, comments, invoices, shipments, credit memos and payment transactions. Keys are in snake_case. Refunds here are made by hand; those of the counter are returns.',
    paths: /^\/V1\/(orders?|invoices?|shipments?|creditmemos?|transactions)(\/|$)/,
  },
  {
    name: 'Platform: returns',
    says: 'The same returns as under `Return`, in the shape that the commerce platform gives them. Goods and money move by the verbs of `/V1/pos/rma`.',
    paths: /^\/V1\/returns/,
  },
  {
    name: 'Platform: catalog',
    says: 'Products, categories and attributes. Prices are in the base currency, without tax.',
    paths: /^\/V1\/(products|configurable-products|categories|attributes|eav|search$)(?!\/:sku\/stockItems)/,
  },
  {
    name: 'Platform: inventory',
    says: 'Sources hold goods, stocks join sources, websites sell from stocks. Where `has_msi` of the configuration is false a register uses the stock items of products alone.',
    paths: /^\/V1\/(inventory|stockItems|stockStatuses|products\/:sku\/stockItems)/,
  },
  {
    name: 'Platform: customers',
    says: 'Accounts and their addresses as the commerce platform keeps them.',
    paths: /^\/V1\/(customers|customerGroups|addresses|attributeMetadata)/,
  },
  {
    name: 'Platform: carts',
    says: 'The cart of a customer who signed in, of a guest, and every cart for an administrator. A customer’s own comes from the token; who knows the word of a guest’s cart has the cart. A register does not need them: it places orders.',
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
    says: 'How far a bulk is, and what became of each of its operations. Every route that writes takes one: `POST /rest/async/bulk/V1/…` with a list of bodies is answered at once with `bulk_uuid`, and carried out in the background.',
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
