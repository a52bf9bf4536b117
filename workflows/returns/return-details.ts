import type { ReturnSnapshot } from '../../activities/returns/return-snapshot.ts';
import { markdownLiteral } from '../../domain/markdown-literal.ts';
import { isTerminal, type ReturnStatus } from '../../domain/returns/return-status.ts';
import type { ReturnView } from './messages.ts';

type Shown = ReturnSnapshot & { returnId: number };

/** The text of the workflow's page: the status of the return, what it waits for, how much, and what can be done. */
export function returnDetails(rma: Shown, { lastRefusal, lastAskedBy }: ReturnView): string {
  const lines = [
    `### Return ${markdownLiteral(rma.incrementId)} of order ${markdownLiteral(rma.orderIncrementId)} is **${rma.status}**`,
    '',
    `- ${nextStep(rma)}`,
  ];
  if (!isTerminal(rma.status) && rma.amount !== null) lines.push(`- ${moneyOf(rma, rma.amount)}`);
  if (lastAskedBy !== null) lines.push(`- Last asked by: ${markdownLiteral(lastAskedBy)}`);
  if (lastRefusal !== null) lines.push(`- Last refusal: ${markdownLiteral(lastRefusal)}`);
  lines.push(`- The whole story: \`npm run pos -- explain return ${rma.returnId}\``);
  return lines.join('\n');
}

const moneyOf = ({ refundMethod }: Shown, amount: string) =>
  `${markdownLiteral(amount)} is to go back${refundMethod === null ? '' : ` by \`${refundMethod}\``}, before goodwill and fees.`;

function nextStep(rma: Shown): string {
  if (isTerminal(rma.status)) return 'Finished. Nothing more happens here.';
  if (rma.attemptId !== null) {
    return `Waits for refund attempt ${rma.attemptId}: while nobody knows what became of it, the workflow \`refund-attempt-${rma.attemptId}\` is open; resolve it there.`;
  }
  if (!rma.isReady)
    return `Its creation is not finished yet and is retried every minute. If its history says why it is held, fix that, or close it: \`POST /V1/pos/rma/${rma.returnId}/close\`.`;
  return waits[rma.status] ?? 'Waits for the shop to approve it or to refuse it.';
}

/** What each open status waits for, apart from a decision. */
const waits: Partial<Record<ReturnStatus, string>> = {
  approved: 'Waits for its goods: they are received at a location.',
  received: 'Its goods are in, its refund was cancelled: it waits to be settled, resolved or closed.',
  received_partially: 'Its goods are in: it waits to be settled, resolved or closed.',
  items_received: 'Its goods are in: it waits to be settled, resolved or closed.',
  awaiting_refund: 'Waits for a cashier to settle it at the register.',
};
