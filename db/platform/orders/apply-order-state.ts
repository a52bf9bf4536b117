import type { EntityManager } from '@mikro-orm/postgresql';
import {
  awaitsPayment,
  defaultStatus,
  stateAfterDocument,
  stateAfterShipment,
  stateOnSave,
  type OrderFigures,
  type OrderState,
} from '../../../domain/platform/order-state.ts';
import { hasRefundUnderWay } from '../../../domain/platform/refund-under-way.ts';
import { Invoice, invoiceStates } from '../invoices/invoice.entity.ts';
import { type LockedOrder } from './lock-order.ts';
import { integer, text } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { OrderStatusState } from './order-status.entity.ts';

/** What changed the order: a new document, or a save of the order itself. */
export type OrderEvent = 'invoice' | 'refund' | 'shipment' | 'save';

/**
 * Moves a locked order to the state that follows from its figures: first by the document's rule, then by the rule of
 * every save (platform facts 5.3). Call it last, when lines and totals are final. A repeat changes nothing.
 *
 * After a refund, a merchant's own status stays if it belongs to the new state. Every other move takes the default
 * status.
 */
export async function applyOrderState(em: EntityManager, order: LockedOrder, event: OrderEvent): Promise<void> {
  const keepsOwnStatus = event === 'refund';
  const figures = figuresOf(order);
  const isOpen = await hasOpenInvoice(em, order.entityId, figures);
  const next = stateAfter(figures, event, isOpen);
  if (event === 'invoice' || event === 'refund' || next !== order.state) await move(em, order, next, keepsOwnStatus);
  const saved = stateOnSave(figuresOf(order), isOpen);
  if (saved !== order.state) await move(em, order, saved, keepsOwnStatus);
}

/**
 * The figures of an order and its lines that decide its state. A part of a set does not count: it follows its parent
 * line.
 */
export const figuresOf = (order: LockedOrder): OrderFigures => ({
  state: order.state,
  isVirtual: order.isVirtual,
  orderCurrencyCode: order.orderCurrencyCode,
  grandTotal: order.grandTotal,
  baseGrandTotal: order.baseGrandTotal,
  totalPaid: order.totalPaid,
  totalRefunded: order.totalRefunded,
  adjustmentPositive: order.adjustmentPositive,
  adjustmentNegative: order.adjustmentNegative,
  differenceRefunded: order.differenceRefunded,
  hasRefundUnderWay: hasRefundUnderWay(order),
  lines: order.lines.filter((line) => line.parentItemId == null),
});

function stateAfter(figures: OrderFigures, event: OrderEvent, hasOpen: boolean): OrderState {
  if (event === 'invoice' || event === 'refund') return stateAfterDocument(figures, event, hasOpen);
  return event === 'shipment' ? stateAfterShipment(figures.state) : figures.state;
}

async function move(em: EntityManager, order: LockedOrder, state: OrderState, keepsOwnStatus: boolean) {
  if (state === 'pending_payment') return;
  order.state = state;
  if (keepsOwnStatus && (await belongsTo(em, order.status, state))) return;
  order.status = defaultStatus[state];
}

const belongsTo = async (em: EntityManager, status: string, state: OrderState) =>
  status === defaultStatus[state] || (await findStatus.first(em, { status, state })) !== undefined;

const findStatus = statement({
  takes: { status: text, state: text },
  gives: of(OrderStatusState, 'status'),
  text: 'select status from sales_order_status_state where status = $status and state = $state',
});

/** Reads the database only when the result can matter. */
const hasOpenInvoice = async (em: EntityManager, orderId: number, figures: OrderFigures) =>
  awaitsPayment(figures, true) && (await findOpenInvoice.first(em, { orderId })) !== undefined;

const findOpenInvoice = statement({
  takes: { orderId: integer },
  gives: of(Invoice, 'entityId'),
  text: `select entity_id from sales_invoice where order_id = $orderId and state = ${invoiceStates.open} limit 1`,
});
