import { z } from 'zod';
import { storeOfOrder } from '../../db/platform/orders/cancel-order.ts';
import { findReturn, type ReturnRecord } from '../../db/returns/return.repository.ts';
import { invalidValue } from '../../domain/errors.ts';
import { waitedTooLong, workflowsAway } from '../../domain/refusals/platform.ts';
import {
  lineNamedTwice,
  lineNeedsResolution,
  noRefundToCancel,
  resolutionMovesNoMoney,
  resolutionsDiffer,
  returnHasNoLine,
  returnNotFound,
  returnNotReceivable,
  returnNotSettleable,
} from '../../domain/refusals/returns.ts';
import { resolutionModes, settleMethods } from '../../domain/returns/resolution.ts';
import type { ReceiveRequest } from '../../domain/returns/return-requests.ts';
import {
  builtInConditions,
  conditionLabelOf,
  inspectionOf,
  inspections,
  isTerminal,
  moveByHand,
  optionNamed,
  refuseUnlessParked,
  returnStatuses,
  type ReturnOption,
  type ReturnStatus,
} from '../../domain/returns/return-status.ts';
import {
  cancelRefundUpdate,
  closeUpdate,
  receiveUpdate,
  resolveUpdate,
  setStatusUpdate,
} from '../../workflows/returns/messages.ts';
import { route, type RouteContext } from '../http/route.ts';
import { cardNumber, invalidField } from '../wire/outcomes.ts';
import { flag, idParam, jsonText, payload, quantity, recordId, text } from '../wire/schemas.ts';
import { answerEnded, askReturn } from './ask-return.ts';
import {
  gatewayRefused,
  gatewayUncertain,
  providerAway,
  refusedMoves,
  returnNotReady,
  unknownLocation,
} from './return-outcomes.ts';
import { answerReturn, returnAnswer } from './returns.ts';
import { blankOr, refuseNegative, wordsOf } from './settle-return.ts';

/** A return's line as it lay on the counter; `rma_item_id` is the line's `entity_id` (spec 4.8 receive). */
const receivedRow = payload({
  rma_item_id: recordId,
  condition: text(64).optional(),
  qty_received: quantity.optional(),
  return_to_stock: flag.optional(),
}).meta({ id: 'ReceivedReturnLine' });

/**
 * Takes the goods of an approved return in at a location (spec 4.8): pristine ones go back where they were sold from,
 * damaged ones to the location's damaged stock, the rest is written off.
 *
 * `condition` is an inspection (pristine, damaged, dispose) or a condition (Unopened, Opened: pristine; Damaged);
 * without one the condition the return was made with counts: Damaged where the location has damaged stock, else
 * pristine. A condition that only the return's provider offers is kept as its word, and says nothing of where the
 * goods go. Without `return_to_stock` it stays as the create, or a provider that keeps the goods, said. A line that is
 * not named did not come: nothing of it is restocked; the refund follows what was approved all the same. The same
 * receive again is answered as it is; a return that is over unchanged.
 */
export const receiveReturnRoute = route({
  method: 'POST',
  path: '/V1/pos/rma/:rmaId/receive',
  acl: 'Vendor_Pos::locations',
  summary: 'Take the goods of a return in',
  name: 'receiveReturn',
  description: `Takes the goods of an approved return in at a location. Pristine goods go back to where they were
    sold from, damaged ones to the location’s damaged stock, the rest is written off. A line that is not named did not
    come: nothing of it is restocked, and the refund still follows what was approved. \`itemsJson\` is a JSON text.
    The same receive again is answered as it is.`,
  outcomes: [
    returnNotFound,
    unknownLocation,
    returnNotReceivable,
    returnHasNoLine,
    lineNamedTwice,
    invalidField('A condition that is not offered.'),
    returnNotReady,
    providerAway,
    workflowsAway,
    waitedTooLong,
  ],
  commits: 'several',
  params: z.object({ rmaId: idParam }),
  body: payload({ itemsJson: jsonText(z.array(receivedRow).min(1).max(500)), locationId: recordId }),
  response: returnAnswer,

  async handle(request) {
    const { params, body, em } = request;
    const rma = await findReturn(em, params.rmaId);
    if (isTerminal(rma.status)) return answerEnded(request, rma);
    const isForeign = body.itemsJson.some((row) => !isInspection(wordOf(row) ?? 'pristine'));
    const conditions = isForeign ? await conditionsOf(request, rma) : [];
    const received = {
      locationId: body.locationId,
      lines: body.itemsJson.map((row) => receivedLine(row, conditions)),
    };
    const changed = await askReturn(request, {
      rma,
      update: receiveUpdate,
      request: received,
      isDone: ({ status }) => status === 'items_received',
    });
    return answerReturn(request, changed);
  },
});

