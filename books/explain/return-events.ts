import { labelOf } from '../../domain/returns/return-status.ts';
import { qtyText } from './amount-text.ts';
import type { AttemptRow, AuditRow, CommentRow, MovementRow, ReturnRow, SaleRows } from './sale-rows.ts';
import { event, type StoryEvent } from './story.ts';

/** A return: the request, goods received, comments, changes of status. Its refunds have events of their own. */
export function returnEvents(
  rma: ReturnRow,
  { audits, attempts }: Pick<SaleRows, 'audits' | 'attempts'>,
): StoryEvent[] {
  const workflow = `return-${rma.returnId}`;
  return [
    event({ at: rma.at, who: rma.locationName, what: `Return ${rma.incrementId} was made: ${asked(rma)}.`, workflow }),
    ...rma.movements.map((movement) => event({ at: movement.at, what: movementText(movement), workflow })),
    ...rma.comments
      .filter((comment) => !attempts.some((attempt) => reportsOutcome(comment, attempt)))
      .map(({ at, author, comment }) => event({ at, who: author, what: `Said: "${comment}"`, workflow })),
    ...audits
      .filter(({ returnId }) => returnId === rma.returnId)
      .map((audit) => event({ at: audit.at, who: whoOf(audit), what: auditText(audit), workflow })),
    ...(rma.refundDifference === null ? [] : [event({ at: rma.updatedAt, what: rma.refundDifference, workflow })]),
  ];
}

const atOnceMs = 1_000;

/** The comment written with an attempt's final outcome: the attempt's event shows it already. */
const reportsOutcome = ({ at, comment }: CommentRow, { attemptId, updatedAt }: AttemptRow) =>
  new RegExp(`refund attempt ${attemptId}\\b`, 'i').test(comment) &&
  Math.abs(Date.parse(at) - Date.parse(updatedAt)) < atOnceMs;

/** `1 × Mug (MUG), "Too small", by register sale abc` */
function asked({ lines, posSaleId }: ReturnRow): string {
  const described = lines.map(({ qty, name, sku, reason }) => {
    const because = reason === null ? '' : `, because "${reason}"`;
    return `${qtyText(qty)} × ${name ?? sku} (${sku})${because}`;
  });
  return `${described.join('; ') || 'no goods'}${posSaleId === null ? '' : `; register sale ${posSaleId}`}`;
}

function movementText({ kind, sku, qty, sourceCode, inspectedCondition }: MovementRow): string {
  const what = `${qtyText(qty)} × ${sku}${inspectedCondition === null ? '' : `, ${inspectedCondition},`}`;
  if (kind === 'closed') {
    return sourceCode === null
      ? `${what} went back to the buyer; it had been written off, so no source gave it.`
      : `${what} went out of source "${sourceCode}" again, with the buyer.`;
  }
  return sourceCode === null
    ? `${what} came in and was written off.`
    : `${what} came in and went to source "${sourceCode}".`;
}

const whoOf = ({ staffName, terminalName, changeSource }: AuditRow) =>
  [staffName, terminalName].filter((name) => name !== null).join(', ') || changeSource.replaceAll('_', ' ');

const auditText = ({ fieldName, oldValue, newValue }: AuditRow) =>
  `${fieldName.replaceAll('_', ' ')} changed from "${oldValue ?? ''}" to "${newValue ?? ''}".`;

/** `Return 000000042: Awaiting Refund` */
export const statusText = ({ incrementId, status }: ReturnRow) => `Return ${incrementId}: ${labelOf(status)}`;
