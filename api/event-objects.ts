import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import { findReceipt } from '../db/receipts/receipt.repository.ts';
import { findRefundAttempt } from '../db/refunds/refund-attempt.repository.ts';
import { findReturn } from '../db/returns/return.repository.ts';
import { noSuchProduct, readProductsById } from '../db/platform/catalog/read-products.ts';
import { readCustomer } from '../db/platform/customers/read-customers.ts';
import { readOrder } from '../db/platform/orders/read-order-items.ts';
import { readWholeSession } from '../db/register-sessions/read-sessions.ts';
import { findBalance } from '../db/store-credit/read-balance.ts';
import type { SecretBox } from '../db/support/secret-box.ts';
import { findTerminal } from '../db/terminals/read-terminals.ts';
import { PosError } from '../domain/errors.ts';
import { withoutSecrets, eventName, type ObjectKind, type ReportedEvent } from '../domain/events.ts';
import type { Acl, StoreScope } from './http/route.ts';

import { orderAnswer, renderOrder } from './platform/orders/order-answer.ts';
import { productAnswer, readWholeProduct } from './platform/products/render-product.ts';
import { receiptAnswer, renderReceipt } from './receipts/render-receipt.ts';
import { refundAttemptAnswer, renderRefundAttempt } from './refunds/refund-attempts.ts';
import { renderWholeSession, sessionAnswer } from './register-sessions/session-answers.ts';
import { renderReturn, returnAnswer } from './returns/returns.ts';
import { readStoreScopes } from '../db/platform/stores/read-store-scopes.ts';
import { balanceAnswer, renderBalance } from './store-credit/render-balance.ts';
import { renderTerminal, terminalAnswer } from './wire/register/render-terminal.ts';
import { customerAnswer, renderCustomer } from './platform/customers/customer-payload.ts';

/** How the object of an event is shown, and who may see it: as by its own route. */
export interface EventObject {
  /** What the route of the object asks for. */
  acl: Acl;
  /** The route's answer; absent: the facts say all there is. */
  answer?: z.ZodType;
  read?: (em: EntityManager, event: ReportedEvent, store: StoreScope) => Promise<unknown>;
}

/** A receipt is shown without the token that opens its page. */
const noBox: SecretBox = { seal: () => '', open: () => '', digest: () => '', digests: () => [] };

/** As `/rest/all` shows it. */
const everyStore: StoreScope = { storeId: 0, websiteId: 0, code: 'all' };

/** The view whose own values an event tells of. Undefined: it tells of all views, or the view is deleted. */
async function viewOf(em: EntityManager, { facts }: ReportedEvent): Promise<StoreScope | undefined> {
  const { store_view: code } = facts;
  if (typeof code !== 'string') return undefined;
  const row = (await readStoreScopes(em)).find((one) => one.code === code);
  return row && { storeId: row.store_id, websiteId: row.website_id, code };
}

const numberIn = ({ facts }: ReportedEvent, name: string) => Number(facts[name]);
const idOf = ({ objectId }: ReportedEvent) => Number(objectId);

export const eventObjects: Readonly<Record<ObjectKind, EventObject>> = {
  order: {
    acl: 'Platform_Sales::actions_view',
    answer: orderAnswer,
    read: async (em, event) => renderOrder(await readOrder(em, idOf(event))),
  },
  return: {
    acl: 'Vendor_Pos::locations',
    answer: returnAnswer,
    // Codes of gift cards are left out: a reader of an event must not be able to spend them.
    read: async (em, event) => renderReturn({ ...(await findReturn(em, idOf(event))), newCards: [] }),
  },
  refund: {
    acl: 'Vendor_Pos::locations',
    answer: refundAttemptAnswer,
    read: async (em, event) => renderRefundAttempt(await findRefundAttempt(em, idOf(event))),
  },
  store_credit: {
    acl: 'Vendor_StoreCredit::balance_view',
    answer: balanceAnswer,
    read: async (em, event) =>
      renderBalance(await findBalance(em, numberIn(event, 'customer_id'), numberIn(event, 'website_id'))),
  },
  gift_card: { acl: 'Vendor_StoreCredit::balance_view' },
  reward_points: { acl: 'Vendor_StoreCredit::balance_view' },
  receipt: {
    acl: 'Vendor_Pos::receipts',
    answer: receiptAnswer,
    read: async (em, event) => {
      const { receipt, items } = await findReceipt(em, idOf(event));
      return renderReceipt(receipt, items, noBox);
    },
  },
  stock: { acl: 'Platform_InventoryApi::source' },
  customer: {
    acl: 'Platform_Customer::customer',
    answer: customerAnswer,
    read: async (em, event) => {
      const { row, addresses } = await readCustomer(em, idOf(event));
      return renderCustomer(row, addresses);
    },
  },
  terminal: {
    acl: 'Vendor_Pos::locations',
    answer: terminalAnswer,
    read: async (em, event) => renderTerminal(await findTerminal(em, idOf(event))),
  },
  register_session: {
    acl: 'Vendor_Pos::locations',
    answer: sessionAnswer,
    read: async (em, { objectId }) => renderWholeSession(await readWholeSession(em, objectId, { seesFigures: false })),
  },
  product: {
    acl: 'Platform_Catalog::products',
    answer: productAnswer,
    // By its id: it may have another sku since.
    read: async (em, event, store) => {
      const [row] = await readProductsById(em, [idOf(event)]);
      if (!row) throw noSuchProduct();
      return readWholeProduct(em, { sku: row.sku, store: (await viewOf(em, event)) ?? store });
    },
  },
  content: { acl: 'Platform_Cms::page' },
  endpoint: { acl: 'Vendor_Pos::events_manage' },
};

/** An event as the feed and the webhooks show it. */
export interface RenderedEvent {
  id: string;
  sequence: number;
  type: ReportedEvent['type'];
  version: number;
  timestamp: string;
  object: { kind: ObjectKind; id: string };
  facts: Readonly<Record<string, unknown>>;
  /** The object as its route answers it now; null: it is gone, or the facts say all there is. */
  data: unknown;
}

/**
 * Shows events with their objects; an object that several tell of is read once.
 *
 * @param store the view of the reader, for objects that differ between views; an event that tells of the values of one
 *   view shows that one
 */
export async function renderEvents(
  em: EntityManager,
  events: readonly ReportedEvent[],
  store: StoreScope = everyStore,
): Promise<RenderedEvent[]> {
  const read = new Map<string, Promise<unknown>>();
  const objectOf = (event: ReportedEvent) => {
    const key = `${event.objectKind} ${event.objectId} ${JSON.stringify(event.facts['store_view'])}`;
    const known = read.get(key);
    if (known) return known;
    const reading = readObject(em, event, store);
    read.set(key, reading);
    return reading;
  };
  const rendered: RenderedEvent[] = [];
  // One after another: a page of the feed must not take every connection.
  for (const event of events) rendered.push(show(event, await objectOf(event)));
  return rendered;
}

const show = (event: ReportedEvent, data: unknown): RenderedEvent => ({
  id: eventName(event.eventId),
  sequence: event.sequence,
  type: event.type,
  version: event.version,
  timestamp: event.occurredAt,
  object: { kind: event.objectKind, id: event.objectId },
  facts: event.facts,
  data,
});

async function readObject(em: EntityManager, event: ReportedEvent, store: StoreScope): Promise<unknown> {
  const { read } = eventObjects[event.objectKind];
  if (!read) return null;
  try {
    return withoutSecrets(await read(em, event, store));
  } catch (error) {
    // Deleted since.
    if (error instanceof PosError && error.status < 500) return null;
    throw error;
  }
}
