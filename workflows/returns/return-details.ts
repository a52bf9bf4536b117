import type { ReturnSnapshot } from '../../activities/returns/return-snapshot.ts';
import { markdownLiteral } from '../../domain/markdown-literal.ts';
import { isTerminal, type ReturnStatus } from '../../domain/returns/return-status.ts';

/** The text of the workflow's page: the status of the return, what it waits for, what can be done. */
export function returnDetails(rma: ReturnSnapshot, lastRefusal: string | null): string {
  const lines = [
    `### Return ${markdownLiteral(rma.incrementId)} of order ${markdownLiteral(rma.orderIncrementId)} is **${rma.status}**`,
    '',
  ];
  if (lastRefusal !== null) lines.push(`- Last refusal: ${markdownLiteral(lastRefusal)}`);
  lines.push(`- ${nextStep(rma)}`);
  lines.push(`- The whole story: \`npm run pos -- explain return ${rma.returnId}\``);
  return lines.join('\n');
}

function nextStep(rma: ReturnSnapshot): string {
  if (isTerminal(rma.status)) return 'Finished. Nothing more happens here.';
  if (rma.attemptState === 'uncertain') {
    return `Waits for refund attempt ${rma.attemptId ?? ''}: open the workflow \`refund-attempt-${rma.attemptId ?? ''}\` and resolve it there.`;
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
