import { randomBytes } from 'node:crypto';
import { PosError, type ErrorParameters, type Refusal } from '../../domain/errors.ts';
import type { Log } from '../../providers/log.ts';
import { refuseTrouble } from './refuse-trouble.ts';

/** The one body of everything that is not a success (platform facts 2.1). */
export interface Envelope {
  message: string;
  errors?: readonly { message: string; parameters: ErrorParameters }[];
  parameters?: ErrorParameters;
}

/** Templates stay unfilled and values beside them; keys in the platform's order, empty ones left out. */
export const envelopeOf = ({ message, errors, parameters }: Refusal): Envelope => ({
  message,
  ...(errors === undefined || errors.length === 0 ? {} : { errors }),
  ...(parameters === undefined || isEmpty(parameters) ? {} : { parameters }),
});

/**
 * What to answer for whatever was thrown: a refusal as it is, 503 for trouble of the database, anything else as a masked
 * 500.
 *
 * A fault is logged here, once, with the id the answer carries.
 */
export function refusalFor(thrown: unknown, log: Log, facts: Record<string, unknown>): Refusal {
  if (thrown instanceof PosError) {
    if (thrown.cause !== undefined) log.warn({ ...facts, error: thrown.cause }, 'a request was turned away');
    return thrown.refusal;
  }
  const trouble = refuseTrouble(thrown);
  if (trouble) {
    log.warn({ ...facts, error: thrown }, 'the database kept a request from its end');
    return trouble;
  }
  const reportId = `webapi-${randomBytes(7).toString('hex').slice(0, 13)}`;
  log.error({ ...facts, reportId, error: thrown }, 'a request failed');
  return {
    status: 500,
    message: `Internal Error. Details are available in Magento log file. Report ID: ${reportId}`,
  };
}

const isEmpty = (parameters: ErrorParameters) => Object.keys(parameters).length === 0;
