import { inMinorUnits, minorText } from '../../domain/money/minor-units.ts';
import type { RefundFinding } from '../../domain/refunds/refund-finding.ts';
import { wordsOf } from './findings.ts';
import type { AskedRefund } from './payment-gateway.ts';

/** A refund as the gateway describes it. Undefined: the field is absent or unreadable. */
export interface ReportedRefund {
  /** In the currency's smallest coin. */
  minor: number | undefined;
  currencyCode: string | undefined;
  /** Null or undefined: it does not name the payment. */
  paymentReference: string | null | undefined;
  merchantReference: string | undefined;
}

/** As much of the other refund's name as an operator needs to find it. */
const longestName = 80;

/**
 * A doubt, in words, where the gateway describes another refund than ours; undefined where it is ours.
 *
 * Ours has our amount and currency, one of the references of its intent, and the payment where the gateway names one.
 * A restored backup or another installation may have used the name before at the same account. Its refund says
 * nothing about ours, neither yes nor no.
 */
export function otherRefund(asked: AskedRefund, reported: ReportedRefund): RefundFinding | undefined {
  const differences = [...moneyDifference(asked, reported), ...nameDifferences(asked, reported)];
  if (differences.length === 0) return undefined;
  return {
    evidence: 'unknown',
    gatewayOutcome: 'other_refund',
    message: `The gateway told of another refund than this one: ${differences.join(', ')}. Look for it in the portal of the gateway.`,
  };
}

function moneyDifference(asked: AskedRefund, reported: ReportedRefund): string[] {
  const minor = inMinorUnits(asked.amount, asked.currencyCode);
  if (reported.minor === minor && reported.currencyCode === asked.currencyCode) return [];
  const ours = minor === undefined ? 'our amount' : moneyIn(minor, asked.currencyCode);
  const theirs =
    reported.minor === undefined || reported.currencyCode === undefined
      ? 'no amount'
      : moneyIn(reported.minor, reported.currencyCode);
  return [`${theirs} instead of ${ours}`];
}

const moneyIn = (minor: number, currencyCode: string) => `${minorText(minor, currencyCode)} ${currencyCode}`;

function nameDifferences(
  { merchantReference, ownReferences, paymentReference }: AskedRefund,
  reported: ReportedRefund,
) {
  const isOurs =
    reported.merchantReference === merchantReference || ownReferences.includes(reported.merchantReference ?? '');
  const isOurPayment = reported.paymentReference == null || reported.paymentReference === paymentReference;
  return [
    ...(isOurs ? [] : [`${named('reference', reported.merchantReference)} instead of "${merchantReference}"`]),
    ...(isOurPayment ? [] : [`${named('payment', reported.paymentReference)} instead of "${paymentReference ?? ''}"`]),
  ];
}

function named(what: string, name: string | null | undefined): string {
  const words = wordsOf(name, [])?.slice(0, longestName).toWellFormed();
  return words === undefined ? `no ${what}` : `${what} "${words}"`;
}