const wordOf = ({ condition }: { condition?: string | undefined }) => condition?.trim() || undefined;

const isInspection = (word: string) => inspections.some((one) => one === word.toLowerCase());

/**
 * What the return's own provider offers in the store of its order, as at create; the built-in conditions where it
 * offers none. Asked only for a word that is no inspection.
 */
async function conditionsOf({ em, providers }: RouteContext, { orderId, providerCode }: ReturnRecord) {
  const provider = providers.returns.byCode(providerCode);
  const offered = (await provider?.options(await storeOfOrder(em, orderId)))?.conditions ?? [];
  return offered.length > 0 ? offered : builtInConditions;
}

/** By label or id; a label in any letter case. */
const offeredAs = (conditions: readonly ReturnOption[], word: string) =>
  optionNamed(conditions, word) ?? conditions.find(({ label }) => label.toLowerCase() === word.toLowerCase());

function receivedLine(
  row: z.output<typeof receivedRow>,
  conditions: readonly ReturnOption[],
): ReceiveRequest['lines'][number] {
  refuseNegative('qty_received', row.qty_received);
  const condition = wordOf(row);
  const offered = condition === undefined || isInspection(condition) ? undefined : offeredAs(conditions, condition);
  if (condition !== undefined && !isInspection(condition) && !offered) throw invalidValue('condition', condition);
  const inspection = condition === undefined ? null : inspectionOf(offered?.label ?? condition);
  return {
    rmaItemId: row.rma_item_id,
    inspection: inspection ?? null,
    condition: offered?.label ?? (condition === undefined ? null : (conditionLabelOf(condition) ?? null)),
    qtyReceived: row.qty_received ?? null,
    returnToStock: row.return_to_stock ?? null,
  };
}

/** A return's line and what becomes of it; `rma_item_id` is the line's `entity_id` (spec 4.8 resolve). */
const resolutionRow = payload({
  rma_item_id: recordId,
  resolution_mode: z.enum(resolutionModes),
  refund_method: blankOr(z.enum(settleMethods)),
}).meta({ id: 'ResolvedReturnLine' });

/**
 * Decides every line of a return and resolves it (spec 3.2, 4.8).
 *
 * Our choice of the downstream action: lines that are refunded, exchanged or credited and name a `refund_method` are
 * settled by it, as a settle would, in the same transaction: one memo for just these lines. A return is settled in one
 * way, so all name the same. `original_payment` goes through the gateway; refused there, the return stays parked with
 * its resolutions. Lines to repair or dispose of, and lines without a method, move no money.
 *
 * A return that is over is answered unchanged.
 */
export const resolveReturnRoute = route({
  method: 'POST',
  path: '/V1/pos/rma/:rmaId/resolve',
  acl: 'Vendor_Pos::locations',
  summary: 'Decide what becomes of each line of a return',
  name: 'resolveReturn',
  description: `Decides every line and ends the return. Lines that are refunded, exchanged or credited and name a
    \`refund_method\` are settled by it in the same step; all of them name the same method. Lines to repair or dispose
    of, and lines without a method, move no money. \`resolutionsJson\` is a JSON text. A return that is over is
    answered unchanged.`,
  outcomes: [
    returnNotFound,
    lineNeedsResolution,
    resolutionsDiffer,
    resolutionMovesNoMoney,
    returnNotSettleable.because('Its goods were not taken in yet.'),
    gatewayRefused,
    returnNotReady,
    gatewayUncertain,
    workflowsAway,
    waitedTooLong,
  ],
  commits: 'several',
  params: z.object({ rmaId: idParam }),
  body: payload({ resolutionsJson: jsonText(z.array(resolutionRow).min(1).max(500)) }),
  response: returnAnswer,

  async handle(request) {
    const { params, body, em } = request;
    const rma = await findReturn(em, params.rmaId);
    if (isTerminal(rma.status)) return answerEnded(request, rma);
    const resolutions = body.resolutionsJson.map(({ rma_item_id, resolution_mode, refund_method }) => ({
      rmaItemId: rma_item_id,
      mode: resolution_mode,
      refundMethod: refund_method ?? null,
    }));
    const changed = await askReturn(request, {
      rma,
      update: resolveUpdate,
      request: { resolutions },
      isDone: ({ status }) => isTerminal(status),
    });
    return answerReturn(request, changed);
  },
});

