import { z } from 'zod';
import { deleteReturn } from '../../../db/returns/delete-return.ts';
import { readRma, searchRmas, type RmaRow } from '../../../db/returns/read-rmas.ts';
import { refuseCardData } from '../../../domain/card-data.ts';
import { quantityToWire, type Quantity } from '../../../domain/money.ts';
import { fieldRequired } from '../../../domain/errors.ts';
import { attributeNameNotValid, waitedTooLong, workflowsAway } from '../../../domain/refusals/platform.ts';
import {
  oneStatusForAllItems,
  returnNotDeletable,
  returnNotFound,
  tracksNotStored,
} from '../../../domain/refusals/returns.ts';
import { returnStatuses, type ReturnStatus } from '../../../domain/returns/return-status.ts';
import { refreshSignal } from '../../../workflows/returns/messages.ts';
import { returnId } from '../../../workflows/support/return-id.ts';
import { listRoute } from '../../http/route-kinds.ts';
import { route, type AnyRoute } from '../../http/route.ts';
import { listOfOne, toStockDate } from '../../wire/criteria.ts';
import { cardNumber, requiredField, unknownOrder } from '../../wire/outcomes.ts';
import { growing, idParam, quantity, recordId, text } from '../../wire/schemas.ts';
import { placeReturn, type ReturnPosted } from '../create-return.ts';
import { notEligible, refusedMoves, returnNotReady } from '../return-outcomes.ts';
import { moveReturn } from '../return-steps.ts';
import { choiceOf } from '../settle-return.ts';

const item = z
  .object({
    entity_id: z.int(),
    rma_entity_id: z.int(),
    order_item_id: z.int(),
    qty_requested: z.number(),
    qty_authorized: z.number().optional(),
    qty_approved: z.number().optional(),
    qty_returned: z.number().optional(),
    reason: z.string(),
    condition: z.string(),
    resolution: z.string(),
    status: z.string(),
  })
  .meta({ id: 'RmaItem' });

const comment = z
  .object({
    comment: z.string(),
    rma_entity_id: z.int(),
    created_at: z.string(),
    entity_id: z.int(),
    customer_notified: z.boolean(),
    visible_on_front: z.boolean(),
    status: z.string(),
    admin: z.boolean(),
  })
  .meta({ id: 'RmaComment' });

/** A return as the platform's own returns show it (platform facts 11). */
const rmaAnswer = z
  .object({
    increment_id: z.string(),
    entity_id: z.int(),
    order_id: z.int(),
    order_increment_id: z.string(),
    store_id: z.int(),
    customer_id: z.int().optional(),
    date_requested: z.string(),
    items: z.array(item),
    status: z.string(),
    comments: z.array(comment),
    tracks: z.array(z.unknown()),
  })
  .meta({ id: 'Rma' });

/** Options are told by their labels, which are the built-in provider's ids. */
const renderRma = ({ rma, items, comments, order }: RmaRow): z.input<typeof rmaAnswer> => ({
  increment_id: rma.incrementId,
  entity_id: rma.returnId,
  order_id: rma.orderId,
  order_increment_id: order.incrementId,
  store_id: order.storeId,
  ...(typeof rma.customerId === 'number' ? { customer_id: rma.customerId } : {}),
  date_requested: toStockDate(rma.createdAt),
  items: items.map((one) => ({
    entity_id: one.entityId,
    rma_entity_id: rma.returnId,
    order_item_id: one.orderItemId,
    qty_requested: quantityToWire(one.qtyRequested),
    ...quantities({
      qty_authorized: one.qtyAuthorized,
      qty_approved: one.qtyApproved,
      qty_returned: one.qtyReturned,
    }),
    reason: one.reason ?? '',
    condition: one.condition ?? '',
    resolution: one.resolution ?? '',
    status: one.status,
  })),
  status: rma.status,
  comments: comments.map((one) => renderRmaComment(rma.returnId, one)),
  tracks: [],
});

/** The quantities that are known. */
const quantities = <Name extends string>(input: Record<Name, Quantity | null | undefined>) =>
  Object.fromEntries(
    Object.entries<Quantity | null | undefined>(input).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, quantityToWire(value)]],
    ),
  );

/** Every comment is the shop's: customers write none here. */
const renderRmaComment = (returnId: number, one: RmaRow['comments'][number]) => ({
  comment: one.comment,
  rma_entity_id: returnId,
  created_at: toStockDate(one.createdAt),
  entity_id: one.commentId,
  customer_notified: one.isCustomerNotified,
  visible_on_front: one.isVisibleOnFront,
  status: one.status ?? '',
  admin: true,
});

const mostItems = 500;

