import { fieldRequired, invalid, unauthorized } from '../errors.ts';
import { requestNotProcessable, invalidInput } from '../refusals/platform.ts';

/** Resources of the ACL (platform facts 1.2, 12.1). */

const platformPrefix = 'Platform_';
const stockPrefix = 'Magento_';

/** Grants every resource there is. */
export const everyResource = 'Platform_Backend::all';

/** The spelling we keep and answer: `Magento_Sales::create` is `Platform_Sales::create` here. */
export const canonicalResource = (resource: string) =>
  resource.startsWith(stockPrefix) ? platformPrefix + resource.slice(stockPrefix.length) : resource;

/**
 * What a resource grants besides itself: a role or integration that sends receipts also sends the reports of its
 * sessions, whenever it was made.
 */
const grantedWith: Readonly<Record<string, string>> = {
  'Vendor_Pos::register_reports_submit': 'Vendor_Pos::receipts',
};

/** The resources that each grant this one. */
export const grantedBy = (resource: string): readonly string[] =>
  [canonicalResource(resource), everyResource, grantedWith[canonicalResource(resource)] ?? ''].filter(Boolean);

/**
 * Whether these grants, in either spelling, hold the resource; a parent does not grant its children. Those of receipts
 * hold the upload of register reports.
 */
export const grants = (granted: readonly string[], resource: string) => {
  const sufficient = grantedBy(resource);
  return granted.some((one) => sufficient.includes(canonicalResource(one)));
};

/**
 * What activates a device (spec 4.2): only for set-up, so that a lost register cannot change terminals or locations.
 */
export const setUpResources = ['Vendor_Pos::locations', 'Vendor_Pos::locations_manage'] as const;

/** What one register's integration token needs (platform facts 12.1). */
export const registerResources = [
  'Vendor_Pos::locations',
  'Vendor_Pos::receipts',
  'Vendor_Pos::register_reports_submit',
  'Vendor_Pos::staff_manage',
  'Platform_Sales::create',
  'Platform_Sales::actions_view',
  'Platform_Sales::invoice',
  'Platform_Sales::ship',
  'Platform_Sales::comment',
  'Platform_Sales::cancel',
  'Platform_Sales::creditmemo',
  'Platform_Sales::sales_invoice',
  'Platform_Sales::sales_creditmemo',
  'Platform_Sales::transactions_fetch',
  'Platform_Catalog::products',
  'Platform_Catalog::categories',
  'Platform_Catalog::catalog_inventory',
  'Platform_Catalog::attributes_attributes',
  'Platform_Customer::customer',
  'Platform_Customer::manage',
  'Platform_Customer::group',
  'Platform_Backend::store',
  'Platform_Tax::manage_tax',
  'Platform_SalesRule::quote',
  'Platform_InventoryApi::source',
  'Platform_InventorySalesApi::stock',
] as const;

/** Every resource that a route asks for, and the one that grants all of them; a test holds it to the routes. */
export const knownResources = [
  'Platform_Backend::admin',
  'Platform_Backend::all',
  'Platform_Backend::store',
  'Platform_Cart::manage',
  'Platform_Catalog::attributes_attributes',
  'Platform_Catalog::catalog',
  'Platform_Catalog::catalog_inventory',
  'Platform_Catalog::categories',
  'Platform_Catalog::products',
  'Platform_Catalog::sets',
  'Platform_CatalogRule::promo_catalog',
  'Platform_Cms::block',
  'Platform_Cms::page',
  'Platform_Cms::page_delete',
  'Platform_Cms::save',
  'Platform_Customer::customer',
  'Platform_Customer::delete',
  'Platform_Customer::group',
  'Platform_Customer::manage',
  'Platform_InventoryApi::source',
  'Platform_InventoryApi::source_edit',
  'Platform_InventoryApi::stock',
  'Platform_InventoryApi::stock_delete',
  'Platform_InventoryApi::stock_edit',
  'Platform_InventoryApi::stock_source_item_assign',
  'Platform_InventoryApi::stock_source_link',
  'Platform_InventorySalesApi::stock',
  'Platform_InventorySourceSelectionApi::source_selection_algorithm_list',
  'Platform_InventorySourceSelectionApi::source_selection_algorithm_post',
  'Platform_Logging::system_magento_logging_bulk_operations',
  'Platform_Rma::magento_rma',
  'Platform_Rma::rma_attribute',
  'Platform_Sales::actions_view',
  'Platform_Sales::cancel',
  'Platform_Sales::comment',
  'Platform_Sales::create',
  'Platform_Sales::creditmemo',
  'Platform_Sales::emails',
  'Platform_Sales::hold',
  'Platform_Sales::invoice',
  'Platform_Sales::sales_creditmemo',
  'Platform_Sales::sales_invoice',
  'Platform_Sales::ship',
  'Platform_Sales::shipment',
  'Platform_Sales::transactions_fetch',
  'Platform_Sales::unhold',
  'Platform_SalesRule::quote',
  'Platform_Tax::manage_tax',
  'Vendor_Cms::category_attribute',
  'Vendor_Cms::product_attribute',
  'Vendor_Cms::schedule',
  'Vendor_Cms::snippet',
  'Vendor_Cms::template',
  'Vendor_Pos::credit_limits_manage',
  'Vendor_Pos::events_manage',
  'Vendor_Pos::locations',
  'Vendor_Pos::locations_manage',
  'Vendor_Pos::pos',
  'Vendor_Pos::receipts',
  'Vendor_Pos::register_reports',
  'Vendor_Pos::register_reports_manage',
  'Vendor_Pos::register_reports_submit',
  'Vendor_Pos::staff_manage',
  'Vendor_Pos::staff_manage_edit',
  'Vendor_Pos::staff_roles',
  'Vendor_Pos::staff_roles_manage',
  'Vendor_StoreCredit::balance_adjust',
  'Vendor_StoreCredit::balance_view',
] as const;