/** A status that a return is to have, and why. */
export interface RequestedMove {
  rmaId: number;
  status: ReturnStatus;
  comment?: string | undefined;
}

/**
 * Sets the status of a return by hand. A status that is there already is left as it is, without the comment.
 *
 * Refused with: 404 unknown return · 400 a move that is not permitted · 409 `return_not_ready`.
 */
export async function moveReturn(
  request: RouteContext,
  { rmaId, status, comment }: RequestedMove,
): Promise<ReturnRecord> {
  const { em } = request;
  const rma = await findReturn(em, rmaId);
  if (moveByHand(rma.status, status) === rma.status) return rma;
  return askReturn(request, {
    rma,
    update: setStatusUpdate,
    request: { status, words: wordsOf(request, comment) },
    isDone: (now) => now.status === status,
  });
}

/** Sets the status of a return by hand (spec 4.8): approve it, refuse it, name how far it is. */
export const setReturnStatusRoute = route({
  method: 'PUT',
  path: '/V1/pos/rma/:rmaId/status',
  acl: 'Vendor_Pos::locations',
  summary: 'Set the status of a return',
  name: 'setReturnStatus',
  description: `Approves, refuses, or names how far a return is. By hand it goes to \`requested\`, \`authorized\`,
    \`partially_authorized\`, \`approved\`, \`rejected\` or \`denied\`; approval approves every line in full. A status
    that is there already is answered unchanged, and the comment is not kept then.`,
  outcomes: [returnNotFound, ...refusedMoves, returnNotReady, workflowsAway, waitedTooLong, cardNumber],
  commits: 'several',
  params: z.object({ rmaId: idParam }),
  body: payload({ status: z.enum(returnStatuses), comment: text(4_000).optional() }),
  response: returnAnswer,

  async handle(request) {
    const { params, body } = request;
    return answerReturn(request, await moveReturn(request, { rmaId: params.rmaId, ...body }));
  },
});

/**
 * Ends a return without a refund and hands its goods back: what was restocked goes out of its source, never below zero
 * (spec 3.2, 4.8).
 */
export const closeReturnRoute = route({
  method: 'POST',
  path: '/V1/pos/rma/:rmaId/close',
  acl: 'Vendor_Pos::locations',
  summary: 'Close a return without a refund',
  name: 'closeReturn',
  description: `Ends a return without a refund and hands the goods back: what was restocked leaves its source again,
    never below zero. A return that is over is answered unchanged, and the comment is not kept then.`,
  outcomes: [returnNotFound, gatewayUncertain, workflowsAway, waitedTooLong, cardNumber],
  commits: 'several',
  params: z.object({ rmaId: idParam }),
  body: payload({ comment: text(4_000).optional() }),
  response: returnAnswer,

  async handle(request) {
    const { params, body, em } = request;
    const rma = await findReturn(em, params.rmaId);
    if (isTerminal(rma.status)) return answerEnded(request, rma);
    const changed = await askReturn(request, {
      rma,
      update: closeUpdate,
      request: { words: wordsOf(request, body.comment) },
      isDone: ({ status }) => isTerminal(status),
    });
    return answerReturn(request, changed);
  },
});

/**
 * Cancels the refund of a parked return: the goods stay received, and the money can be refunded later (spec 3.2, 4.8).
 */
export const cancelRefundRoute = route({
  method: 'POST',
  path: '/V1/pos/rma/:rmaId/cancel-refund',
  acl: 'Vendor_Pos::locations',
  summary: 'Keep the goods of a return, leave its money for later',
  name: 'cancelRefund',
  description: `The goods stay with the shop, the money is left for later: a parked return goes back to
    \`received\`. A return that is \`received\` is answered unchanged, and the comment is not kept then.`,
  outcomes: [returnNotFound, noRefundToCancel, gatewayUncertain, workflowsAway, waitedTooLong, cardNumber],
  commits: 'several',
  params: z.object({ rmaId: idParam }),
  body: payload({ comment: text(4_000).optional() }),
  response: returnAnswer,

  async handle(request) {
    const { params, body, em } = request;
    const rma = await findReturn(em, params.rmaId);
    refuseUnlessParked(rma.status);
    if (rma.status === 'received') return answerReturn(request, rma);
    const changed = await askReturn(request, {
      rma,
      update: cancelRefundUpdate,
      request: { words: wordsOf(request, body.comment) },
      isDone: ({ status }) => status === 'received',
    });
    return answerReturn(request, changed);
  },
});
