import { isSameList } from './is-same-list.ts';

/** Nothing in it is written as an escape. */
const plain = /^[ !#-[\]-~]*$/;

/** A text as JSON writes it. Most texts need no escape, and then `JSON.stringify` costs several times as much. */
const jsonQuoted = (text: string): string => (plain.test(text) ? `"${text}"` : JSON.stringify(text));

/**
 * JSON with its keys sorted by name and without undefined values. So the same content always gives the same text.
 * Digests of it are stored: the text of a value must never change.
 *
 * It is put together by hand. `JSON.stringify` takes twice as long with a function that sorts, and sorts each line of
 * an order anew.
 */
export const canonicalJson = (value: unknown): string => textOf(value, '') ?? 'null';

/** The keys of the last object of a list, and how they are written. The next one mostly has the same. */
interface Order {
  keys: readonly string[];
  sorted: readonly string[];
  quoted: readonly string[];
}

type JsonRecord = Readonly<Record<string, unknown>>;

/** As `JSON.stringify` sees a value: undefined where it has no text. */
function textOf(value: unknown, key: string, order?: Order): string | undefined {
  if (typeof value === 'string') return jsonQuoted(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return listText(value);
  const record = value as JsonRecord;
  const { toJSON } = record;
  if (typeof toJSON === 'function') return textOf(Reflect.apply(toJSON, record, [key]), key);
  return recordText(record, order ?? { keys: [], sorted: [], quoted: [] });
}

function listText(list: readonly unknown[]): string {
  const order: Order = { keys: [], sorted: [], quoted: [] };
  let text = '';
  for (let at = 0; at < list.length; at++)
    text += `${at === 0 ? '' : ','}${textOf(list[at], String(at), order) ?? 'null'}`;
  return `[${text}]`;
}

function recordText(record: JsonRecord, order: Order): string {
  const keys = Object.keys(record);
  if (!isSameList(keys, order.keys)) {
    order.keys = keys;
    order.sorted = sortedKeys(keys);
    order.quoted = order.sorted.map((key) => `${jsonQuoted(key)}:`);
  }
  const { sorted, quoted } = order;
  let text = '';
  for (let at = 0; at < sorted.length; at++) {
    const key = String(sorted[at]);
    const inner = textOf(record[key], key);
    if (inner !== undefined) text += `${text === '' ? '' : ','}${quoted[at]}${inner}`;
  }
  return `{${text}}`;
}

/** Whole numbers come first and in their order, as JavaScript lists them. */
function sortedKeys(keys: readonly string[]): string[] {
  const firstOfOthers = keys.findIndex((key) => !isIndex(key));
  if (firstOfOthers < 0) return [...keys];
  return [...keys.slice(0, firstOfOthers), ...keys.slice(firstOfOthers).toSorted()];
}

const mostIndex = 4_294_967_294;
const isIndex = (key: string) => /^(?:0|[1-9]\d{0,9})$/.test(key) && Number(key) <= mostIndex;

/**
 * JSON as RFC 8785 writes it (JCS): keys sorted by their UTF-16 code units at every depth, also those that look like
 * numbers, no white space, numbers as ECMAScript writes them. The same content gives the same text in every language,
 * so that others can compute its digest. For parsed JSON that `isStorableJson` accepts: finite numbers, well-formed
 * texts, at most 32 levels.
 *
 * `canonicalJson` is older and lists keys that are whole numbers first; stored digests depend on that.
 */
export function jcsOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jcsOf).join(',')}]`;
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? jsonQuoted(value) : jsonOf(value);
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  // Without a comparison, texts are sorted by their UTF-16 code units.
  const sorted = new Map(entries);
  const keys = [...sorted.keys()].toSorted();
  return `{${keys.map((key) => `${jsonQuoted(key)}:${jcsOf(sorted.get(key))}`).join(',')}}`;
}

function jsonOf(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError('JSON has no infinite number.');
  return JSON.stringify(value) ?? 'null';
}
