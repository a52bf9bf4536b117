import { conflict, invalid, notFound, PosError } from './errors.ts';
import { scheduleHasEnded, scheduleNotFound, versionNotFound } from './refusals/content.ts';

/** What an editor writes (spec 4.12). Pages and blocks are the platform's, the others the vendor's. */
export const contentKinds = [
  'page',
  'block',
  'product_attribute',
  'category_attribute',
  'template',
  'snippet',
] as const;
export type ContentKind = (typeof contentKinds)[number];

/** The fields of a page for search engines and layout, by the platform's keys (platform facts 11). */
export const pageFields = [
  'page_layout',
  'meta_title',
  'meta_keywords',
  'meta_description',
  'content_heading',
  'sort_order',
  'layout_update_xml',
  'custom_theme',
  'custom_root_template',
  'custom_layout_update_xml',
  'custom_theme_from',
  'custom_theme_to',
] as const;

/** By the platform's keys; a field that is absent was never set. */
export type ContentFields = Partial<Record<(typeof pageFields)[number], string>>;

/** The text that an editor writes and that a version keeps. */
export interface ContentDraft {
  title: string;
  /** HTML as written, widgets and variables included. */
  content: string;
  css: string;
  fields: ContentFields;
}

/** The name of each kind in refusals; for pages and blocks the platform's own name (platform facts 2.4). */
const nouns: Record<ContentKind, string> = {
  page: 'CMS page',
  block: 'CMS block',
  product_attribute: 'product attribute content',
  category_attribute: 'category attribute content',
  template: 'template',
  snippet: 'snippet',
};

export const noSuchContent = (kind: ContentKind, id: number) =>
  notFound(`The ${nouns[kind]} with the "%1" ID doesn't exist.`, [id]);

export const noSuchVersion = (number: number) => versionNotFound([number]);

export const noSuchRenewal = (renewalId: number) => notFound('The renewal %1 does not exist.', [renewalId]);

/** Why content could not be saved. For a page the platform puts the reason into a sentence of its own. */
export const couldNotSave = (kind: ContentKind, reason: string): PosError =>
  kind === 'page' ? invalid('Could not save the page: %1', [reason]) : invalid(reason);

const taken: Record<ContentKind, string> = {
  page: 'URL key for specified store already exists.',
  block: 'A block identifier with the same properties already exists in the selected store.',
  product_attribute: 'This product already has content for the attribute in the selected store.',
  category_attribute: 'This category already has content for the attribute in the selected store.',
  template: 'A template with the same name already exists in the selected store.',
  snippet: 'A snippet with the same name already exists in the selected store.',
};

export const alreadyTaken = (kind: ContentKind) => couldNotSave(kind, taken[kind]);

/** The revision that an editor expects to change: the number of the last change seen, or any of several. */
export interface ExpectedRevision {
  revisions: readonly number[];
  /** True when it came in an `If-Match` header: its refusal has its own status (RFC 9110, 13.1.1). */
  isByHeader: boolean;
}

/**
 * Refused with 409 `content_changed`, or 412 where a header expected it: the content changed since the caller read
 * it.
 */
export function refuseStale(
  expected: ExpectedRevision | undefined,
  now: { revision: number; changedBy: string },
): void {
  if (expected && !expected.revisions.includes(now.revision)) throw changedMeanwhile(expected, now);
}

/** Tells the second of two editors that the content changed, and who changed it. */
function changedMeanwhile(
  { isByHeader }: Pick<ExpectedRevision, 'isByHeader'>,
  now: { revision: number; changedBy: string },
): PosError {
  const refused = conflict('content_changed', 'This was changed since you read it. Read it again.', {
    revision: now.revision,
    changed_by: now.changedBy,
  });
  return isByHeader ? new PosError({ ...refused.refusal, status: 412 }) : refused;
}

/** What an editor wrote between double braces: `{{block id="footer"}}`. */
interface Directive {
  name: string;
  values: Readonly<Record<string, string>>;
}

/** The text within the braces. A longer text is not a directive and stays as it is. */
const pattern = /\{\{\s*([a-z]\w{0,30})\b([^{}]{0,2000})\}\}/gi;
const value = /([a-z_]\w{0,50})\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/gi;
/** Editors of HTML write quotes and ampersands of an attribute in this way. */
const entities: Readonly<Record<string, string>> = { '&quot;': '"', '&#39;': "'", '&apos;': "'", '&amp;': '&' };

