import { z } from 'zod';
import { withOwnNumber } from '../../../db/platform/orders/add-order-comment.ts';
import {
  createShipment,
  keepShipmentLabel,
  readShipment,
  saveTrack,
  searchShipments,
} from '../../../db/platform/shipments/shipments.ts';
import { readShipmentLabel } from '../../../db/platform/shipments/read-shipment-label.ts';
import { joined, transact } from '../../../db/support/transact.ts';
import { fieldRequired } from '../../../domain/errors.ts';
import { trackingNotSaved } from '../../../domain/refusals/documents.ts';
import { quantityNotAvailable, sourceNotFound } from '../../../domain/refusals/inventory.ts';
import { attributeNameNotValid } from '../../../domain/refusals/platform.ts';
import {
  commentDocumentRoute,
  documentCommentsRoute,
  listRoute,
  madeWithMail,
  type MailDocument,
} from '../../http/route-kinds.ts';
import { done, route, type AnyRoute } from '../../http/route.ts';
import { rowsOf } from '../../wire/rows.ts';
import { documentArguments, remarkOf, savedItems } from '../../wire/documents.ts';
import {
  unknownDocument,
  cardNumber,
  couldNotSave,
  numberIsTaken,
  requiredField,
  unknownOrder,
} from '../../wire/outcomes.ts';
import { flag, growing, idParam, quantity, recordId, savedNumber, text, voidAnswer } from '../../wire/schemas.ts';
import {
  renderShipment,
  renderTrack,
  shipmentAnswer,
  shipmentExample,
  trackAnswer,
  trackExample,
  unknownShipment,
} from './shipment-answer.ts';
import { deleteTrack } from '../../../db/platform/shipments/delete-track.ts';

/** More than any carrier writes about a parcel. */
const maxDescription = 65_535;

/** A parcel as callers send it (platform facts 5.5). */
const trackWords = {
  trackNumber: text(255).default(''),
  title: text(255).default(''),
  carrierCode: text(255).default(''),
  description: text(maxDescription).optional(),
  weight: quantity.optional(),
  qty: quantity.optional(),
};

/** More parcels than an order needs in practice. */
const maxTracks = 100;

/** Names the source of the goods. A register does not need the platform's other arguments. */
const shipmentArguments = growing({
  extensionAttributes: growing({ sourceCode: text(64).optional() }).optional(),
});

const fault = couldNotSave('a shipment');

/**
 * Makes the route that hands over named goods of an order, or everything that is left: they leave their source
 * (platform facts 5.5, 10).
 */
const createShipmentRoute = (mailDocument: MailDocument) =>
  route({
    method: 'POST',
    path: '/V1/order/:orderId/ship',
    acl: 'Platform_Sales::ship',
    summary: 'Hand an order over',
    name: 'shipOrder',
    description: `Hands over the lines that are named, or all that is left: they leave their source.
    \`extension_attributes.source_code\` of \`arguments\` names the source. Answers the shipment’s id. What is handed
    over is not left, so a repeat is refused.`,
    outcomes: [
      unknownOrder,
      {
        status: 400,
        message: 'Shipment Document Validation Error(s):\n…',
        when:
          'More than is left to ship, nothing is left, or a track has no number. Each fault is a line of the ' +
          'sentence.',
        then: 'Read the order again.',
      },
      sourceNotFound,
      quantityNotAvailable.because('The source holds less.'),
      cardNumber,
      fault,
    ],
    fault,
    params: z.object({ orderId: idParam }),
    body: z.object({
      ...documentArguments,
      tracks: rowsOf(growing(trackWords), maxTracks).default([]),
      packages: z.unknown().optional(),
      arguments: shipmentArguments.optional(),
    }),
    response: z.int(),

    handle(context) {
      const {
        params: { orderId },
        body,
      } = context;
      const comment = remarkOf(body);
      const sourceCode = body.arguments?.extensionAttributes?.sourceCode;
      const { items, tracks, notify } = body;
      return madeWithMail({ document: 'shipment', notify, mailDocument }, context, (em) =>
        createShipment(em, { orderId, items, tracks, sourceCode, ...(comment ? { comment } : {}) }),
      );
    },
  });

