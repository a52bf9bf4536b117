import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import Handlebars from 'handlebars';
import { formatAmount, type Amount } from '../../domain/money.ts';
import type { Language } from './words.ts';

/** How the operator's pages are written: a few parts in Handlebars, and values as the reader's country writes them. */

const folder = new URL('templates/', import.meta.url);
const handlebars = Handlebars.create();

/** A missing name is a fault, every value is escaped, and nothing else can be called. */
const strictly = {
  strict: true,
  knownHelpers: { if: true, each: true, unless: true },
  knownHelpersOnly: true,
} as const;

const templateOf = (name: string) =>
  handlebars.compile<object>(readFileSync(new URL(`${name}.hbs`, folder), 'utf8'), strictly);

const templates = {
  layout: templateOf('layout'),
  card: templateOf('card'),
  facts: templateOf('facts'),
  table: templateOf('table'),
  form: templateOf('form'),
  timeline: templateOf('timeline'),
};

export const style = readFileSync(new URL('style.css', folder), 'utf8');
const styleTag = createHash('sha256').update(style).digest('hex').slice(0, 12);

/** Text of a page that is HTML already: made here, of escaped values. */
export type Html = string & { readonly __brand: 'Html' };
const html = (text: string) => text as Html;

export const escaped = (text: string): string => Handlebars.escapeExpression(text);

export interface Banner {
  kind: 'good' | 'bad' | 'info';
  text: string;
}

export interface Layout {
  lang: Language;
  title: string;
  body: readonly Html[];
  banners: readonly Banner[];
  /** Empty: nobody is signed in. */
  pages: readonly { href: string; name: string; isHere: boolean; count: string }[];
  csrf: string;
  person: string;
  otherLanguage: { href: string; lang: Language; name: string };
  /** In which zone the times of the page are, in words; empty: it shows none. */
  zone?: string;
  w: { product: string; toContent: string; menu: string; signedInAs: string; signOut: string; help: string };
  /** Goes on to this address of ours at once; empty: stays. */
  refresh?: string;
}

export const pageHtml = ({ body, ...page }: Layout): string =>
  templates.layout({ refresh: '', zone: '', ...page, style: styleTag, body: body.join('\n') });

export const paragraph = (text: string, kind = ''): Html =>
  html(`<p${kind === '' ? '' : ` class="${kind}"`}>${escaped(text)}</p>`);

/** A sentence that ends in a link to a page of ours. */
export const linked = (text: string, to: { text: string; href: string }): Html =>
  html(`<p>${escaped(text)} <a href="${escaped(to.href)}">${escaped(to.text)}</a></p>`);

export const heading = (text: string): Html => html(`<h2>${escaped(text)}</h2>`);

export const notice = ({ kind, text }: Banner): Html => html(`<p class="notice ${kind}">${escaped(text)}</p>`);

let cards = 0;

/** A part of a page with a heading of its own. */
export const card = (input: { title: string; aside?: string; kind?: 'urgent' }, ...body: readonly Html[]): Html =>
  html(
    templates.card({ aside: '', kind: '', ...input, id: `card-${(cards = (cards + 1) % 1e6)}`, body: body.join('\n') }),
  );

export interface Fact {
  name: string;
  value: string;
  href?: string | undefined;
  isOutside?: boolean;
}

/** What is not known is left out. */
export const facts = (input: readonly (Fact | undefined)[]): Html =>
  html(
    templates.facts({
      facts: input
        .filter((fact) => fact !== undefined && fact.value !== '')
        .map((fact) => ({ isOutside: false, ...fact, href: fact?.href ?? '' })),
    }),
  );

export interface Cell {
  text: string;
  href?: string;
  html?: Html;
}

