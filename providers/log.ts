import { AsyncLocalStorage } from 'node:async_hooks';
import { pino, type DestinationStream, type Logger } from 'pino';
import { visibleText } from '../domain/visible-text.ts';
import type { Settings } from './settings.ts';

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
function faultOf(error: unknown): unknown {
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

export type Log = Logger;

/** Names whose values are never logged, at any depth. */
const secretNames = [
  'authorization',
  'password',
  'passcode',
  'token',
  'code',
  'api_key',
  'api_token',
  'service_secret',
  'email',
];

const surroundingFacts = new AsyncLocalStorage<object>();

/** Adds these facts to every log line written while `work` runs. */
export const logWith = <Result>(facts: object, work: () => Result): Result => surroundingFacts.run(facts, work);

/**
 * Each log line is one JSON object with ids as fields; `pretty` writes one short line for people.
 *
 * @param destination where lines go; absent: standard output
 */
export function createLog(
  name: string,
  settings: Pick<Settings, 'LOG_LEVEL' | 'LOG_FORMAT'>,
  destination?: DestinationStream,
): Log {
  const options = {
    level: settings.LOG_LEVEL,
    base: { name },
    mixin: () => surroundingFacts.getStore() ?? {},
    redact: { paths: secretNames.flatMap((secret) => [secret, `*.${secret}`]), censor: '(hidden)' },
    serializers: { error: faultOf, err: faultOf },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  const out = destination ?? standardOutput();
  return settings.LOG_FORMAT === 'pretty'
    ? pino(options, { write: (line: string) => out.write(pretty(line)) })
    : pino(options, out);
}

/** How many bytes wait while a full disk or a closed pipe takes no lines; more are lost. */
const mostWaitingBytes = 1_000_000;

/** A failed write does not end the process; it is reported once where that is possible. */
function standardOutput(): DestinationStream {
  const out = pino.destination({ dest: 1, sync: true, maxLength: mostWaitingBytes });
  let isReported = false;
  out.on('error', (error: Error) => {
    if (!isReported) process.stderr.write(`The log cannot be written (${error.message}).\n`);
    isReported = true;
  });
  // Standard error may be on the same full disk.
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => undefined);
  return out;
}

const levels: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' };

function pretty(line: string): string {
  const { level, time, name, msg, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const rest = Object.entries(fields).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const text = `${levels[Number(level)] ?? ''} ${String(name)}: ${String(msg)} ${rest.join(' ')}`;
  // Always one line: a line break in outside text could forge a log line.
  return `${String(time).slice(11, 19)} ${visibleText(text)}\n`;
}
