import type { AttemptRow, AuditRow, CommentRow, MovementRow, ReturnRow, SaleTold } from './sale-rows.ts';
import { event, type StoryEvent } from './story.ts';

/** A return: the request, goods received, comments, changes of status. Its refunds have events of their own. */
export function returnEvents(
  rma: ReturnRow,
  { audits, attempts, w }: Pick<SaleTold, 'audits' | 'attempts' | 'w'>,
): StoryEvent[] {
  const workflow = `return-${rma.returnId}`;
  return [
    event({ at: rma.at, who: rma.locationName, what: w.returnMade(rma.incrementId, asked(rma, w)), workflow }),
    ...rma.movements.map((movement) => event({ at: movement.at, what: movementText(movement, w), workflow })),
    ...rma.comments
      .filter((comment) => !attempts.some((attempt) => reportsOutcome(comment, attempt)))
      .map(({ at, author, comment }) => event({ at, who: author, what: w.said(comment), workflow })),
    ...audits
      .filter(({ returnId }) => returnId === rma.returnId)
      .map((audit) => event({ at: audit.at, who: whoOf(audit), what: auditText(audit, w), workflow })),
    ...(rma.refundDifference === null ? [] : [event({ at: rma.updatedAt, what: rma.refundDifference, workflow })]),
  ];
}

const atOnceMs = 1_000;

/** The comment written with an attempt's final outcome: the attempt's event shows it already. */
const reportsOutcome = ({ at, comment }: CommentRow, { attemptId, updatedAt }: AttemptRow) =>
  new RegExp(`refund attempt ${attemptId}\\b`, 'i').test(comment) &&
  Math.abs(Date.parse(at) - Date.parse(updatedAt)) < atOnceMs;

/** `1 × Mug (MUG), "Too small", by register sale abc` */
function asked({ lines, posSaleId }: ReturnRow, w: SaleTold['w']): string {
  const described = lines.map(({ qty, name, sku, reason }) => {
    const because = reason === null ? '' : w.because(reason);
    return `${w.qty(qty)} × ${name ?? sku} (${sku})${because}`;
  });
  return `${described.join('; ') || w.noGoods}${posSaleId === null ? '' : w.bySale(posSaleId)}`;
}

function movementText({ kind, sku, qty, sourceCode, inspectedCondition }: MovementRow, w: SaleTold['w']): string {
  const goods = `${w.qty(qty)} × ${sku}${inspectedCondition === null ? '' : `, ${w.condition(inspectedCondition)},`}`;
  return w.moved({ goods, isBack: kind === 'closed', source: sourceCode });
}

const whoOf = ({ staffName, terminalName, changeSource }: AuditRow) =>
  [staffName, terminalName].filter((name) => name !== null).join(', ') || changeSource.replaceAll('_', ' ');

const auditText = ({ fieldName, oldValue, newValue }: AuditRow, w: SaleTold['w']) =>
  w.changed(fieldName, oldValue ?? '', newValue ?? '');
