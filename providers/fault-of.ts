import { pino } from 'pino';

/** What the database says of rows, as MikroORM writes it below a message; it may have lines of its own. */
const quotedRow = /\n - detail: [^]*?(?=\n {4}at |\ncaused by: |$)/g;

/** A fault of PostgreSQL has both, whoever wraps it. */
const isOfDatabase = ({ severity, code }: Record<string, unknown>): boolean =>
  typeof severity === 'string' && typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code);

/** Where the database quotes whole rows and parameters: e-mails, names, notes. */
const quoting = new Set(['detail', 'where']);

/** Deeper than a line of the log goes. */
const deepest = 6;

/**
 * A fault as a log line shows it: with its causes and its stack, without what a database quotes of its rows.
 *
 * What the driver or the system calls a fault is no secret, and the first thing to look at: it is `faultCode`, for `code`
 * would be hidden. What is no fault stays as it is.
 */
export function faultOf(error: unknown): unknown {
  if (!isFault(error)) return error;
  const { code, ...facts } = withoutRows(pino.stdSerializers.err(error), 0) as Record<string, unknown>;
  return code === undefined ? facts : { ...facts, faultCode: code };
}

/** One of a workflow's own world is no `Error` of ours. */
const isFault = (value: unknown): value is Error =>
  typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';

function withoutRows(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.replaceAll(quotedRow, '');
  if (depth > deepest) return undefined;
  if (Array.isArray(value)) return value.map((one) => withoutRows(one, depth + 1));
  if (!isFault(value) && !isPlain(value)) return value;
  const facts = { ...value } as Record<string, unknown>;
  const shown = Object.entries(facts).filter(([name]) => !(quoting.has(name) && isOfDatabase(facts)));
  return Object.fromEntries(shown.map(([name, fact]) => [name, withoutRows(fact, depth + 1)]));
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value));
