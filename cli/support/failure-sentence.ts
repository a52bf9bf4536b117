import { PosError } from '../../domain/errors.ts';
import { fillIn } from '../../domain/fill-in.ts';
import { addressOf } from '../../providers/settings.ts';

/** PostgreSQL: no such table, no such column. */
const lacking = new Set(['42P01', '42703']);
/** 08001: see `database-trouble.ts`. */
const unreachable = new Set(['08001', 'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH']);

/** The error of a failed command, in one sentence for standard error. */
export function failureSentence(error: unknown, databaseUrl: string | undefined): string {
  if (error instanceof PosError) return oneLine(fillIn(error.message, error.parameters));
  const code = codeOf(error) ?? '';
  if (lacking.has(code)) {
    return `The database at ${addressOf(databaseUrl)} is not that of this release; run npm run migrate.`;
  }
  if (unreachable.has(code)) {
    return `The database at ${addressOf(databaseUrl)} does not answer; start the service with npm start, or set DATABASE_URL.`;
  }
  return oneLine(error instanceof Error ? error.message : String(error));
}

const oneLine = (text: string) => text.replaceAll(/(?<!\s)\s*\n\s*/g, ' ').trim();

function codeOf(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof AggregateError && cause.errors.length > 0) return codeOf(cause.errors[0]);
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
  }
  return undefined;
}
