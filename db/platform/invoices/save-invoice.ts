import type { EntityManager } from '@mikro-orm/postgresql';
import { fieldRequired, invalidValue } from '../../../domain/errors.ts';
import type { WantedLine } from '../../../domain/platform/document-lines.ts';
import { applyOrderState } from '../orders/apply-order-state.ts';
import { withOrder } from '../orders/lock-order.ts';
import { takeInvoiceBack } from './take-invoice-back.ts';
import { createInvoice } from './create-invoice.ts';
import { invoiceStates } from './invoice.entity.ts';
import { withInvoice } from './lock-invoice.ts';
import { payOpened } from './mark-invoice-paid.ts';
import { releaseVirtual } from './release-virtual.ts';
import { openInvoice } from './open-invoice.ts';

export interface PostedInvoice {
  entityId?: number | undefined;
  orderId?: number | undefined;
  state?: number | undefined;
  items?: readonly WantedLine[] | undefined;
}

/**
 * Saves an invoice as `POST /V1/invoices` does (platform facts 6, 12.4).
 *
 * With an id: state 2 pays it and state 3 cancels it. An invoice in that state already is left as it is. Without an id:
 * writes a new invoice of an order, open unless the request asks for state 2. Its amounts are always calculated, never
 * taken from the request. Our choice: the platform stores what is sent, and then its books contradict each other.
 *
 * Refused with: 404 unknown invoice or order · 400 a state the invoice cannot reach, or an order that cannot be
 * invoiced.
 *
 * @returns the invoice's id
 */
export async function saveInvoice(em: EntityManager, posted: PostedInvoice): Promise<number> {
  const { entityId, orderId, state = invoiceStates.open, items = [] } = posted;
  if (entityId !== undefined) {
    await changeState(em, entityId, posted.state);
    return entityId;
  }
  if (orderId === undefined) throw fieldRequired('orderId');
  if (state === invoiceStates.paid) return createInvoice(em, { orderId, items });
  if (state !== invoiceStates.open) throw noSuchState(state);
  return withOrder(em, orderId, async (tx, order) => {
    const invoice = await openInvoice(tx, order, items);
    await applyOrderState(tx, order, 'save');
    return invoice.entityId;
  });
}

const changeState = (em: EntityManager, invoiceId: number, state: number | undefined): Promise<void> =>
  withInvoice(em, invoiceId, async (tx, { order, invoice }) => {
    if (state === undefined || state === invoice.state) return;
    if (invoice.state !== invoiceStates.open) throw noSuchState(state);
    if (state === invoiceStates.paid) await payOpened(tx, order, invoice);
    else if (state === invoiceStates.canceled) await takeInvoiceBack(tx, order, invoice);
    else throw noSuchState(state);
    await applyOrderState(tx, order, 'save');
    if (state === invoiceStates.paid) await releaseVirtual(tx, order, invoice);
  });

const noSuchState = (value: number) => invalidValue('state', value);