const rmaPayloadItem = growing({
  entityId: recordId.optional(),
  orderItemId: recordId.optional(),
  qtyRequested: quantity.optional(),
  reason: text(255).optional(),
  condition: text(64).optional(),
  resolution: text(64).optional(),
  status: text(32).optional(),
}).meta({ id: 'RmaItem' });

/** A return in the platform's own shape. What only the server sets is ignored, so that an answer can be sent back. */
const rmaPayload = growing({
  orderId: recordId.optional(),
  customerId: recordId.optional(),
  items: z.array(rmaPayloadItem).max(mostItems).optional(),
  status: text(32).optional(),
  comments: z
    .array(growing({ comment: text(4_000).optional(), entityId: recordId.optional() }))
    .max(mostItems)
    .optional(),
  tracks: z.array(z.unknown()).max(1_000).optional(),
}).meta({ id: 'Rma' });

type RmaPayload = z.output<typeof rmaPayload>;

/**
 * The return that it asks for: reason, condition and resolution are ids of options, or labels. Refused with 400:
 * no order, no items, an item without its line or its quantity, parcels.
 */
function inputOf({ orderId, customerId, items = [], comments = [], tracks = [] }: RmaPayload): ReturnPosted {
  if (orderId === undefined) throw fieldRequired('orderId');
  if (items.length === 0) throw fieldRequired('items');
  if (tracks.length > 0) throw tracksNotStored();
  const texts = comments.flatMap(({ comment }) => comment?.trim() || []);
  return {
    ...{ orderId, customerId, autoApprove: false },
    ...(texts.length === 0 ? {} : { comment: texts.join('\n') }),
    items: items.map(({ orderItemId, qtyRequested, reason, condition, resolution }) => {
      if (orderItemId === undefined) throw fieldRequired('orderItemId');
      if (qtyRequested === undefined) throw fieldRequired('qtyRequested');
      return {
        ...{ order_item_id: orderItemId, qty_requested: qtyRequested, return_to_stock: true },
        ...{ reason, condition_id: condition, resolution_id: resolution },
      };
    }),
  };
}

/**
 * The status that a save wants, by the return or by its items: whatever differs from the one it has. Refused with 400:
 * an unknown status, several.
 */
function requestedStatus({ status, items = [] }: RmaPayload, now: string): ReturnStatus | undefined {
  const named = [status, ...items.map((one) => one.status)].flatMap(
    (one) => choiceOf(returnStatuses, 'status', one) ?? [],
  );
  const [requested, ...others] = new Set(named.filter((one) => one !== now));
  if (others.length > 0) throw oneStatusForAllItems();
  return requested;
}

const options = { reason: 'Wrong size', condition: 'Unopened', resolution: 'Refund' };
const rmaWordsItem = { order_item_id: 61, qty_requested: 1, ...options };

const example = {
  ...{ increment_id: '000000001', entity_id: 1, order_id: 42, order_increment_id: '000000042', store_id: 1 },
  ...{ customer_id: 7, date_requested: '2026-11-20 10:15:00' },
  items: [{ entity_id: 1, rma_entity_id: 1, ...rmaWordsItem, status: 'pending' }],
  ...{ status: 'pending', comments: [], tracks: [] },
};

const shape = 'In the shape of the platform’s own returns: the same returns as those of `/V1/pos/rma`.';

/** Texts of the routes of returns in the platform's shape. */
const listRmasWords = {
  name: 'listRmas',
  summary: 'Search returns, in the platform’s shape',
  description: `${shape} Filters: \`entity_id\`, \`increment_id\`, \`order_id\`, \`order_increment_id\`, \`store_id\`,
\`customer_id\`, \`status\`, \`date_requested\`.`,
  outcomes: [attributeNameNotValid],
  examples: [{ title: 'All', query: 'searchCriteria', response: listOfOne(example) }],
};

const getRmaWords = {
  name: 'getRma',
  summary: 'One return, in the platform’s shape',
  description: `${shape} Money and credits stand in \`GET /V1/pos/rma/:rmaId\`.`,
  outcomes: [returnNotFound],
  examples: [{ title: 'One', params: { id: 1 }, response: example }],
};

const createRmaWords = {
  name: 'createRma',
  summary: 'Create a return, in the platform’s shape',
  description: `It waits as \`pending\`. \`reason\`, \`condition\` and \`resolution\` are ids of
\`GET /V1/pos/rma/options\`. A repeat is a second return, unless it has the same \`Idempotency-Key\`.`,
  outcomes: [
    unknownOrder,
    notEligible,
    requiredField('No order, no items, an item without `order_item_id` or `qty_requested`.'),
    tracksNotStored,
    workflowsAway,
    waitedTooLong,
    cardNumber,
  ],
  examples: [
    { title: 'One piece', body: { rmaDataObject: { order_id: 42, items: [rmaWordsItem] } }, response: example },
  ],
};

