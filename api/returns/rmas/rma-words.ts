import { cardNumber, requiredField, unknownOrder, waitedTooLong, workflowsAway } from '../../wire/outcomes.ts';
import { listOfOne, unknownField } from '../../wire/search-criteria.ts';
import { notEligible, refusedMoves, returnNotReady, unknownReturn } from '../return-outcomes.ts';

const options = { reason: 'Wrong size', condition: 'Unopened', resolution: 'Refund' };
const item = { order_item_id: 61, qty_requested: 1, ...options };

const example = {
  ...{ increment_id: '000000001', entity_id: 1, order_id: 42, order_increment_id: '000000042', store_id: 1 },
  ...{ customer_id: 7, date_requested: '2026-11-20 10:15:00' },
  items: [{ entity_id: 1, rma_entity_id: 1, ...item, status: 'pending' }],
  ...{ status: 'pending', comments: [], tracks: [] },
};

const shape = 'In the shape of the platform’s own returns: the same returns as those of `/V1/pos/rma`.';

/** Texts of the routes of returns in the platform's shape. */
export const listRmasWords = {
  name: 'listRmas',
  summary: 'Search returns, in the platform’s shape',
  description: `${shape} Filters: \`entity_id\`, \`increment_id\`, \`order_id\`, \`order_increment_id\`, \`store_id\`,
\`customer_id\`, \`status\`, \`date_requested\`.`,
  outcomes: [unknownField],
  examples: [{ title: 'All', query: 'searchCriteria', response: listOfOne(example) }],
};

export const getRmaWords = {
  name: 'getRma',
  summary: 'One return, in the platform’s shape',
  description: `${shape} Money and credits stand in \`GET /V1/pos/rma/:rmaId\`.`,
  outcomes: [unknownReturn],
  examples: [{ title: 'One', params: { id: 1 }, response: example }],
};

export const createRmaWords = {
  name: 'createRma',
  summary: 'Create a return, in the platform’s shape',
  description: `It waits as \`pending\`. \`reason\`, \`condition\` and \`resolution\` are ids of
\`GET /V1/pos/rma/options\`. A repeat is a second return, unless it has the same \`Idempotency-Key\`.`,
  outcomes: [
    unknownOrder,
    notEligible,
    requiredField('No order, no items, an item without `order_item_id` or `qty_requested`.'),
    {
      status: 400,
      message: 'Parcels of a return are not kept. Send it without tracks.',
      when: '`tracks` has a row.',
    },
    workflowsAway,
    waitedTooLong,
    cardNumber,
  ],
  examples: [{ title: 'One piece', body: { rmaDataObject: { order_id: 42, items: [item] } }, response: example }],
};

export const updateRmaWords = {
  name: 'updateRma',
  summary: 'Set the status of a return, in the platform’s shape',
  description: `The \`status\` that differs from the one it has: its own, or that of its items. The rest is ignored, so
that an answer can be sent back.`,
  outcomes: [
    unknownReturn,
    ...refusedMoves,
    {
      status: 400,
      message: 'The items of a return have one status together. Send one.',
      when: 'Several statuses are new.',
    },
    returnNotReady,
    workflowsAway,
    waitedTooLong,
  ],
  examples: [
    {
      title: 'Approved',
      params: { id: 1 },
      body: { rmaDataObject: { status: 'approved' } },
      response: {
        ...example,
        items: [{ entity_id: 1, rma_entity_id: 1, ...item, qty_authorized: 1, qty_approved: 1, status: 'approved' }],
        status: 'approved',
      },
    },
  ],
};

export const deleteRmaWords = {
  name: 'deleteRma',
  summary: 'Delete a return that nothing came of',
  description: `One that is \`pending\`, \`requested\`, \`rejected\` or \`denied\`, with no refund and no goods taken
in. A repeat is a 404.`,
  outcomes: [
    unknownReturn,
    {
      status: 400,
      message: 'The return %1 is "%2" and cannot be deleted. Close it instead.',
      when: 'Goods, money or another system take part in it.',
      then: 'Close it: `POST /V1/pos/rma/:rmaId/close`.',
    },
  ],
  examples: [{ title: 'Deleted', params: { id: 1 }, response: true }],
};