/** A table; on a phone each row is a card. Heads that begin with `#` are of numbers. */
export function table(input: {
  caption: string;
  heads: readonly string[];
  rows: readonly (readonly (string | Cell)[])[];
  empty: string;
}): Html {
  const heads = input.heads.map((head) => ({ text: head.replace(/^#/, ''), isNumber: head.startsWith('#') }));
  // By hand: a template takes ten times as long for each of a long table's cells.
  const opened = heads.map(
    ({ text, isNumber }) => `<td data-head="${escaped(text)}"${isNumber ? ' class="number"' : ''}>`,
  );
  const written = input.rows.map(
    (row) => `<tr>${row.map((cell, at) => `${opened[at] ?? '<td>'}${inCell(cell)}</td>`).join('')}</tr>\n`,
  );
  return html(templates.table({ ...input, heads, rows: written.join('') }));
}

function inCell(cell: string | Cell): string {
  if (typeof cell === 'string') return escaped(cell);
  const text = escaped(cell.text);
  const content = cell.href === undefined ? text : `<a href="${escaped(cell.href)}">${text}</a>`;
  return `${content}${cell.html ?? ''}`;
}

export interface Field {
  name: string;
  label: string;
  help?: string;
  type?: 'text' | 'password' | 'email' | 'search';
  value?: string;
  isRequired?: boolean;
  isLong?: boolean;
  most?: number;
  autocomplete?: string;
  inputmode?: string;
  options?: readonly { value: string; text: string; isChosen?: boolean }[];
}

export interface Button {
  text: string;
  name?: string;
  value?: string;
  kind?: 'good' | 'bad' | 'main' | 'quiet';
  /** It can be pressed before the fields are filled. */
  isFree?: boolean;
  /** For who does not see what stands around it. */
  says?: string;
}

export interface Form {
  action: string;
  method?: 'get' | 'post';
  kind?: 'inline' | 'search';
  /** Of the session; absent for a form that only asks for a page. */
  csrf?: string;
  hidden?: Readonly<Record<string, string>>;
  fields?: readonly Field[];
  buttons: readonly Button[];
}

const noField = {
  ...{ help: '', type: 'text', value: '', isRequired: false, isLong: false, most: 255, autocomplete: '' },
  ...{ inputmode: '', options: [] },
};
const noButton = { name: '', value: '', kind: '', isFree: false, says: '' };

/** A form; what it sends has a name of its own, so that a second click is the same request. */
export function form({ csrf, hidden = {}, fields: input = [], buttons, ...rest }: Form): Html {
  const own = csrf === undefined ? hidden : { csrf, once: randomUUID(), ...hidden };
  return html(
    templates.form({
      ...{ kind: '', method: 'post', ...rest },
      hidden: Object.entries(own).map(([name, value]) => ({ name, value })),
      fields: input.map((field) => ({
        ...noField,
        ...field,
        id: `f-${randomUUID().slice(0, 8)}`,
        options: (field.options ?? []).map((option) => ({ isChosen: false, ...option })),
      })),
      buttons: buttons.map((button) => ({ ...noButton, ...button })),
    }),
  );
}

/** What is shown when it is asked for. */
export const details = (summary: string, ...body: readonly Html[]): Html =>
  html(`<details><summary>${escaped(summary)}</summary>\n${body.join('\n')}\n</details>`);

/** The story of something, in the language it is told in. */
export const timeline = (
  lang: string,
  events: readonly { at: string; shown: string; what: string; amount: string; beside: string }[],
): Html => html(templates.timeline({ lang, events }));

/** A drawing of ours, with its words for who does not see it. */
export const figure = (svg: string, caption: string, kind = ''): Html =>
  html(`<figure${kind === '' ? '' : ` class="${kind}"`}>${svg}<figcaption>${escaped(caption)}</figcaption></figure>`);

export interface Formats {
  money(value: Amount, currency: string): string;
  number(value: number): string;
  moment(at: Date): string;
  day(at: Date): string;
  /** To the second. */
  clock(at: Date): string;
  /** `EST`, `MEZ`. */
  zoneName(at: Date): string;
  age(from: Date, now: Date): string;
}

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

const known = new Map<string, Formats>();

const mostFormats = 200;

/** Sums, numbers and times as the reader's country writes them, in the shop's time. */
export function formatsOf(locale: string, timeZone: string): Formats {
  const key = `${locale} ${timeZone}`;
  const made = known.get(key) ?? makeFormats(locale, timeZone);
  if (known.size < mostFormats) known.set(key, made);
  return made;
}

/** The country of a browser that asks in this language: `en-US` writes dates in another way than `en-GB`. */
export function localeOf(lang: Language, accepted: string): string {
  const tags = accepted.split(',').map((one) => one.split(';')[0]?.trim() ?? '');
  const own = tags.find((tag) => /^[a-z]{2}-[A-Z]{2}$/.test(tag) && tag.startsWith(lang));
  const isKnown = own !== undefined && Intl.DateTimeFormat.supportedLocalesOf(own).length > 0;
  return isKnown ? own : lang === 'de' ? 'de-DE' : 'en-GB';
}

function makeFormats(locale: string, timeZone: string): Formats {
  const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone });
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium', timeZone });
  const zones = new Intl.DateTimeFormat(locale, { timeZoneName: 'short', timeZone });
  const numbers = new Intl.NumberFormat(locale);
  const plain = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 });
  const lengths = new Map(
    units.map(([unit]) => [unit, new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' })]),
  );
  const sums = new Map<string, Intl.NumberFormat>();
  const sumsIn = (currency: string) => {
    const made = sums.get(currency) ?? new Intl.NumberFormat(locale, { style: 'currency', currency });
    if (sums.size < 200) sums.set(currency, made);
    return made;
  };
  return {
    // As a decimal text: no float on the way.
    // What came without a currency is a number.
    money: (value, currency) =>
      (/^[A-Z]{3}$/.test(currency) ? sumsIn(currency) : plain).format(formatAmount(value) as `${number}`),
    number: (value) => numbers.format(value),
    moment: (at) => moments.format(at),
    day: (at) => days.format(at),
    clock: (at) => clock.format(at),
    zoneName: (at) => zones.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone,
    age(from, now) {
      let left = Math.max(0, Math.floor((now.getTime() - from.getTime()) / 1_000));
      const first = units.findIndex(([, seconds]) => left >= seconds);
      const parts: string[] = [];
      for (const [unit, seconds] of units.slice(first < 0 ? units.length - 1 : first).slice(0, 2)) {
        const count = Math.floor(left / seconds);
        left -= count * seconds;
        if (count > 0 || parts.length === 0) parts.push(lengths.get(unit)?.format(count) ?? '');
      }
      return parts.join(' ');
    },
  };
}

/** One bar: for the drawing alone, so its height may be a float. */
export interface Bar {
  label: string;
  group: string;
  height: number;
}

export interface BarChart {
  /** What it shows, in one sentence: also for who does not see it. */
  caption: string;
  bars: readonly Bar[];
  labels: readonly string[];
  format: (height: number) => string;
  height?: number;
}

const width = 640;

/**
 * Bars, drawn on the server: the library draws into a document that exists in memory alone. Its style sheet is left
 * out, since no page of ours lets one in; the page's own styles colour it. Loaded by the first page that draws.
 */
export async function barChart(chart: BarChart): Promise<Html> {
  // What it looks like is all that it is made of; a day that is over never changes.
  const key = JSON.stringify([chart.caption, chart.labels, chart.height, chart.format(1_234), chart.bars]);
  const drawn = drawings.get(key) ?? (await draw(chart));
  drawings.delete(key);
  drawings.set(key, drawn);
  const [oldest] = drawings.keys();
  if (drawings.size > mostDrawings && oldest !== undefined) drawings.delete(oldest);
  return drawn;
}

/** Drawn lately, the last one last. */
const drawings = new Map<string, Html>();
const mostDrawings = 60;

async function draw({ caption, bars, labels, format, height = 220 }: BarChart): Promise<Html> {
  const [Plot, { parseHTML }] = await Promise.all([import('@observablehq/plot'), import('linkedom')]);
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const groups = [...new Set(bars.map(({ group }) => group))];
  const drawn = Plot.plot({
    document: document as unknown as Document,
    ...{ width, height, marginLeft: 70, marginBottom: 30 },
    x: { domain: [...labels], label: null, tickSize: 0 },
    y: { label: null, ticks: 4, tickFormat: format, grid: true, zero: true },
    color: { domain: groups, range: [...colours] },
    marks: [Plot.barY(bars, { x: 'label', y: 'height', fill: 'group', inset: 1 }), Plot.ruleY([0])],
  });
  const svg = withoutStyles(drawn.outerHTML)
    .replace('<svg ', `<svg role="img" aria-label="${escaped(barsInWords(caption, bars, format))}" `)
    .replaceAll(/ aria-(?:label|description)="(?:bar|rule|[xy]-axis[^"]*|[xy]-grid)"/g, '');
  return figure(svg + legend(groups), caption, 'plot');
}

/** Told apart in light and dark, also by who does not tell red from green. */
const colours = ['#3b7dd8', '#d98a1f', '#2f9e77', '#b0568f', '#7a6fd0', '#8a8f98'];

function legend(groups: readonly string[]): string {
  if (groups.length < 2) return '';
  const one = (group: string, at: number) =>
    `<li><svg width="12" height="12" aria-hidden="true"><rect width="12" height="12" fill="${colours[at % colours.length] ?? ''}"/></svg> ${escaped(group)}</li>`;
  return `<ul class="legend">${groups.map(one).join('')}</ul>`;
}

const mostAnswered = 24;

const barsInWords = (caption: string, bars: readonly Bar[], format: (height: number) => string): string =>
  `${caption}: ${bars
    .filter(({ height }) => height !== 0)
    .slice(0, mostAnswered)
    .map(({ label, group, height }) => `${label} ${group} ${format(height)}`)
    .join('; ')}`;

function withoutSheets(svg: string): string {
  const [first = '', ...others] = svg.split('<style');
  return first + others.map((part) => part.slice(part.indexOf('</style>') + '</style>'.length)).join('');
}

/** A `style` of an element is written as its attributes; a style sheet goes. */
const withoutStyles = (svg: string): string =>
  withoutSheets(svg).replaceAll(/ style="([^"]*)"/g, (_, styles: string) =>
    styles
      .split(';')
      .map((one) => one.split(':').map((part) => part.trim()))
      .filter(([name = '', value = '']) => value !== '' && !name.startsWith('--') && name !== 'white-space')
      .map(([name = '', value = '']) => ` ${name}="${value}"`)
      .join(''),
  );
