import { pino } from 'pino';

/** The database's words about rows, as MikroORM adds them below a message; they may have several lines. */
const quotedRow = /\n - detail: [^]*?(?=\n {4}at |\ncaused by: |$)/g;

/** An error of PostgreSQL has both fields, whatever wraps it. */
const isOfDatabase = ({ severity, code }: Record<string, unknown>): boolean =>
  typeof severity === 'string' && typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code);

/** Fields in which the database quotes whole rows and parameters: e-mails, names, notes. */
const quoting = new Set(['detail', 'where']);

/** The deepest level that a log line shows. */
const deepest = 6;

/**
 * A fault as a log line shows it: with its causes and its stack, without rows that the database quoted.
 *
 * The code of the driver or the system is not secret and helps most. It is logged as `faultCode`, because `code`
 * would be hidden. A value that is not a fault is unchanged.
 */
export function faultOf(error: unknown): unknown {
  if (!isFault(error)) return error;
  const { code, ...facts } = withoutRows(pino.stdSerializers.err(error), 0) as Record<string, unknown>;
  return code === undefined ? facts : { ...facts, faultCode: code };
}

/** An error of a workflow's sandbox is not an instance of our `Error`. */
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