const updateRmaWords = {
  name: 'updateRma',
  summary: 'Set the status of a return, in the platform’s shape',
  description: `The \`status\` that differs from the one it has: its own, or that of its items. The rest is ignored, so
that an answer can be sent back.`,
  outcomes: [returnNotFound, ...refusedMoves, oneStatusForAllItems, returnNotReady, workflowsAway, waitedTooLong],
  examples: [
    {
      title: 'Approved',
      params: { id: 1 },
      body: { rmaDataObject: { status: 'approved' } },
      response: {
        ...example,
        items: [
          { entity_id: 1, rma_entity_id: 1, ...rmaWordsItem, qty_authorized: 1, qty_approved: 1, status: 'approved' },
        ],
        status: 'approved',
      },
    },
  ],
};

const deleteRmaWords = {
  name: 'deleteRma',
  summary: 'Delete a return that nothing came of',
  description: `One that is \`pending\`, \`requested\`, \`rejected\` or \`denied\`, with no refund and no goods taken
in. A repeat is a 404.`,
  outcomes: [returnNotFound, returnNotDeletable],
  examples: [{ title: 'Deleted', params: { id: 1 }, response: true }],
};

const access = { acl: 'Platform_Rma::magento_rma' } as const;

/** Returns in the platform's shape (platform facts 3, 11). */
const listRmas = listRoute({
  ...access,
  ...listRmasWords,
  path: '/V1/returns',
  answer: rmaAnswer,
  find: searchRmas,
  render: renderRma,
});

/** One return in the platform's shape (platform facts 11). Refused with: 404 unknown return. */
const getRma = route({
  ...access,
  ...getRmaWords,
  method: 'GET',
  path: '/V1/returns/:id',
  params: z.object({ id: idParam }),
  response: rmaAnswer,
  handle: async ({ em, params: { id } }) => renderRma(await readRma(em, id)),
});

/**
 * Creates a return that waits as `pending` (platform facts 11), as the register's route does without `autoApprove`. A
 * second call is a second return, unless it has the same `Idempotency-Key`.
 *
 * Refused with: 404 unknown order · 400 what is missing, `return_not_eligible`, parcels.
 */
const createRma = route({
  ...access,
  ...createRmaWords,
  method: 'POST',
  path: '/V1/returns',
  commits: 'several',
  body: z.object({ rmaDataObject: rmaPayload }),
  response: rmaAnswer,

  async handle(request) {
    const { em, body } = request;
    const input = inputOf(body.rmaDataObject);
    refuseCardData(input.comment);
    const { rma } = await placeReturn(request, input);
    return renderRma(await readRma(em, rma.returnId));
  },
});

/**
 * Sets the status of a return (platform facts 11), its own or the one that its items name. Nothing else of it changes.
 *
 * Refused with: 404 unknown return · 400 a move that is not permitted, several statuses · 409 `return_not_ready`.
 */
const updateRma = route({
  ...access,
  ...updateRmaWords,
  method: 'PUT',
  path: '/V1/returns/:id',
  commits: 'several',
  params: z.object({ id: idParam }),
  body: z.object({ rmaDataObject: rmaPayload }),
  response: rmaAnswer,

  async handle(request) {
    const { em, params, body } = request;
    const now = await readRma(em, params.id);
    const status = requestedStatus(body.rmaDataObject, now.rma.status);
    if (status === undefined) return renderRma(now);
    await moveReturn(request, { rmaId: params.id, status });
    return renderRma(await readRma(em, params.id));
  },
});

/** Deletes a return that nothing came of. See `deleteReturn`. */
const deleteRma = route({
  ...access,
  ...deleteRmaWords,
  method: 'DELETE',
  path: '/V1/returns/:id',
  params: z.object({ id: idParam }),
  response: z.literal(true),

  async handle({ em, params: { id }, workflows, log }) {
    await deleteReturn(em, id);
    // Its workflow reads that there is no row any more, and ends. Where the word is lost, the day's comparison tells
    // it.
    void workflows.signal(refreshSignal, returnId(id)).catch((error: unknown) => {
      log.info({ 'rma.id': id, error }, 'the workflow of a deleted return was not told');
    });
    return true as const;
  },
});

/** The register's returns, in the shape that clients of the platform know (platform facts 11). */
export const rmaRoutes: readonly AnyRoute[] = [listRmas, getRma, createRma, updateRma, deleteRma];