/** So many are named where one was misspelled. */
const mostNamed = 5;

/** Words with fewer letters alike are not named. */
const mostUnlike = 0.5;

/** Whether a route asks for it, in either spelling. */
export const isKnownResource = (resource: string) => {
  const requested = canonicalResource(resource);
  return knownResources.some((one) => one === requested);
};

/** What a misspelled one may have meant, the likeliest first; all that there are, where nothing is like it. */
export function likelyResources(resource: string): string {
  const requested = canonicalResource(resource).toLowerCase();
  const [module = ''] = requested.split('::');
  const near = knownResources
    .map((one) => ({ one, unlike: unlikeness(requested, one.toLowerCase()) }))
    .toSorted((one, other) => one.unlike - other.unlike)
    .filter(({ one, unlike }) => unlike < mostUnlike || one.toLowerCase().startsWith(`${module}::`))
    .slice(0, mostNamed);
  return near.length === 0 ? knownResources.join(', ') : near.map(({ one }) => one).join(', ');
}

/** The part of the letter pairs of both words that only one of them has: 0 for the same word, 1 for nothing alike. */
function unlikeness(one: string, other: string): number {
  const [ofOne, ofOther] = [pairsOf(one), pairsOf(other)];
  const shared = ofOne.filter((pair) => ofOther.includes(pair)).length;
  return 1 - (2 * shared) / Math.max(1, ofOne.length + ofOther.length);
}

const pairsOf = (word: string) => [...new Set(Array.from(word.slice(1), (letter, at) => `${word[at]}${letter}`))];

/** A name and a value, decoded. */
export type Pair = readonly [name: string, value: string];

export type SignatureMethod = 'HMAC-SHA256' | 'HMAC-SHA1';

/** The fields of a signed request's `Authorization` header (RFC 5849 3.5.1). */
export interface SignedBy {
  consumerKey: string;
  token: string;
  nonce: string;
  /** Seconds since 1970. */
  timestamp: number;
  method: SignatureMethod;
  signature: string;
  /** All signed pairs of the header: without the realm and the signature. */
  pairs: readonly Pair[];
}

/** The length of a key, a token and a secret, as clients of the platform know them. */
export const keyLength = 32;
const mostNonce = 255;
/** How many seconds a clock may be wrong, either way; the platform permits the same for clocks that are ahead. */
export const clockWindowSeconds = 600;

const required = [
  'oauth_consumer_key',
  'oauth_signature',
  'oauth_signature_method',
  'oauth_nonce',
  'oauth_timestamp',
  'oauth_token',
];

/** Any other header is not a signature: a bearer token, or no caller. */
export const isSigned = (authorization: string | undefined): authorization is string =>
  authorization !== undefined && /^oauth\s/i.test(authorization);

/**
 * Reads `OAuth oauth_consumer_key="…", …`.
 *
 * Refused in the platform's words with: 400 something is missing, twice or unreadable, another version or method, a
 * token of another length · 401 a consumer key of another length, a moment outside the window.
 */