/** A shipment's label from its carrier, as it was saved (platform facts 5.5). Refused with: 404 unknown shipment. */
const getShipmentLabel = route({
  name: 'getShipmentLabel',
  method: 'GET',
  path: '/V1/shipment/:id/label',
  acl: 'Platform_Sales::shipment',
  summary: 'The carrier’s label of a shipment',
  description: 'As `POST /V1/shipment` saved it: base64 of a PDF or a picture. `[]` without a label. Safe to repeat.',
  outcomes: [{ ...unknownShipment, when: 'No shipment has this id.' }],
  examples: [{ title: 'A label', params: { id: 9 }, response: 'JVBERi0xLjQ=' }],
  params: z.object({ id: idParam }),
  response: z.union([z.string(), voidAnswer]),

  async handle({ em, params: { id } }) {
    const nothing: [] = [];
    return (await readShipmentLabel(em, id)) ?? nothing;
  },
});

/** One shipment with its lines and tracks (platform facts 5.5). */
const getShipment = route({
  method: 'GET',
  path: '/V1/shipment/:id',
  acl: 'Platform_Sales::shipment',
  summary: 'One shipment',
  name: 'getShipment',
  description: 'With its lines, tracks and the source that the goods left.',
  outcomes: [unknownDocument('There is no shipment of this id.')],
  params: z.object({ id: idParam }),
  response: shipmentAnswer,

  handle: async ({ em, params: { id } }) => renderShipment(await readShipment(em, id)),
});

/** Searches shipments by any column, such as `order_id` (platform facts 5.5). */
const listShipments = listRoute({
  path: '/V1/shipments',
  acl: 'Platform_Sales::shipment',
  summary: 'Shipments',
  name: 'listShipments',
  description: `By every column of a shipment, such as \`order_id\`. \`searchCriteria\` is required: send
    \`searchCriteria[current_page]=1\` for all.`,
  outcomes: [attributeNameNotValid],
  answer: shipmentAnswer,
  find: searchShipments,
  render: renderShipment,
});

/** More parcels and comments than a shipment has in practice. */
const maxRows = 100;
const maxComment = 65_535;

/** Enough for a page of a label printer, in base64. */
const maxLabel = 1_000_000;

const entity = growing({
  entityId: recordId.optional(),
  orderId: idParam.optional(),
  incrementId: savedNumber,
  items: savedItems,
  tracks: rowsOf(growing(trackWords), maxRows).default([]),
  comments: rowsOf(
    growing({ comment: text(maxComment).default(''), isVisibleOnFront: flag.default(false) }),
    maxRows,
  ).default([]),
  shippingLabel: text(maxLabel).optional(),
  extensionAttributes: growing({ sourceCode: text(64).optional() }).optional(),
});

/**
 * Saves a shipment (platform facts 5.5). A new one hands goods over as `POST /V1/order/:orderId/ship` does. Our choice:
 * the platform writes only the document, and then books and stock contradict it. With the id of a shipment only its
 * label is saved.
 *
 * Refused with: 404 unknown order, shipment or source · 400 as a shipment is refused.
 */
const saveShipmentRoute = route({
  name: 'saveShipment',
  method: 'POST',
  path: '/V1/shipment',
  acl: 'Platform_Sales::shipment',
  summary: 'Save a shipment, with its label',
  description:
    'A new shipment hands the goods over: they leave their source, and the order moves on, as with `POST ' +
    '/V1/order/:orderId/ship`. No lines means all that is left. With `entity_id` the shipment stays as it is and ' +
    'only `shipping_label` is kept with it: what was handed over is never taken back. What is handed over is not ' +
    'left, so a repeat without `entity_id` is refused or hands over more.',
  outcomes: [
    unknownShipment,
    {
      status: 400,
      message: 'Shipment Document Validation Error(s):\n…',
      when:
        'The order cannot be shipped in its state, or a line has fewer goods left. The message has a line for each ' +
        'error.',
    },
    quantityNotAvailable.because('The source holds less than that.'),
    requiredField('A new shipment names no order.'),
    numberIsTaken,
  ],
  examples: [
    {
      title: 'One mug, by bike',
      body: {
        entity: {
          order_id: 42,
          items: [{ order_item_id: 3, qty: 1 }],
          tracks: [{ track_number: 'Z9', title: 'Bike courier', carrier_code: 'custom' }],
        },
      },
      response: shipmentExample,
    },
  ],
  body: z.object({ entity }),
  response: shipmentAnswer,

  handle: ({ em, body }) =>
    withOwnNumber(body.entity.incrementId, () =>
      transact(em, async (tx) => {
        const { orderId, incrementId, items, tracks, comments, shippingLabel, extensionAttributes } = body.entity;
        // As on the platform zero is no id: a new shipment.
        const entityId = body.entity.entityId || undefined;
        const comment = remarkOf({ comment: comments[0], notify: false, appendComment: false });
        if (entityId === undefined && orderId === undefined) throw fieldRequired('orderId');
        const sourceCode = extensionAttributes?.sourceCode;
        const shipmentId =
          entityId ??
          (await createShipment(joined(tx), {
            orderId: orderId ?? 0,
            items,
            tracks,
            sourceCode,
            incrementId,
            ...(comment ? { comment } : {}),
          }));
        if (shippingLabel !== undefined) await keepShipmentLabel(tx, { shipmentId, shippingLabel });
        return renderShipment(await readShipment(tx, shipmentId));
      }),
    ),
});

