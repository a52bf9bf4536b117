import { z } from 'zod';
import type { OrderHook } from '../../../db/platform/orders/saved-order.ts';
import { updateOrder } from '../../../db/platform/update-order.ts';
import { cancelOrder, type CancelHook } from '../../../db/platform/orders/cancel-order.ts';
import { holdOrder } from '../../../db/platform/orders/hold-order.ts';
import type { SavedOrder } from '../../../db/platform/orders/saved-order.ts';
import type { PostedOrder } from '../../../db/platform/orders/posted-order.ts';
import { readOrder, searchOrders } from '../../../db/platform/orders/read-order-items.ts';
import { refuseCardData } from '../../../domain/card-data.ts';
import {
  cancelledOrderStays,
  cancelsByLayaway,
  cancelsNothing,
  cancelsOnlyAPart,
  holdNotAvailable,
  layawayTermsStay,
  stateNotSavable,
  statusOfAnotherState,
  uniqueConstraintViolated,
} from '../../../domain/refusals/documents.ts';
import { providerDidNotSay, refundUnderWay } from '../../../domain/refusals/money.ts';
import { attributeNameNotValid, fieldNotKnown, idRequired } from '../../../domain/refusals/platform.ts';
import { refusal } from '../../../domain/refusals/refusal.ts';
import type { Log } from '../../../providers/log.ts';
import { listRoute, requestIdWord } from '../../http/route-kinds.ts';
import { done, route, type Caller, type Outcome, type RouteContext } from '../../http/route.ts';
import { markReplayed } from '../../http/within.ts';
import { posTendersDiffer, posTendersOfLayaway } from '../../../domain/refusals/tenders.ts';
import { cardNumber, invalidField, unknownOrder } from '../../wire/outcomes.ts';
import { idParam } from '../../wire/schemas.ts';
import { orderAnswer, renderOrder } from './order-answer.ts';
import { orderPayload, salePayload, toPostedOrder } from './order-payload.ts';

/** What other features do when an order is saved and the transaction has ended. Never fails, never waits. */
export type AfterOrderSave = (order: SavedOrder, context: Pick<RouteContext, 'workflows' | 'log'>) => void;

/** Places a new order in its own transaction, with the hooks of other features, and with `noted` last. */
export type PlaceOrder = (posted: PostedOrder, context: RouteContext, noted: OrderHook) => Promise<SavedOrder>;

export interface OrderSaving {
  /** What other features do in the transaction that changes an order. */
  hooksFor: (log: Log, caller: Caller) => readonly OrderHook[];
  /** What other features do when a save cancels an order. */
  cancelHooksFor: (caller: Caller) => readonly CancelHook[];
  place: PlaceOrder;
  afterSave: AfterOrderSave;
}

const words = {
  '/V1/orders': {
    name: 'placeOrder',
    description: `Places the order of a sale, with its lines, addresses and payment, or changes the one of
\`entity_id\`: what you
      leave out stays. Nothing is worked out: send the figures of the sale. The goods are promised, a layaway gets its
open
      invoice, the number is drawn where none is sent. \`extension_attributes.pos_sale_id\` is the sale: posted again it
is
      answered as it is. Without it, and without an \`Idempotency-Key\`, a repeat places another order. Credit in
      \`pos_applied_credits\` is taken with the order. Amounts with \`base_\` are in the base currency, all others in
the
      order’s.`,
  },
  '/V1/orders/create': {
    name: 'saveOrder',
    description: `The same as \`POST /V1/orders\`, by another verb: the platform has both.`,
  },
} as const;

/** Refusals of both routes. */
const outcomes: readonly Outcome[] = [
  posTendersDiffer,
  posTendersOfLayaway,
  unknownOrder,
  fieldNotKnown,
  invalidField(
    'Figures contradict each other, or the order names what does not exist.',
    'Correct the field. The same order is refused again.',
  ),
  uniqueConstraintViolated.because(
    'Another order has the `increment_id`.',
    'Leave the number out: the server draws one.',
  ),
  {
    status: 400,
    message: 'Not paid with …',
    when: 'A credit of `pos_applied_credits` is not there, or not enough: the sentence says which. Nothing was sold.',
    then: 'Ask `POST /V1/pos/credits/applicable` again.',
  },
  cancelledOrderStays,
  stateNotSavable,
  statusOfAnotherState,
  cancelsByLayaway,
  cancelsNothing,
  cancelsOnlyAPart,
  holdNotAvailable,
  layawayTermsStay,
  refundUnderWay,
  {
    status: 409,
    code: 'sale_order_conflict',
    message: 'The sale is already order 000000007, with other content.',
    when: 'The `pos_sale_id` belongs to an order that was posted otherwise.',
    then: 'Show the sentence. The register made one id twice.',
  },
  providerDidNotSay,
  cardNumber,
];

const noAddress = refusal(400, 'Please provide billing address for the order.', {
  when:
    'The address of a new order is null, or by `PUT` it is not sent or has no name. A sale with its `pos_sale_id` ' +
    'needs none.',
});

const noItems = refusal(400, 'Please specify order items.', {
  when: 'A new order has no lines. A sale with its `pos_sale_id` needs none.',
});

/**
 * The two routes that save an order (platform facts 5.1): a new one as posted, or with `entity_id` the sent fields of
 * an existing one. `afterSave` runs after the transaction.
 */
