import type { EntityManager } from '@mikro-orm/postgresql';
import { defaultStatus, stateAfterHold, type OrderState } from '../../../domain/platform/order-state.ts';
import { moveBySave, type StateMove } from '../../../domain/platform/saved-state.ts';
import { refuseWhileRefundUnderWay } from '../../../domain/platform/save-guard.ts';
import { statusOfAnotherState } from '../../../domain/refusals/documents.ts';
import { figuresOf, hasOpenInvoice } from './add-order-comment.ts';
import { cancelLocked, type CancelHook } from './cancel-order.ts';
import { saveOrder, type LockedOrder } from './lock-order.ts';

/** State and status as a save sends them; undefined leaves them as they are. */
export interface SentState {
  state?: OrderState | undefined;
  status?: string | undefined;
}

/**
 * Moves a locked order to the state that a save sends, all of it but a cancellation: see `moveBySave`. The caller
 * saves the order, and then calls `cancelAsSaved` with the result.
 *
 * Refused with: 400 as `moveBySave`, a refund that is under way.
 */
export async function moveToSaved(
  em: EntityManager,
  order: LockedOrder,
  { state: sent, status }: SentState,
): Promise<StateMove> {
  const figures = figuresOf(order);
  const move = moveBySave(
    {
      ...figures,
      orderId: order.entityId,
      layawayStatus: order.posLayawayStatus || null,
      heldState: order.state === 'holded' ? stateAfterHold(order.holdBeforeState) : null,
      hasOpenInvoice: sent === 'complete' && (await hasOpenInvoice(em, order.entityId, figures)),
    },
    sent,
  );
  if (move !== 'none' && move !== 'cancel') setState(order, move, sent);
  if (status !== undefined && move !== 'cancel') order.status = status;
  return move;
}

function setState(order: LockedOrder, move: StateMove, sent: OrderState = order.state): void {
  refuseWhileRefundUnderWay(order);
  const [before, statusBefore] = [order.holdBeforeState, order.holdBeforeStatus];
  order.holdBeforeState = move === 'hold' ? order.state : null;
  order.holdBeforeStatus = move === 'hold' ? order.status : null;
  if (move === 'hold') order.status = defaultStatus.holded;
  if (move === 'unhold') order.status = (before === sent ? statusBefore : null) ?? defaultStatus[sent];
  order.state = sent;
}

/**
 * Cancels the order as its own verb does, after the save's other changes were written, and keeps the status that was
 * sent. Does nothing for other moves.
 */
export async function cancelAsSaved(
  em: EntityManager,
  order: LockedOrder,
  { move, status, hooks }: { move: StateMove; status: string | undefined; hooks: readonly CancelHook[] },
): Promise<void> {
  if (move !== 'cancel') return;
  await cancelLocked(em, order, hooks);
  order.status = status ?? order.status;
  await saveOrder(em, order);
}

/** Statuses that say an order has ended. */
const ended: readonly string[] = [defaultStatus.canceled, defaultStatus.closed];

/** Refused with: 400 a new status that says an order was cancelled or closed, where it was not. */
export function refuseStatusOfEnd(order: LockedOrder, before: string, { status }: SentState): void {
  if (status === undefined || status === before || !ended.includes(status)) return;
  if (status !== defaultStatus[order.state]) throw statusOfAnotherState([order.state, status]);
}