/** The comments on a shipment (platform facts 3.5). */
const listShipmentComments = documentCommentsRoute({
  path: '/V1/shipment/:id/comments',
  acl: 'Platform_Sales::shipment',
  summary: 'Comments on a shipment',
  document: 'shipment',
  name: 'listShipmentComments',
  description: 'Newest first, at most 1,000. It is empty for an unknown shipment.',
  outcomes: [],
  examples: [
    {
      title: 'One comment',
      params: { id: 7 },
      response: {
        items: [
          {
            entity_id: 3,
            parent_id: 7,
            comment: 'Left with the neighbour',
            is_customer_notified: 0,
            is_visible_on_front: 1,
            created_at: '2026-11-21 09:30:00',
          },
        ],
        search_criteria: { filter_groups: [{ filters: [{ field: 'parent_id', value: '7', condition_type: 'eq' }] }] },
        total_count: 1,
      },
    },
  ],
});

/** Adds a comment to a shipment (platform facts 5.5). */
const commentShipment = commentDocumentRoute({
  name: 'commentShipment',
  path: '/V1/shipment/:id/comments',
  acl: 'Platform_Sales::shipment',
  summary: 'Comment on a shipment',
  document: 'shipment',
});

const shipmentTracksEntity = growing({
  ...trackWords,
  entityId: recordId.optional(),
  parentId: idParam,
  orderId: idParam,
});

/** Saves a parcel of a shipment (platform facts 5.5). See `saveTrack`. */
const saveTrackRoute = route({
  name: 'saveShipmentTrack',
  method: 'POST',
  path: '/V1/shipment/track',
  acl: 'Platform_Sales::shipment',
  summary: 'Add a parcel to a shipment',
  description:
    'What the carrier calls a parcel; `parent_id` is the shipment, `order_id` its order. With `entity_id` a ' +
    'parcel that is there is changed, so a repeat leaves it as it is; without, each call adds another. The ' +
    'customer gets no mail.',
  outcomes: [trackingNotSaved, { ...unknownShipment, when: 'The parcel in `entity_id` is unknown.' }],
  examples: [
    {
      title: 'A parcel by bike',
      body: {
        entity: { order_id: 42, parent_id: 9, track_number: 'Z9', title: 'Bike courier', carrier_code: 'custom' },
      },
      response: trackExample,
    },
  ],
  body: z.object({ entity: shipmentTracksEntity }),
  response: trackAnswer,

  // As on the platform zero is no id: a new parcel.
  handle: async ({ em, body: { entity } }) =>
    renderTrack(await saveTrack(em, { ...entity, entityId: entity.entityId || undefined })),
});

/** Removes a parcel from its shipment (platform facts 5.5). Refused with: 404 unknown parcel. */
const deleteTrackRoute = route({
  name: 'deleteShipmentTrack',
  method: 'DELETE',
  path: '/V1/shipment/track/:id',
  acl: 'Platform_Sales::shipment',
  summary: 'Take a parcel off a shipment',
  description: 'The goods stay handed over: only what the carrier calls the parcel goes. A repeat is refused with 404.',
  outcomes: [{ ...unknownShipment, when: 'The parcel is unknown, or it was removed already.' }],
  examples: [{ title: 'A number that was mistyped', params: { id: 4 }, response: true }],
  params: z.object({ id: idParam }),
  response: z.literal(true),

  handle: ({ em, params: { id } }) => done(deleteTrack(em, id)),
});

/** Every route of shipments, except their mail. */
export const shipmentRoutes = (mailDocument: MailDocument): readonly AnyRoute[] => [
  createShipmentRoute(mailDocument),
  saveShipmentRoute,
  listShipments,
  getShipment,
  getShipmentLabel,
  listShipmentComments,
  commentShipment,
  saveTrackRoute,
  deleteTrackRoute,
];
