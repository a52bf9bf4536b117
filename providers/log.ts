import { AsyncLocalStorage } from 'node:async_hooks';
import { pino, type DestinationStream, type Logger } from 'pino';
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

/** What the driver or the system calls a fault is no secret, and the first thing to look at: `code` would be hidden. */
function faultOf(error: Error): object {
  if (!(error instanceof Error)) return error;
  const { code, ...facts } = pino.stdSerializers.err(error);
  return code === undefined ? facts : { ...facts, faultCode: code };
}

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
    serializers: { error: faultOf },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  return settings.LOG_FORMAT === 'pretty'
    ? pino(options, { write: (line: string) => (destination ?? process.stdout).write(pretty(line)) })
    : destination
      ? pino(options, destination)
      : pino(options);
}

const levels: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' };

function pretty(line: string): string {
  const { level, time, name, msg, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const rest = Object.entries(fields).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return `${String(time).slice(11, 19)} ${levels[Number(level)] ?? ''} ${String(name)}: ${String(msg)} ${rest.join(' ')}\n`;
}
