import { cardDataIn } from '../../domain/receipts/card-data.ts';
import { repeatedRefusal, type RefundFinding } from '../../domain/refunds/refund-finding.ts';

/** What a gateway's answer is worth, in the words every gateway shares: the evidence table of `payment-gateway.ts`. */

/** Only with the gateway's own reference: a yes without one is a doubt. */
export const refunded = (gatewayReference: string): RefundFinding => ({
  evidence: 'refunded',
  gatewayOutcome: 'approved',
  gatewayReference,
});

/** A documented no: this call gave nothing back and never will. Its key is spent. */
export const refused = (gatewayOutcome: string, message: string | undefined): RefundFinding => ({
  evidence: 'not_refunded',
  isFinal: true,
  endsIntent: true,
  gatewayOutcome: gatewayOutcome.slice(0, longestOutcome).toWellFormed(),
  message: message ?? 'The gateway refused the refund.',
});

/**
 * The gateway documents that it did not look at the order: too many calls, or closed for the moment. Nobody refused the
 * refund, so the next one is the same intent under the same key: a call of before that comes late is no second refund.
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
 * The answer kept for an earlier call with the same key. An old no says nothing about money that moved since, so it is a
 * doubt; the next "not refunded" ends the intent, and the refund after it gets a key of its own.
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

/** The connection broke after the request may have left. */
export const lost = (code: string): RefundFinding => ({
  evidence: 'unknown',
  gatewayOutcome: 'connection_lost',
  message: `The connection to the gateway was lost (${code}).`,
});

/** For what nobody documented: an unlisted answer is never a no. */
export const unrecognised = ({ status }: { status: number }): RefundFinding => ({
  evidence: 'unknown',
  gatewayOutcome: `http_${status}`,
  message: `The gateway answered ${status} with something nobody can read.`,
});

export const pending: RefundFinding = {
  evidence: 'unknown',
  gatewayOutcome: 'pending',
  message: 'The gateway is still working on the refund.',
};

/** A look-up that knows nothing; believed only when it is said twice, after the call is surely over. */
export const notFound: RefundFinding = {
  evidence: 'not_refunded',
  gatewayOutcome: 'not_found',
  message: 'The gateway knows of no such refund.',
};

/** A look-up without an answer worth anything. */
export const cannotSay: RefundFinding = {
  evidence: 'unknown',
  message: 'The gateway cannot say what became of the refund.',
};

/** As long as the columns they are kept in, and as an operator reads. */
const longestOutcome = 64;
const longestMessage = 500;

/**
 * A gateway's own sentence as it may be kept and shown: short, without control characters, without our keys in it, and
 * without anything that looks like a card.
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
    // Cut within a character, half of it would be left: no database keeps that.
    .toWellFormed();
  return words === '' || cardDataIn(words) ? undefined : words;
}
