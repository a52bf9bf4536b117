import { cardDataIn } from '../../domain/card-data.ts';
import { repeatedRefusal, type RefundFinding } from '../../domain/refunds/refund-finding.ts';

/** The evidence of a gateway's answer, in outcomes that every gateway shares: the table of `payment-gateway.ts`. */

/** Only with the gateway's own reference: a yes without one is a doubt. */
export const refunded = (gatewayReference: string): RefundFinding => ({
  evidence: 'refunded',
  gatewayOutcome: 'approved',
  gatewayReference,
});

/** A documented no: this call refunded nothing and never will. Its key cannot be used again. */
export const refused = (gatewayOutcome: string, message: string | undefined): RefundFinding => ({
  evidence: 'not_refunded',
  isFinal: true,
  endsIntent: true,
  gatewayOutcome: gatewayOutcome.slice(0, longestOutcome).toWellFormed(),
  message: message ?? 'The gateway refused the refund.',
});

/**
 * The gateway documents that it did not process the request: too many calls, or closed for the moment. The refund was
 * not refused, so the next call has the same intent and the same key: an earlier call that arrives late is not a
 * second refund.
 */
export const notProcessed = (message: string | undefined): RefundFinding => ({
  evidence: 'not_refunded',
  isFinal: true,
  gatewayOutcome: 'not_processed',
  message: message ?? 'The gateway did not take the refund. Try it again in a moment.',
});

/** Nothing left this machine; the intent stays, as above. */
export const notSent = (message: string): RefundFinding => ({
  evidence: 'not_refunded',
  isFinal: true,
  gatewayOutcome: 'not_sent',
  message,
});

/**
 * The stored answer to an earlier call with the same key. An old no says nothing about money that moved since, so it
 * is a doubt. The next "not refunded" ends the intent, and the refund after it gets a new key.
 */
export const repeatedNo = (message: string | undefined): RefundFinding => ({
  evidence: 'unknown',
  gatewayOutcome: repeatedRefusal,
  message: message ?? 'The gateway repeated the refusal of an earlier call.',
});

export const timedOut: RefundFinding = {
  evidence: 'unknown',
  gatewayOutcome: 'timeout',
  message: 'The gateway did not answer in time.',
};

/** The connection broke after the request may have been sent. */
export const lost = (code: string): RefundFinding => ({
  evidence: 'unknown',
  gatewayOutcome: 'connection_lost',
  message: `The connection to the gateway was lost (${code}).`,
});

/** For undocumented answers: an unknown answer is never a no. */
export const unrecognised = ({ status }: { status: number }): RefundFinding => ({
  evidence: 'unknown',
  gatewayOutcome: `http_${status}`,
  message: `The gateway answered ${status} with something unreadable.`,
});

export const pending: RefundFinding = {
  evidence: 'unknown',
  gatewayOutcome: 'pending',
  message: 'The gateway is still working on the refund.',
};

/** A look-up that finds nothing; believed only when a second one confirms it after the call is over for certain. */
export const notFound: RefundFinding = {
  evidence: 'not_refunded',
  gatewayOutcome: 'not_found',
  message: 'The gateway knows of no such refund.',
};

/** A look-up without a usable answer. */
export const cannotSay: RefundFinding = {
  evidence: 'unknown',
  message: 'The gateway cannot say what became of the refund.',
};

/** The length of the columns, and short enough for an operator. */
const longestOutcome = 64;
const longestMessage = 500;

/**
 * A gateway's own sentence, cleaned for storing and showing: short, without control characters, our keys or anything
 * like a card number.
 */
export function wordsOf(text: string | null | undefined, secrets: readonly string[]): string | undefined {
  if (text === null || text === undefined) return undefined;
  const hidden = secrets
    .filter((secret) => secret !== '')
    .reduce((rest, secret) => rest.replaceAll(secret, '(hidden)'), text);
  const words = hidden
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, longestMessage)
    // A cut within a character would leave half of it, which the database refuses.
    .toWellFormed();
  return words === '' || cardDataIn(words) ? undefined : words;
}
