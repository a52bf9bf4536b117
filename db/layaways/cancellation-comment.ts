import type { Cancellation } from '../../domain/layaways/cancellation.ts';
import { isPositive, type Amount } from '../../domain/money/amount.ts';
import { moneyText } from '../../domain/money/money-text.ts';

export interface CancellationToTell extends Pick<Cancellation, 'fee' | 'handback' | 'legs'> {
  refundMethod: string | null;
  reason: string | null;
  currencyCode: string;
}

/** The comment in the order's history: the fee, what goes back in which form, and why. */
export function cancellationComment(told: CancellationToTell): string {
  const text = (value: Amount) => moneyText(value, told.currencyCode);
  const kept = isPositive(told.fee.order) ? ` Fee kept: ${text(told.fee.order)}.` : '';
  const handed = ` To hand back: ${text(told.handback.order)}${told.refundMethod === null ? '' : ` by ${told.refundMethod}`}.`;
  const legs = told.legs.map((leg) => ` Back to ${leg.kind.replaceAll('_', ' ')}: ${legText(leg, text)}.`).join('');
  return `Layaway cancelled.${kept}${handed}${legs}${told.reason ? ` Reason: ${told.reason}` : ''}`;
}

/** Points that were a discount carry no money. */
const legText = (leg: Cancellation['legs'][number], text: (value: Amount) => string) =>
  leg.points === null ? text(leg.amount) : `${leg.points} points`;
