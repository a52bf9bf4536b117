import type { Cancellation } from '../../domain/layaways/cancellation.ts';
import { isPositive, type Amount } from '../../domain/money/amount.ts';
import { moneyText } from '../../domain/money/money-text.ts';

export interface CancellationToTell extends Pick<Cancellation, 'fee' | 'handback' | 'legs'> {
  refundMethod: string | null;
  reason: string | null;
  currencyCode: string;
}

/** The comment in the order's history: the fee, what goes back in which form, and why. */
export function cancellationComment(cancellation: CancellationToTell): string {
  const text = (value: Amount) => moneyText(value, cancellation.currencyCode);
  const kept = isPositive(cancellation.fee.order) ? ` Fee kept: ${text(cancellation.fee.order)}.` : '';
  const handed = ` To hand back: ${text(cancellation.handback.order)}${cancellation.refundMethod === null ? '' : ` by ${cancellation.refundMethod}`}.`;
  const legs = cancellation.legs
    .map((leg) => ` Back to ${leg.kind.replaceAll('_', ' ')}: ${legText(leg, text)}.`)
    .join('');
  return `Layaway cancelled.${kept}${handed}${legs}${cancellation.reason ? ` Reason: ${cancellation.reason}` : ''}`;
}

/** Points that were a discount carry no money. */
const legText = (leg: Cancellation['legs'][number], text: (value: Amount) => string) =>
  leg.points === null ? text(leg.amount) : `${leg.points} points`;
