import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { none, type Quantity } from '../../domain/money/quantity.ts';
import { inspectionByCondition, type Inspection } from '../../domain/returns/inspection.ts';
import { refuseWrongLines } from '../../domain/returns/named-lines.ts';
import { isTerminal, type ReturnStatus } from '../../domain/returns/return-status.ts';
import { findLocation, type LocationRow } from '../locations/location.repository.ts';
import { changeStatus } from './change-status.ts';
import { receiveGoods } from './receive-goods.ts';
import { refuseUnlessReady } from './refuse-unless-quiet.ts';
import { changeReturn, type LockedReturn, type OperationOnReturn, type ReturnLine } from './lock-return.ts';

/** A line as received at the counter. */
export interface ReceivedLine {
  rmaItemId: number;
  /** Null: not inspected; the line's own condition decides where the goods go. */
  inspection: Inspection | null;
  /** The customer's word for the condition, where it was sent; null keeps the line's own. */
  condition: string | null;
  /** Null: the quantity requested. */
  qtyReceived: Quantity | null;
  /** Null: as set before, by the create or by a provider that keeps the goods. */
  returnToStock: boolean | null;
}

export interface Receiving extends OperationOnReturn {
  locationId: number;
  lines: readonly ReceivedLine[];
}

/**
 * Receives the goods of an approved return at a location; the condition decides where each line goes (spec 4.8
 * receive).
 *
 * A line that is not named did not come: nothing of it is restocked, but the refund still follows the approved
 * quantity (spec 4.8 quantity contract). Safe to repeat: the same receive is answered unchanged, and so is a final
 * status.
 *
 * Refused with: 404 unknown return, unknown location · 400 any status but approved, a wrong line, no destination for
 * a line · 409 `return_not_ready` · 503 too late.
 */
export const receiveReturn = (em: EntityManager, receiving: Receiving): Promise<{ status: ReturnStatus }> =>
  changeReturn(em, receiving, async (tx, { order, rma, done, refuseLate }) => {
    if (done || isTerminal(rma.status) || wasReceived(rma, receiving)) return { status: rma.status };
    refuseUnlessReady(rma);
    if (rma.status !== 'approved')
      throw invalid('The goods of a return in status "%1" cannot be taken in; it has to be approved.', [rma.status]);
    refuseLate();
    const location = await findLocation(tx, receiving.locationId);
    refuseWrongLines(
      rma.items.map(({ entityId }) => entityId),
      receiving.lines.map(({ rmaItemId }) => rmaItemId),
    );
    rma.locationId = receiving.locationId;
    for (const item of rma.items) note(item, lineOf(receiving, item), location);
    await changeStatus(tx, rma, 'items_received');
    await receiveGoods(tx, { order, rma });
    return { status: rma.status };
  });

const lineOf = ({ lines }: Receiving, { entityId }: ReturnLine) =>
  lines.find(({ rmaItemId }) => rmaItemId === entityId);

function note(
  item: ReturnLine,
  line: ReceivedLine | undefined,
  { damaged_stock_source_code: damagedShelf }: LocationRow,
): void {
  item.condition = line?.condition ?? item.condition;
  const implied = inspectionByCondition(item.condition, { hasDamagedShelf: damagedShelf !== null });
  item.inspectedCondition = line ? (line.inspection ?? implied) : null;
  item.qtyReceived = line ? line.qtyReceived : none;
  item.returnToStock = line?.returnToStock ?? item.returnToStock;
}

/** The same receive ran before, and its answer was lost. */
const wasReceived = (rma: LockedReturn, receiving: Receiving) =>
  rma.status === 'items_received' &&
  rma.locationId === receiving.locationId &&
  rma.items.every((item) => {
    const line = lineOf(receiving, item);
    return (
      wasInspectedSo(item, line) &&
      item.qtyReceived === (line ? line.qtyReceived : none) &&
      item.returnToStock === (line?.returnToStock ?? item.returnToStock)
    );
  });

/** The inspection as sent; where none was sent, as the condition decides now: sources may have changed since. */
const wasInspectedSo = ({ inspectedCondition, condition }: ReturnLine, line: ReceivedLine | undefined) =>
  inspectedCondition === (line?.inspection ?? null) ||
  (line?.inspection === null && inspectedCondition === inspectionByCondition(condition, { hasDamagedShelf: true }));
