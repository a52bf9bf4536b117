/** What samples carry from one to the next, by name. */
export type Values = Map<string, unknown>;

const named = /\$([A-Z][A-Z_]*)/g;
const inRequest = /"(?:[^"\\]|\\.)*"|\$[A-Z][A-Z_]*/g;
const inAnswer = /"(?:[^"\\]|\\.)*"|…|\$[A-Z][A-Z_]*|[{}[\]:,]/g;

/** A text with the values in place of their names. */
export const fillText = (text: string, values: Values): string =>
  text.replaceAll(named, (_, name: string) => String(valueOf(name, values)));

/** A body with the values in place of their names: a bare name becomes JSON, one within a text its characters. */
export const fillBody = (body: string, values: Values): string =>
  body.replaceAll(inRequest, (token) =>
    token.startsWith('$') ? JSON.stringify(valueOf(token.slice(1), values)) : fillText(token, values),
  );

function valueOf(name: string, values: Values): unknown {
  if (!values.has(name)) throw new Error(`no sample before has told $${name}`);
  return values.get(name);
}

/**
 * How an answer differs from the one that is shown; nothing where it does not. `$NAME` keeps a value at its first
 * sight and is compared from then on. `…` is any value, more fields of an object, or more rows of a list; within a text
 * it is any characters.
 */
export function differencesOf(shown: string, actual: unknown, values: Values): string[] {
  return compare(JSON.parse(asJson(shown)), actual, { path: '', values });
}

/** `…` and bare names as texts; in an object `…` also gets a key. */
function asJson(shown: string): string {
  const open: string[] = [];
  let before = '';
  return shown.replaceAll(inAnswer, (token) => {
    const isValue = before === ':';
    before = token;
    if (token === '{' || token === '[') open.push(token);
    if (token === '}' || token === ']') open.pop();
    if (token === '…') return isValue || open.at(-1) !== '{' ? '"…"' : '"…": "…"';
    return token.startsWith('$') ? `"${token}"` : token;
  });
}

interface Place {
  path: string;
  values: Values;
}

function compare(shown: unknown, actual: unknown, place: Place): string[] {
  if (typeof shown === 'string') return compareText(shown, actual, place);
  if (Array.isArray(shown))
    return Array.isArray(actual) ? compareRows(shown, actual, place) : [differ(shown, actual, place)];
  if (isObject(shown)) return isObject(actual) ? compareFields(shown, actual, place) : [differ(shown, actual, place)];
  return shown === actual ? [] : [differ(shown, actual, place)];
}

function compareText(shown: string, actual: unknown, place: Place): string[] {
  if (shown === '…') return [];
  const [, name] = /^\$([A-Z][A-Z_]*)$/.exec(shown) ?? [];
  if (name !== undefined && !place.values.has(name)) {
    place.values.set(name, actual);
    return [];
  }
  if (name !== undefined) return compareKept(place.values.get(name), actual, place);
  const filled = fillText(shown, place.values);
  if (!filled.includes('…')) return filled === actual ? [] : [differ(filled, actual, place)];
  const pattern = filled.split('…').map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  const fits = typeof actual === 'string' && new RegExp(`^${pattern.join('[^]*')}$`).test(actual);
  return fits ? [] : [differ(filled, actual, place)];
}

const compareKept = (kept: unknown, actual: unknown, place: Place) =>
  String(kept) === String(actual) ? [] : [differ(kept, actual, place)];

function compareRows(shown: unknown[], actual: unknown[], { path, values }: Place): string[] {
  const isWhole = shown.at(-1) !== '…';
  const rows = isWhole ? shown : shown.slice(0, -1);
  const found = rows.flatMap((row, index) => compare(row, actual[index], { path: `${path}[${index}]`, values }));
  return isWhole && actual.length !== rows.length
    ? [...found, `${path}: ${actual.length} rows, not ${rows.length}`]
    : found;
}

function compareFields(shown: Fields, actual: Fields, { path, values }: Place): string[] {
  const found = Object.entries(shown).flatMap(([key, value]) =>
    key === '…' ? [] : compare(value, actual[key], { path: `${path}.${key}`, values }),
  );
  const unnamed = '…' in shown ? [] : Object.keys(actual).filter((key) => !(key in shown));
  return [...found, ...unnamed.map((key) => `${path}.${key}: is not shown`)];
}

type Fields = Record<string, unknown>;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const differ = (shown: unknown, actual: unknown, { path }: Place) =>
  `${path || 'the answer'}: shown ${JSON.stringify(shown)}, answered ${JSON.stringify(actual)}`;
