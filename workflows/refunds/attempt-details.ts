import { markdownLiteral } from '../../domain/markdown-literal.ts';
import { minorDigits } from '../../domain/money/coins.ts';
import type { RefundAttemptState } from '../../domain/refunds/refund-attempt-state.ts';
import { refundAttemptId } from '../../domain/refunds/refund-attempt-id.ts';

export interface AttemptView {
  attemptId: number;
  orderId: number;
  orderIncrementId: string;
  returnId: number | null;
  /** The gateway's key for the attempt; absent in what older workers recorded. */
  merchantReference?: string;
  paymentMethod: string;
  state: RefundAttemptState;
  amount: number;
  currencyCode: string;
  message: string | null;
  /** The gateway reported the refund, but it could not be booked. */
  isUnbooked?: boolean;
  canLookUp: boolean;
  reconcileAfterSeconds: number;
}

export interface AttemptProgress {
  /** How often the gateway was asked again. */
  tries: number;
  /** An operator's answer that could not be read, as it was sent. */
  unread?: string | undefined;
}

/** The text of the workflow's page for operators, in Markdown: what is known, what to check, and the exact commands. */
export function attemptDetails(view: AttemptView, { tries, unread }: AttemptProgress): string {
  const amount = view.amount.toFixed(minorDigits(view.currencyCode));
  const what = `**${amount} ${markdownLiteral(view.currencyCode)}** for order ${markdownLiteral(view.orderIncrementId)} (${markdownLiteral(view.paymentMethod)})`;
  if (view.state === 'booked') return `The refund of ${what} went through and is booked.`;
  if (view.state === 'failed')
    return `The refund of ${what} did not go through. The ${view.returnId === null ? 'goods can be returned' : 'return can be settled'} again.`;
  const id = view.merchantReference ?? refundAttemptId(view.attemptId);
  return [
    ...(unread === undefined
      ? []
      : [
          `### Your answer was not understood, so nothing happened: ${markdownLiteral(unread)}`,
          'Send it again, as below: the resolution is `refunded` or `not_refunded`, and `staffName` is your name.',
          '',
        ]),
    ...(view.isUnbooked
      ? [
          `### The gateway gave ${what} back, and it is not booked`,
          'Fix what the last answer says, then ask the gateway again, or send `refunded`.',
        ]
      : [`### Did the customer get ${what} back?`, 'The gateway has not said.']),
    `Until this is known, nothing else is refunded ${view.returnId === null ? 'for these goods; they came back without a return' : `on return ${view.returnId}`}.`,
    '',
    `- Last answer: ${markdownLiteral(view.message ?? 'none')}`,
    `- ${view.canLookUp ? `Asked again ${tries} time${tries === 1 ? '' : 's'} so far; ` : ''}${nextQuestion(view)}`,
    '',
    `**What to do**: look for the reference \`${id}\` in the gateway's portal, then`,
    '',
    '1. here: *More Actions* → *Send an Update* → `resolve` → `{"resolution":"refunded","staffName":"…","note":"…"}` (or `"not_refunded"`). It answers at once, also where it cannot be read; the signal `resolve` answers only on this page. Or',
    `2. in a shell: \`npm run pos -- refunds resolve ${view.attemptId} refunded --staff "…" --note "…"\`${view.canLookUp ? ', or' : '.'}`,
    ...(view.canLookUp ? [`3. ask again: \`npm run pos -- refunds reconcile ${view.attemptId}\``] : []),
  ].join('\n');
}

function nextQuestion(view: AttemptView): string {
  if (!view.canLookUp) return 'This gateway keeps no records to ask for: a person must find out.';
  return view.reconcileAfterSeconds > 0
    ? 'the gateway is asked again automatically, less and less often.'
    : 'it is asked again only on request.';
}
