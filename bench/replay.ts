/** A statement that the API sent, with its result. */
export interface Recorded {
  text: string;
  values: unknown[];
  rows: unknown[];
}

/** A statement to send again: values from the request or from an earlier result are computed each time. */
export interface ReplayStep {
  text: (rows: readonly unknown[][], subject: string) => string;
  values: (rows: readonly unknown[][], subject: string) => unknown[];
}

/** Token and store view look-ups belong to our API, not to the measured path. */
const isNotOfThePath = ({ text }: Recorded) =>
  /\baccess_token\b/.test(text) || /^\s*select v\.store_id, v\.website_id, v\.code\s+from store_view v/.test(text);

/** Ids and document numbers of a bench shop: long enough to be unique. */
const marks = /\d{8,}/g;

/**
 * The statements of one request, ready to be sent for another subject.
 *
 * Digits of the recorded subject are replaced by the new one's; digits from an earlier result by those of the new
 * result.
 */
export function replayOf(recorded: readonly Recorded[], subject: string): ReplayStep[] {
  const sent = recorded.filter((one) => !isNotOfThePath(one));
  return sent.map(({ text, values }, index) => {
    const known = { subject, earlier: sent.slice(0, index) };
    const fillText = templateOf(text, known);
    const fillValues = values.map((value) => {
      const fill = templateOf(JSON.stringify(value) ?? 'null', known);
      return typeof fill === 'string' ? () => value : (...now: Parameters<Fill>): unknown => JSON.parse(fill(...now));
    });
    return {
      text: typeof fillText === 'string' ? () => fillText : fillText,
      values: (rows, now) => fillValues.map((fill) => fill(rows, now)),
    };
  });
}

interface Known {
  subject: string;
  earlier: readonly Recorded[];
}

type Fill = (rows: readonly unknown[][], subject: string) => string;

/** The text itself where nothing in it changes. */
function templateOf(text: string, known: Known): string | Fill {
  const sources = new Map<string, Fill>();
  for (const mark of new Set(text.match(marks))) {
    const source = sourceOf(mark, known);
    if (source) sources.set(mark, source);
  }
  if (sources.size === 0) return text;
  const parts = text.split(/(\d{8,})/);
  return (rows, subject) => parts.map((part) => sources.get(part)?.(rows, subject) ?? part).join('');
}

function sourceOf(mark: string, { subject, earlier }: Known): Fill | undefined {
  if (mark === subject) return (_rows, now) => now;
  const path = pathTo(
    mark,
    earlier.map(({ rows }) => rows),
  );
  return path && ((rows) => String(path.reduce<unknown>((value, key) => at(value, key), rows)));
}

const at = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;

/** The position of a number or a text in a result, at any depth. */
function pathTo(mark: string, value: unknown): string[] | undefined {
  if (typeof value !== 'object' || value === null) return String(value) === mark ? [] : undefined;
  for (const [key, inner] of Object.entries(value)) {
    const path = pathTo(mark, inner);
    if (path) return [key, ...path];
  }
  return undefined;
}
