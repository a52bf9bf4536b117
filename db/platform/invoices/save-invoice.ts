import type { EntityManager } from '@mikro-orm/postgresql';
import { fieldRequired, invalid, invalidValue } from '../../../domain/errors.ts';
import { together } from '../../../domain/money/quantity.ts';
import type { WantedLine } from '../../../domain/platform/document-lines.ts';
import { applyOrderState } from '../orders/apply-order-state.ts';
import { withOwnNumber } from '../orders/draw-document-numbers.ts';
import { withOrder } from '../orders/lock-order.ts';
import { takeInvoiceBack } from './take-invoice-back.ts';
import { createInvoice } from './create-invoice.ts';
import { invoiceStates } from './invoice.entity.ts';
import { linesOfInvoice, type InvoiceRow } from './invoice.repository.ts';
import { withInvoice } from './lock-invoice.ts';
import { payOpened } from './mark-invoice-paid.ts';
import { releaseVirtual } from './release-virtual.ts';
import { openInvoice } from './open-invoice.ts';

export interface PostedInvoice {
  entityId?: number | undefined;
  orderId?: number | undefined;
  state?: number | undefined;
  items?: readonly WantedLine[] | undefined;
  /** Of a new invoice; absent: the next one. An invoice keeps the number it has. */
  incrementId?: string | undefined;
}

/**
 * Saves an invoice as `POST /V1/invoices` does (platform facts 6, 12.4).
 *
 * With an id: state 2 pays it and state 3 cancels it. An invoice in that state already is left as it is. Without an id:
 * writes a new invoice of an order, open unless the request asks for state 2. Its amounts are always calculated, never
 * taken from the request. Our choice: the platform stores what is sent, and then its books contradict each other.
 *
 * Refused with: 404 unknown invoice or order · 400 a state the invoice cannot reach, an order that cannot be invoiced, a
 * number that is taken; an invoice that is there and is sent as one of other goods, or as open again.
 *
 * @returns the invoice's id
 */
export async function saveInvoice(em: EntityManager, posted: PostedInvoice): Promise<number> {
  const { entityId, orderId, state = invoiceStates.open, items = [], incrementId } = posted;
  if (entityId !== undefined) {
    await changeState(em, entityId, posted);
    return entityId;
  }
  if (orderId === undefined) throw fieldRequired('orderId');
  const wanted = { items, incrementId };
  if (state === invoiceStates.paid) return withOwnNumber(incrementId, () => createInvoice(em, { orderId, ...wanted }));
  if (state !== invoiceStates.open) throw noSuchState(state);
  return withOwnNumber(incrementId, () =>
    withOrder(em, orderId, async (tx, order) => {
      const invoice = await openInvoice(tx, order, wanted);
      await applyOrderState(tx, order, 'save');
      return invoice.entityId;
    }),
  );
}

const changeState = (em: EntityManager, invoiceId: number, posted: PostedInvoice): Promise<void> =>
  withInvoice(em, invoiceId, async (tx, { order, invoice }) => {
    const { state } = posted;
    await refuseOtherInvoice(tx, invoice, posted);
    if (state === undefined || state === invoice.state) return;
    if (invoice.state === invoiceStates.canceled && Object.values<number>(invoiceStates).includes(state))
      throw registered();
    if (invoice.state !== invoiceStates.open) throw noSuchState(state);
    if (state === invoiceStates.paid) await payOpened(tx, order, invoice);
    else if (state === invoiceStates.canceled) await takeInvoiceBack(tx, order, invoice);
    else throw noSuchState(state);
    await applyOrderState(tx, order, 'save');
    if (state === invoiceStates.paid) await releaseVirtual(tx, order, invoice);
  });

/** What an invoice demands is counted once, when it is made: its order and its goods stay. */
async function refuseOtherInvoice(em: EntityManager, invoice: InvoiceRow, { orderId, items }: PostedInvoice) {
  if (orderId !== undefined && orderId !== invoice.orderId) throw registered();
  if (!items?.length) return;
  const own = await linesOfInvoice(em, invoice.entityId);
  const ids = new Set([...own, ...items].map(({ orderItemId }) => orderItemId));
  for (const id of ids) if (piecesOf(own, id) !== piecesOf(items, id)) throw registered();
}

const piecesOf = (lines: readonly WantedLine[], id: number) =>
  together(lines.flatMap(({ orderItemId, qty }) => (orderItemId === id ? [qty] : [])));

const registered = () => invalid('We cannot register an existing invoice');

const noSuchState = (value: number) => invalidValue('state', value);