export const directivesIn = (text: string): Directive[] =>
  [...text.matchAll(pattern)].map(([, name = '', rest = '']) => readDirective(name, rest));

/** The text with each directive replaced by what `fill` makes of it. */
export const fillIn = (text: string, fill: (directive: Directive) => string): string =>
  text.replaceAll(pattern, (_, name: string, rest: string) => fill(readDirective(name, rest)));

function readDirective(name: string, rest: string): Directive {
  const plain = rest.replaceAll(/&(?:quot|apos|amp|#39);/g, (entity) => entities[entity] ?? entity);
  const values = [...plain.matchAll(value)].map(([, key = '', ...input]) => [
    key.toLowerCase(),
    input.find((one) => one !== undefined) ?? '',
  ]);
  return { name: name.toLowerCase(), values: Object.fromEntries(values) };
}

/** Content that could not be rendered with the present text of a block. */
export interface RenewalFailure {
  contentId: number;
  refusal: string;
}

/** Progress of rendering all content that contains a changed block; JSON-safe. */
export interface FollowedRenewal {
  renewalId: number;
  places: number;
  /** How many show the block's present text. */
  rendered: number;
  failed: number;
  /** The first failures; more are only counted. */
  failures: readonly RenewalFailure[];
  isDone: boolean;
}

/** A schedule as its workflow sees it; JSON-safe. */
export interface FollowedSchedule {
  scheduleId: number;
  contentId: number;
  kind: ContentKind;
  action: ScheduleAction;
  state: ScheduleState;
  /** ISO 8601. */
  dueAt: string;
  /** Measured by the database's clock, which alone decides; 0 when it is due. */
  msUntilDue: number;
  refusal: string | null;
}

/** The permitted form of a page's address (platform facts 2.4). */
const urlKey = /^[a-z0-9][a-z0-9_/-]*(\.[a-z0-9_-]+)?$/;
const attributeCode = /^[a-z][a-z0-9_]{0,59}$/;
const name = /^[\p{L}\p{N}][\p{L}\p{N} _./-]*$/u;

/** Why content of this kind cannot have this identifier; undefined where it can. */
export function identifierFault(kind: ContentKind, identifier: string): string | undefined {
  switch (kind) {
    case 'page':
      return pageFault(identifier);
    case 'product_attribute':
    case 'category_attribute':
      return attributeCode.test(identifier) ? undefined : 'An attribute code has small letters, digits and _ only.';
    case 'block':
    case 'template':
    case 'snippet':
      return name.test(identifier) ? undefined : 'An identifier has letters, digits, blanks and _ . / - only.';
  }
}

function pageFault(key: string): string | undefined {
  if (/^\d+$/.test(key)) return "The page URL key can't use only numbers. Add letters or symbols and try again.";
  if (urlKey.test(key)) return undefined;
  return "The page URL key can't use capital letters or disallowed symbols. Remove the letters and symbols and try again.";
}

/** Settings that content may show to everyone by `{{config path="…"}}`. Every other path shows nothing. */
export const publicSettingPaths = [
  'general/store_information/name',
  'general/store_information/phone',
  'general/store_information/hours',
  'general/store_information/country_id',
  'general/store_information/region_id',
  'general/store_information/postcode',
  'general/store_information/city',
  'general/store_information/street_line1',
  'general/store_information/street_line2',
  'general/store_information/merchant_vat_number',
  'trans_email/ident_general/name',
  'trans_email/ident_general/email',
  'trans_email/ident_sales/name',
  'trans_email/ident_sales/email',
  'trans_email/ident_support/name',
  'trans_email/ident_support/email',
  'web/unsecure/base_url',
  'web/secure/base_url',
] as const;

/** Values by path; a path without a value is absent. */
export type PublicSettings = ReadonlyMap<string, string>;

/**
 * The address of a page of the shop. Without a base address it begins at the root of the site that shows the content.
 */
export function addressIn(settings: PublicSettings, path: string): string {
  const base = settings.get('web/secure/base_url') || settings.get('web/unsecure/base_url') || '/';
  const plain = path.replace(/^[/\\]+/, '');
  // Refuses another scheme, another host and a parent folder.
  if (/^[^/?#]*:|\\|(?:^|\/)\.\.(?:\/|$)/.test(plain)) return base;
  return (base.endsWith('/') ? base : `${base}/`) + plain;
}

/** Content as its editor wrote it. */
export interface ContentToRender {
  kind: ContentKind;
  identifier: string;
  /** 0: all store views. */
  storeId: number;
  html: string;
  css: string;
}

/** Text that is safe to publish: sanitised, with widgets and variables filled in. */
export interface RenderedText {
  html: string;
  css: string;
}

export interface ViewText extends RenderedText {
  storeId: number;
}

/**
 * The text for the store view of the content. For content of all views: the text for every view not listed in
 * `inViews`.
 */
export interface RenderedContent extends RenderedText {
  /** Store views with another text, because they have blocks or settings of their own. */
  inViews: readonly ViewText[];
  /**
   * Identifiers of all blocks that the content names, at any depth and in any view, even of missing blocks. When one
   * of them is created or changed, the content is rendered again.
   */
  uses: readonly string[];
}

/**
 * Renders once, when content is published, within the transaction that publishes it. `From` is the connection it
 * reads with.
 */
export type RenderContent<From> = (from: From, input: ContentToRender) => Promise<RenderedContent>;

export const noSuchSchedule = (id: number) => scheduleNotFound([id]);

/** A schedule that was carried out, failed or was cancelled does not change again. */
export const scheduleIsOver = (state: string) => scheduleHasEnded([state]);

/** What a schedule does to its content when it is due. */
export const scheduleActions = ['publish', 'unpublish'] as const;
export type ScheduleAction = (typeof scheduleActions)[number];

/** A schedule waits once and ends once; later requests do not change its end. */
export const scheduleStates = ['pending', 'done', 'failed', 'cancelled'] as const;
type ScheduleState = (typeof scheduleStates)[number];

/** Used by the server alone. */
export const contentDefaults = {
  /** How many of the newest versions of a text are kept; published versions are always kept. */
  'vendor_cms/versions/kept': '100',
} as const;

/** Bounds of the setting: at least the newest version, at most as many as a list can show. */
const minimumStored = 1;
const most = 10_000;

/** The setting `versions/kept`, brought within its bounds; text that is not a number gives the default. */
export function versionsStoredOf(setting: string | undefined): number {
  const stored =
    setting !== undefined && /^\s*\d{1,9}\s*$/.test(setting)
      ? Number(setting)
      : Number(contentDefaults['vendor_cms/versions/kept']);
  return Math.min(Math.max(stored, minimumStored), most);
}

/** The meaning of a directive, by its name and its keys. `nothing` is a directive that is not on the list. */
export type Meaning =
  | { is: 'block'; identifier: string }
  | { is: 'setting'; path: string }
  | { is: 'address'; path: string }
  | { is: 'link'; path: string; text: string; title: string }
  | { is: 'nothing' };

/** By the last part of the widget's class name; its namespace does not matter. */
const widgets: Readonly<Record<string, (values: Directive['values']) => Meaning>> = {
  'cms\\block\\widget\\block': blockOf,
  'cms\\block\\widget\\page\\link': linkOf,
};

/** The meaning of a directive. Unknown names, and widgets that are not on the list, show nothing (spec 4.12). */
export function meaningOf({ name, values }: Directive): Meaning {
  switch (name) {
    case 'block':
      return blockOf(values);
    case 'config':
      return { is: 'setting', path: values['path'] ?? '' };
    case 'store':
      return { is: 'address', path: values['url'] ?? values['direct_url'] ?? '' };
    case 'widget':
      return widgetOf(values['type'] ?? '')?.(values) ?? { is: 'nothing' };
    default:
      return { is: 'nothing' };
  }
}

const widgetOf = (type: string) => {
  const parts = type.toLowerCase().split(/[\\/]+/);
  const known = Object.entries(widgets).find(([end]) => parts.slice(-end.split('\\').length).join('\\') === end);
  return known?.[1];
};

function blockOf(values: Directive['values']): Meaning {
  const identifier = values['id'] ?? values['block_id'] ?? values['identifier'] ?? '';
  return /^[\w.-]{1,100}$/.test(identifier) ? { is: 'block', identifier } : { is: 'nothing' };
}

function linkOf(values: Directive['values']): Meaning {
  const path = values['href'] ?? values['page_id'] ?? '';
  const text = values['anchor_text'] ?? values['title'] ?? '';
  return path === '' || text === '' ? { is: 'nothing' } : { is: 'link', path, text, title: values['title'] ?? '' };
}
