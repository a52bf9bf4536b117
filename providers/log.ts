import { AsyncLocalStorage } from 'node:async_hooks';
import { pino, type DestinationStream, type Logger } from 'pino';
import { visibleText } from '../domain/visible-text.ts';
import { faultOf } from './fault-of.ts';
import type { Settings } from './settings.ts';

export type Log = Logger;

/** Names whose values never reach a log, at any depth we write. */
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

/** Every line written while `work` runs carries these facts, whoever writes it. */
export const logWith = <Result>(facts: object, work: () => Result): Result => surroundingFacts.run(facts, work);

/**
 * One JSON line a fact, ids as fields; `pretty` writes one short line for people.
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

/** Lines that a full disk or a closed pipe does not take are kept up to here, then lost. */
const mostWaitingBytes = 1_000_000;

/** What cannot be written ends no process; it is said once where it still can be. */
function standardOutput(): DestinationStream {
  const out = pino.destination({ dest: 1, sync: true, maxLength: mostWaitingBytes });
  let isTold = false;
  out.on('error', (error: Error) => {
    if (!isTold) process.stderr.write(`The log cannot be written (${error.message}).\n`);
    isTold = true;
  });
  // Standard error may be the same full disk.
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
  // One line a fact, whatever others wrote: a line of their own would pass for ours.
  return `${String(time).slice(11, 19)} ${visibleText(text)}\n`;
}
