import { randomBytes } from 'node:crypto';
import { PosError, type ErrorParameters, type Refusal } from '../../domain/errors.ts';
import type { Log } from '../../providers/log.ts';
import { refuseTrouble } from './refuse-trouble.ts';

/** The body of every answer that is not a success (platform facts 2.1). */
export interface Envelope {
  message: string;
  errors?: readonly { message: string; parameters: ErrorParameters }[];
  parameters?: ErrorParameters;
}

/** Messages stay templates with their values beside them; keys in the platform's order, empty ones left out. */
export const envelopeOf = ({ message, errors, parameters }: Refusal): Envelope => ({
  message,
  ...(errors === undefined || errors.length === 0 ? {} : { errors }),
  ...(parameters === undefined || isEmpty(parameters) ? {} : { parameters }),
});

/**
 * The refusal for any error: a refusal itself, 503 for a database failure, otherwise a masked 500, or the route's own
 * words for a fault.
 *
 * A fault is logged here, once, with the id in the answer. A refusal of what was asked is no fault, whatever it was
 * found by: one line, and no stack.
 */
export function refusalFor(thrown: unknown, log: Log, facts: Record<string, unknown>, ownFault?: Refusal): Refusal {
  if (thrown instanceof PosError) {
    const { status, cause } = thrown;
    if (cause !== undefined && status < 500) log.info({ ...facts, status }, 'a request was refused');
    else if (cause !== undefined) log.warn({ ...facts, error: cause }, 'a request was turned away');
    return thrown.refusal;
  }
  const trouble = refuseTrouble(thrown);
  if (trouble) {
    log.warn({ ...facts, error: thrown }, 'the database kept a request from its end');
    return trouble;
  }
  const reportId = `webapi-${randomBytes(7).toString('hex').slice(0, 13)}`;
  log.error({ ...facts, reportId, error: thrown }, 'a request failed');
  if (ownFault) return { status: ownFault.status, message: ownFault.message };
  return {
    status: 500,
    message: `Internal Error. Details are available in Magento log file. Report ID: ${reportId}`,
  };
}

const isEmpty = (parameters: ErrorParameters) => Object.keys(parameters).length === 0;