export function saveOrderRoutes({ hooksFor, cancelHooksFor, place, afterSave }: OrderSaving) {
  const save = (method: 'POST' | 'PUT', path: '/V1/orders' | '/V1/orders/create') =>
    route({
      method,
      path,
      acl: 'Platform_Sales::create',
      summary: 'Place or change an order',
      ...words[path],
      outcomes: [...outcomes, noAddress, ...(method === 'PUT' ? [noItems] : [])],
      headers: { read: [requestIdWord] },
      commits: 'several',
      body: z.object({ entity: method === 'POST' ? salePayload : orderPayload }),
      response: orderAnswer,

      async handle(context) {
        const { em, log, caller, workflows, operation } = context;
        const { entity } = context.body;
        // An earlier run of this request stopped after its commit.
        if (operation.madeBefore !== null) return renderOrder(await readOrder(em, operation.madeBefore));
        if (entity.entityId === undefined) refuseHalfAnOrder(entity, method);
        const posted = toPostedOrder(entity);
        for (const text of textsOf(posted)) refuseCardData(text ?? undefined);
        const noted: OrderHook = (tx, { orderId }) => operation.made(tx, orderId);
        const saved =
          entity.entityId === undefined
            ? await place(posted, context, noted)
            : await updateOrder(em, entity.entityId, {
                posted,
                hooks: [...hooksFor(log, caller), noted],
                cancelHooks: cancelHooksFor(caller),
              });
        if (saved.isReplayed) markReplayed(context);
        afterSave(saved, { workflows, log });
        return renderOrder(await readOrder(em, saved.orderId));
      },
    });
  return [save('POST', '/V1/orders'), save('PUT', '/V1/orders/create')];
}

/** The texts that people write, and the one payment field that often gets a whole card number. */
const textsOf = ({ columns, payment, comments = [] }: PostedOrder) => [
  columns.customerNote,
  payment?.ccLast4,
  ...comments.map(({ comment }) => comment),
];

/**
 * As later versions of the platform do for `PUT orders/create` (platform facts 14). A register's sale, which has its
 * own id, needs no address; nor does `POST /V1/orders`, but it takes none that is null.
 */
function refuseHalfAnOrder(
  { billingAddress, items, extensionAttributes }: z.output<typeof orderPayload>,
  method: 'POST' | 'PUT',
): void {
  if (extensionAttributes?.posSaleId) return;
  if (billingAddress === null) throw noAddress();
  if (method === 'POST') return;
  if (!billingAddress?.firstname || !billingAddress.lastname) throw noAddress();
  if (items === undefined || items.length === 0) throw noItems();
}

/** Holds an order until it is released (platform facts 5.4). */
export const holdOrderRoute = route({
  method: 'POST',
  path: '/V1/orders/:id/hold',
  acl: 'Platform_Sales::hold',
  summary: 'Hold an order',
  name: 'holdOrder',
  description: `Stops the order until \`unhold\`.`,
  outcomes: [unknownOrder, idRequired, holdNotAvailable, refundUnderWay],
  params: z.object({ id: idParam }),
  response: z.literal(true),

  handle: ({ em, params: { id } }) => done(holdOrder(em, id)),
});

/**
 * Makes the route that cancels; `hooksFor` makes what other features do in the same transaction.
 *
 * Cancels what is left of an order; `false`, with 200, when nothing can be cancelled (platform facts 5.4).
 */
export const cancelOrderRoute = (hooksFor: (caller: Caller) => readonly CancelHook[]) =>
  route({
    method: 'POST',
    path: '/V1/orders/:id/cancel',
    acl: 'Platform_Sales::cancel',
    summary: 'Cancel an order',
    name: 'cancelOrder',
    description: `Cancels what is left of the order and frees its goods. The answer is \`false\`, with 200, where
      nothing can be cancelled: an order that is paid in full, over, or cancelled already.`,
    outcomes: [unknownOrder, idRequired, refundUnderWay],
    params: z.object({ id: idParam }),
    response: z.boolean(),

    handle: ({ em, params: { id }, caller }) => cancelOrder(em, id, hooksFor(caller)),
  });

/** One order with lines, payment, addresses and history (platform facts 5.2). */
export const getOrder = route({
  method: 'GET',
  path: '/V1/orders/:id',
  acl: 'Platform_Sales::actions_view',
  summary: 'One order',
  name: 'getOrder',
  description: `With lines, payment, addresses and history. Totals of lines are net of discount, as the platform
    answers them.`,
  outcomes: [unknownOrder, idRequired],
  params: z.object({ id: idParam }),
  response: orderAnswer,

  handle: async ({ em, params: { id } }) => renderOrder(await readOrder(em, id)),
});

/** Searches orders by any column, layaways also by `pos_layaway_status` (platform facts 3.2, 12.4). */
export const listOrders = listRoute({
  path: '/V1/orders',
  acl: 'Platform_Sales::actions_view',
  summary: 'Orders',
  name: 'listOrders',
  description: `By every column of an order, \`pos_layaway_status\` among them. The most that one answer has is
    10,000. \`searchCriteria\` is required: send \`searchCriteria[current_page]=1\` for all.`,
  outcomes: [attributeNameNotValid],
  answer: orderAnswer,
  find: searchOrders,
  render: renderOrder,
});
