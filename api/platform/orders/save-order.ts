import { z } from 'zod';
import type { OrderHook } from '../../../db/platform/order-saves/create-order.ts';
import type { PostedOrder } from '../../../db/platform/orders/posted-order.ts';
import { readOrder } from '../../../db/platform/orders/read-orders.ts';
import { updateOrder } from '../../../db/platform/order-saves/update-order.ts';
import type { SavedOrder } from '../../../db/platform/orders/insert-order.ts';
import { invalid } from '../../../domain/errors.ts';
import type { Log } from '../../../providers/log.ts';
import { refuseCardData } from '../../wire/refuse-card-data.ts';
import { route, type Caller, type Surroundings } from '../../http/route.ts';
import { tellReplay } from '../../http/tell-replay.ts';
import { orderAnswer } from './order-answer.ts';
import { orderPayload, toPostedOrder } from './order-payload.ts';
import { renderOrder } from './render-order.ts';

/** What others want to happen once an order is saved and the transaction is over. Never fails, never waits. */
export type AfterOrderSave = (order: SavedOrder, around: Pick<Surroundings, 'workflows' | 'log'>) => void;

/** Places a new order in a transaction of its own, with what others want to happen in it, and `noted` last. */
export type PlaceOrder = (posted: PostedOrder, around: Surroundings, noted: OrderHook) => Promise<SavedOrder>;

export interface OrderSaving {
  /** What others want to happen in the transaction that changes an order. */
  hooksFor: (log: Log, caller: Caller) => readonly OrderHook[];
  place: PlaceOrder;
  afterSave: AfterOrderSave;
}

/**
 * The two routes that save an order (platform facts 5.1): a new one as posted, or, with `entity_id`, what is sent of an
 * old one. `afterSave` happens when the transaction is over.
 *
 * Nothing is worked out. The goods are promised, a layaway gets its open invoice, the increment id is drawn where none is
 * sent. A sale (`pos_sale_id`) is one order: posted again, it is answered as it is. Without one, and without an
 * `Idempotency-Key`, a repeat places another order.
 *
 * Refused with: 400 an unknown key, figures that contradict each other, a taken increment id, no payment, card data in a comment
 * or a note (our choice) · 404 unknown order or store · 409 `sale_order_conflict`, the sale is another order.
 */
export function saveOrderRoutes({ hooksFor, place, afterSave }: OrderSaving) {
  const save = (method: 'POST' | 'PUT', path: '/V1/orders' | '/V1/orders/create') =>
    route({
      method,
      path,
      acl: 'Platform_Sales::create',
      summary: 'Place or change an order',
      commits: 'several',
      body: z.object({ entity: orderPayload }),
      response: orderAnswer,

      async handle({ body: { entity }, ...around }) {
        const { em, log, caller, workflows, operation } = around;
        // An earlier run of this request was cut off after its commit.
        if (operation.madeBefore !== null) return renderOrder(await readOrder(em, operation.madeBefore));
        if (method === 'PUT' && entity.entityId === undefined) refuseHalfAnOrder(entity);
        const posted = toPostedOrder(entity);
        for (const told of textsOf(posted)) refuseCardData(told ?? undefined);
        const noted: OrderHook = (tx, { orderId }) => operation.made(tx, orderId);
        const saved =
          entity.entityId === undefined
            ? await place(posted, around, noted)
            : await updateOrder(em, entity.entityId, { posted, hooks: [...hooksFor(log, caller), noted] });
        if (saved.isReplayed) tellReplay(around);
        afterSave(saved, { workflows, log });
        return renderOrder(await readOrder(em, saved.orderId));
      },
    });
  return [save('POST', '/V1/orders'), save('PUT', '/V1/orders/create')];
}

/** What people write, and the one field of a payment where a whole card number is easily put. */
const textsOf = ({ columns, payment, comments = [] }: PostedOrder) => [
  columns.customerNote,
  payment?.ccLast4,
  ...comments.map(({ comment }) => comment),
];

/**
 * As newer versions of the platform have it for `PUT orders/create` (platform facts 14). A register's sale, which has an id
 * of its own, and `POST /V1/orders` need no address.
 */
function refuseHalfAnOrder({ billingAddress, items, extensionAttributes }: z.output<typeof orderPayload>): void {
  if (extensionAttributes?.posSaleId) return;
  if (billingAddress === undefined) throw invalid('Please provide billing address for the order.');
  if (items === undefined || items.length === 0) throw invalid('Please specify order items.');
}