export function readSignature(authorization: string, now: Date): SignedBy {
  const parts = authorization.replace(/^oauth\s+/i, '').match(betweenCommas) ?? [];
  const pairs = parts.flatMap(readPair);
  const values = new Map(pairs);
  if (values.size < pairs.length) throw requestNotProcessable();
  const version = values.get('oauth_version');
  if (version !== undefined && version !== '1.0') throw invalid(`The "%1" Oauth version isn't supported.`, [version]);
  const missing = required.filter((name) => !values.get(name));
  if (missing.length > 0) throw invalidInput(missing.map((name) => inputError(name)));
  const of = (name: string) => values.get(name) ?? '';
  if (of('oauth_token').length !== keyLength)
    throw invalid('The token length is invalid. Check the length and try again.');
  const method = of('oauth_signature_method');
  if (method !== 'HMAC-SHA256' && method !== 'HMAC-SHA1')
    throw invalid('Signature method %1 is not supported', [method]);
  if (of('oauth_consumer_key').length !== keyLength) throw unauthorized('Consumer key is not the correct length');
  if (of('oauth_nonce').length > mostNonce) throw requestNotProcessable();
  return {
    consumerKey: of('oauth_consumer_key'),
    token: of('oauth_token'),
    nonce: of('oauth_nonce'),
    timestamp: readTimestamp(of('oauth_timestamp'), now),
    method,
    signature: of('oauth_signature'),
    pairs: pairs.filter(([name]) => name !== 'oauth_signature'),
  };
}

const inputError = (fieldName: string) => {
  const { message, parameters = {} } = fieldRequired(fieldName);
  return { message, parameters };
};

/** A comma within quotes is part of a value. A quote without an end is a part of its own and cannot be read. */
const betweenCommas = /(?:[^,"]|"[^"]*")+|"/g;

/** The realm is neither signed nor encoded. */
function readPair(part: string): Pair[] {
  if (part.trim() === '') return [];
  const match = /^\s*([^\s="]+)\s*=\s*"([^"]*)"\s*$/.exec(part);
  if (!match) throw requestNotProcessable();
  if (match[1] === 'realm') return [];
  return [[decode(match[1] ?? ''), decode(match[2] ?? '')]];
}

function readTimestamp(text: string, now: Date): number {
  const timestamp = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  const isNear = Math.abs(timestamp - now.getTime() / 1_000) <= clockWindowSeconds;
  if (!isNear) throw unauthorized('Incorrect timestamp value in the oauth_timestamp parameter');
  return timestamp;
}

function decode(text: string): string {
  try {
    const decoded = decodeURIComponent(text);
    if (!decoded.includes('\0')) return decoded;
  } catch {
    // Text that is not percent-encoded is refused like the rest.
  }
  throw requestNotProcessable();
}

/** The pairs of a query or form, in the order sent (RFC 5849 3.4.1.3.1). Refused with 400 where they cannot be read. */
export const formPairs = (text: string): Pair[] =>
  text
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf('=');
      const [name, value] = at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)];
      return [decode(name.replaceAll('+', ' ')), decode(value.replaceAll('+', ' '))];
    });

/** RFC 5849 3.6: encodes everything but letters, digits and `-._~`. */
export const percentEncoded = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * The text that is signed (RFC 5849 3.4.1.1).
 *
 * @param origin such as `https://Shop.example:443`, with a path where the shop does not begin at the root
 * @param path as sent, without the query
 */
export function signatureBase({
  verb,
  origin,
  path,
  pairs,
}: {
  verb: string;
  origin: string;
  path: string;
  pairs: readonly Pair[];
}): string {
  const encoded = pairs.map(([name, value]) => [percentEncoded(name), percentEncoded(value)] as const);
  const sorted = encoded.toSorted(([oneName, one], [otherName, other]) =>
    oneName === otherName ? order(one, other) : order(oneName, otherName),
  );
  const parameters = sorted.map(([name, value]) => `${name}=${value}`).join('&');
  return [verb.toUpperCase(), normalOrigin(origin) + (path === '' ? '/' : path), parameters]
    .map(percentEncoded)
    .join('&');
}

const order = (one: string, other: string) => (one < other ? -1 : Number(one > other));

/** Scheme and host in small letters, without the scheme's default port (RFC 5849 3.4.1.2). */
function normalOrigin(origin: string): string {
  const [, scheme = '', host = '', rest = ''] = /^([a-z]+):\/\/([^/]*)(.*)$/i.exec(origin) ?? [];
  const usual = scheme.toLowerCase() === 'https' ? /:443$/ : /:80$/;
  return `${scheme.toLowerCase()}://${host.toLowerCase().replace(usual, '')}${rest.replace(/\/$/, '')}`;
}
