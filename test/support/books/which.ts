/** The cells by which a test names records: a value, a list of which one fits, `like(…)`, or `something`. */
export type Which = Record<string, unknown>;

class Alike {
  readonly pattern: string;
  constructor(pattern: string) {
    this.pattern = pattern;
  }
}

/** Words that fit the pattern; `%` stands for any words. */
export const like = (pattern: string): unknown => new Alike(pattern);

/** Any value, but not null. */
export const something: unknown = Symbol('something');

/** The condition of a `where`, and its values in their order. */
export function conditionOf(which: Which): { only: string; values: unknown[] } {
  const parts = Object.entries(which).map(([column, wanted]) => partOf(column, wanted));
  return {
    only: ['true', ...parts.map(({ text }) => text)].join(' and '),
    values: parts.flatMap(({ values }) => values),
  };
}

function partOf(column: string, wanted: unknown): { text: string; values: unknown[] } {
  if (wanted === something) return { text: `${column} is not null`, values: [] };
  if (wanted instanceof Alike) return { text: `${column} like ?`, values: [wanted.pattern] };
  if (!Array.isArray(wanted)) return { text: `${column} is not distinct from ?`, values: [wanted] };
  if (wanted.length === 0) return { text: 'false', values: [] };
  return { text: `${column} in (${wanted.map(() => '?').join(', ')})`, values: wanted };
}
