import { formatAmount, type Amount } from '../../domain/money/amount.ts';
import { minorDigits } from '../../domain/money/coins.ts';

/** The outcomes of a refund. Tests, tools and the README depend on these names. */
export const outcomes = [
  'approved',
  'declined',
  'declined_answer_lost',
  'refunded_answer_lost',
  'timeout_after_acting',
  'timeout_without_acting',
  'error_after_acting',
  'garbage',
  'lookup_pending_then_refunded',
  'lookup_no_then_refunded',
  'lookup_unavailable',
  'slow_success',
] as const;
export type Outcome = (typeof outcomes)[number];

export interface CentsRow {
  /** Two digits: the cents of the amount that select this outcome. */
  cents: string;
  outcome: Outcome;
  description: string;
}

/** The tens give the kind: 5 refused, 6 the answer fails, 7 the look-up fails, 8 slow. All others are approved. */
export const centsTable: readonly CentsRow[] = [
  { cents: '00', outcome: 'approved', description: 'Refunded at once. So is every amount whose cents are not below.' },
  { cents: '51', outcome: 'declined', description: 'Refused, and the answer says so.' },
  { cents: '52', outcome: 'declined_answer_lost', description: 'Refused, but the connection drops before the answer.' },
  {
    cents: '61',
    outcome: 'refunded_answer_lost',
    description: 'Refunded, but the connection drops before the answer. A look-up says yes.',
  },
  {
    cents: '62',
    outcome: 'timeout_after_acting',
    description: 'Refunded, but no answer for 30 seconds. A look-up says yes.',
  },
  {
    cents: '63',
    outcome: 'timeout_without_acting',
    description: 'Nothing happens, and no answer for 30 seconds. A look-up knows nothing of it.',
  },
  { cents: '64', outcome: 'error_after_acting', description: 'Refunded, then answers 500. A look-up says yes.' },
  { cents: '65', outcome: 'garbage', description: 'Refunded, then answers what nobody can read. A look-up says yes.' },
  {
    cents: '71',
    outcome: 'lookup_pending_then_refunded',
    description: 'Refunded, the answer lost. The look-up says "in progress" twice, then yes.',
  },
  {
    cents: '72',
    outcome: 'lookup_no_then_refunded',
    description: 'Refunded, the answer lost. The first look-up says no, the next say yes.',
  },
  {
    cents: '73',
    outcome: 'lookup_unavailable',
    description: 'Refunded, the answer lost. Look-ups are never answered: somebody has to find out.',
  },
  { cents: '81', outcome: 'slow_success', description: 'Refunded, answered after three seconds.' },
];

/** The outcome that the cents of an amount select. In a currency without cents the last two digits count. */
export function outcomeOf({ amount, currency }: { amount: Amount; currency: string }): Outcome {
  const [whole = '', fraction = ''] = formatAmount(amount).split('.');
  const cents = minorDigits(currency) === 0 ? whole.slice(-2) : fraction.slice(0, 2);
  return centsTable.find((row) => row.cents === cents)?.outcome ?? 'approved';
}
