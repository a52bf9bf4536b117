import { isOver, type FollowedLayaway } from '../../domain/layaways/followed-layaway.ts';
import { markdownLiteral } from '../../domain/markdown-literal.ts';
import { zero, type Amount } from '../../domain/money/amount.ts';
import { moneyText } from '../../domain/money/money-text.ts';
import type { Command } from '../../domain/command.ts';

/** A request, as the page shows it. */
export interface AskedOfLayaway extends Pick<Command, 'by' | 'requestId'> {
  verb: string;
  amount?: Amount;
  paymentMethod?: string;
}

/** What was asked for last, and the refusal where it was refused. */
export interface LastOf {
  lastRequest: AskedOfLayaway | null;
  lastRefusal: string | null;
}

/** The text of the workflow's page: the state of the layaway, what it waits for, what can be done. */
export function layawayDetails(layaway: FollowedLayaway, { lastRequest, lastRefusal }: LastOf): string {
  const lines = [
    `### Layaway of order ${markdownLiteral(layaway.orderIncrementId)} is **${layaway.status ?? 'none'}**`,
    '',
  ];
  if (lastRequest !== null) lines.push(`- Last request: ${requestText(lastRequest, layaway.currencyCode)}`);
  if (lastRefusal !== null) lines.push(`- Last refusal: ${markdownLiteral(lastRefusal)}`);
  lines.push(`- ${nextStep(layaway)}`);
  lines.push(`- The whole story: \`npm run pos -- explain order ${layaway.orderId}\``);
  return lines.join('\n');
}

/** Names and methods come from outside. */
function requestText({ verb, by, requestId, amount, paymentMethod }: AskedOfLayaway, currencyCode: string): string {
  const paid =
    amount === undefined || paymentMethod === undefined
      ? ''
      : ` of ${markdownLiteral(moneyText(amount, currencyCode))} by ${markdownLiteral(paymentMethod)}`;
  return `${verb}${paid}, asked by ${markdownLiteral(by)} (request ${markdownLiteral(requestId)})`;
}

function nextStep(layaway: FollowedLayaway): string {
  const { status, state, orderId, balanceOwed, currencyCode, expiresAt } = layaway;
  const owed = markdownLiteral(moneyText(balanceOwed, currencyCode));
  const pay = `\`POST /V1/pos/layaways/${orderId}/payments\``;
  const cancel = `\`POST /V1/pos/layaways/${orderId}/cancel\``;
  if (isOver(layaway)) return 'Finished. Nothing more happens here.';
  const isPaid = balanceOwed === zero;
  if (status === 'ready_to_settle' || (isPaid && state === 'pending_payment'))
    return 'Paid in full. Waits to be settled: the register pays its open invoice and hands the goods over.';
  // Collecting credit due pays a layaway without its own verbs, so its status does not show it (spec 4.6).
  if (isPaid)
    return `Paid in full, so it never expires and cannot be cancelled: its goods must be handed over (\`POST /V1/order/${orderId}/ship\`).`;
  if (status === 'stale')
    return `Overdue since ${expiresAt ?? 'unknown'}, ${owed} owed: take it (${pay}) or cancel (${cancel}).`;
  const until = expiresAt === null ? 'It never expires' : `It expires at ${expiresAt} and is flagged stale then`;
  return `Waits for payments (${pay}); ${owed} is owed. ${until}.`;
}
