import {
  cancelsByLayaway,
  cancelsNothing,
  cancelsOnlyAPart,
  holdNotAvailable,
  stateNotSavable,
} from '../refusals/documents.ts';
import {
  awaitsPayment,
  canCancel,
  canHold,
  canInvoice,
  canShip,
  isReadyForInvoice,
  stateAfterCancel,
  type OrderFigures,
  type OrderState,
} from './order-state.ts';

/** An order before a save moves its state. */
export interface MovableOrder extends OrderFigures {
  orderId: number;
  /** Null: the order is no layaway. */
  layawayStatus: string | null;
  /** The state before the hold, of an order on hold. */
  heldState: OrderState | null;
  hasOpenInvoice: boolean;
}

/** What a save that sends a state does: the order's own verb, or a plain change between open states. */
export type StateMove = 'none' | 'cancel' | 'hold' | 'unhold' | 'set';

/**
 * How a save moves an order to the state that it sends (our choice; the stock platform stores any state). A state that
 * a verb leads to is reached by that verb, with all its effects; a state that follows from documents is accepted only
 * where the documents have led to it. A layaway's state follows from its payments.
 *
 * Refused with: 400 a state that no verb leads to from here, a cancellation that would leave a part of the order.
 */
export function moveBySave(order: MovableOrder, sent: OrderState | undefined): StateMove {
  if (sent === undefined || sent === order.state) return 'none';
  if (sent === 'canceled') return cancelBySave(order);
  if (sent === 'holded') {
    if (!canHold(order.state)) throw holdNotAvailable();
    return 'hold';
  }
  if (order.state === 'holded') {
    if (sent === order.heldState) return 'unhold';
    throw notSavable(order, sent);
  }
  if (!isReachable(order, sent)) throw notSavable(order, sent);
  return 'set';
}

function cancelBySave(order: MovableOrder): StateMove {
  const { layawayStatus, orderId } = order;
  if (layawayStatus !== null && layawayStatus !== 'cancelled') throw cancelsByLayaway([orderId]);
  if (!canCancel(order)) throw cancelsNothing();
  if (stateAfterCancel(order) !== 'canceled') throw cancelsOnlyAPart([orderId]);
  return 'cancel';
}

/** Only documents close an order, and none opens it again. A complete one may be processed further. */
function isReachable(order: MovableOrder, sent: OrderState): boolean {
  const { state } = order;
  if (state === 'closed' || sent === 'closed') return false;
  if (isWaitingLayaway(order)) return false;
  if (sent === 'complete') return isReadyForInvoice(state) && isDelivered(order);
  if (state === 'complete') return sent === 'processing';
  if (sent === 'payment_review') return isReadyForInvoice(state) && order.layawayStatus === null;
  // A layaway that was paid and settled does not become unpaid again.
  return sent !== 'pending_payment' || order.layawayStatus !== 'ready_to_settle';
}

/** Its payments and the capture of its invoice move it on. */
const isWaitingLayaway = ({ state, layawayStatus }: MovableOrder) =>
  state === 'pending_payment' && layawayStatus !== null && layawayStatus !== 'cancelled';

const isDelivered = (order: MovableOrder) =>
  !canInvoice(order) && !canShip(order) && !awaitsPayment(order, order.hasOpenInvoice);

const notSavable = ({ state }: MovableOrder, sent: OrderState) => stateNotSavable([state, sent]);
