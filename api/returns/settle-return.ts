import { z } from 'zod';
import { keepPlaceOfOperation, keepPlaceOfReturn } from '../../db/movements/movement-place.ts';
import { keepSettlePayload } from '../../db/returns/keep-settle-payload.ts';
import { inspectedConditions } from '../../db/returns/return.entity.ts';
import { findReturn, type ReturnRecord } from '../../db/returns/return.repository.ts';
import { refuseOtherLines } from '../../db/tenders/refuse-other-lines.ts';
import { tendersUnfinished } from '../../domain/refusals/tenders.ts';
import { tenderLinesOf } from './tender-lines.ts';
import { tenderOutcomes } from './tender-outcomes.ts';
import type { RequestedItem } from '../../db/returns/sold-order.ts';
import { tooLate } from '../../db/support/begin-before.ts';
import { refuseCardData } from '../../domain/card-data.ts';
import { conflict, fieldRequired, invalid, invalidValue, PosError } from '../../domain/errors.ts';
import { none, quantityToWire, type Quantity } from '../../domain/money.ts';
import { refuseFinerOptions } from '../../domain/refunds/quote-refund.ts';
import { finerThanCoin } from '../../domain/refusals/money.ts';
import { valueBelowMinimum, waitedTooLong, workflowsAway } from '../../domain/refusals/platform.ts';
import { returnNotFound, returnNotSettleable } from '../../domain/refusals/returns.ts';
import { notEligible } from '../../domain/returns/eligibility.ts';
import { settleMethods, tenderMethods, type RequestedTender } from '../../domain/returns/resolution.ts';
import {
  findOption,
  isTerminal,
  optionNamed,
  type ReturnOption,
  type ReturnOptions,
} from '../../domain/returns/return-status.ts';
import { sealWords } from '../../providers/returns/sealed-words.ts';
import { settleUpdate } from '../../workflows/returns/messages.ts';
import { route, type RouteContext } from '../http/route.ts';
import { adjustmentsInOrderCurrency } from '../wire/documents.ts';
import { cardNumber, expectedLegs } from '../wire/outcomes.ts';
import { registerPlace } from '../wire/register-place.ts';
import { flag, idParam, money, payload, quantity, recordId, reference, text } from '../wire/schemas.ts';
import { lookAgainSoon } from '../temporal/look-again.ts';
import { answerEnded, askReturn } from './ask-return.ts';
import { cardTookLess, gatewayRefused, gatewayUncertain, returnNotReady } from './return-outcomes.ts';
import { returnAnswer, withPointsOwed } from './returns.ts';

const tender = payload({
  lineId: recordId.optional(),
  method: z.enum(tenderMethods).optional(),
  amount: money,
  reference: reference(255).optional(),
  paymentId: reference(255).optional(),
}).meta({ id: 'SettleTender' });

const settleBody = payload({
  method: z.enum(settleMethods).optional(),
  tenders: z.array(tender).min(1).max(20).optional(),
  reference: reference(255).optional(),
  rawPayload: text(100_000).optional(),
  ...adjustmentsInOrderCurrency,
  expectedLegs: expectedLegs.optional(),
  notifyCustomer: flag.default(false),
  ...registerPlace,
});

/** Settles a parked return: books its credit memo and closes it (spec 4.8). */
export const settleReturn = route({
  method: 'POST',
  path: '/V1/pos/rma/:rmaId/settle',
  acl: 'Vendor_Pos::locations',
  summary: 'Give the money back and close a return',
  name: 'settleReturn',
  description: `The second step of a return: books the credit memo of a parked return, gives the money back and closes
it. In cash
    and the like the register hands it out; \`original_payment\` goes through the gateway of the card. Amounts are in
the order’s currency, ex tax; those of the platform’s own refunds are in the base
    currency. A return that is over is answered unchanged, so a repeat is safe. A second call while one runs waits its
    turn. Send \`expectedLegs\` from the preview: \`refund_difference\` says how the booked legs differ. \`points_owed\`
    are points of the sale that the customer has spent: later points pay for them. \`tenders\` splits the handback over
    several tenders, as \`tender_lines\` of the preview proposes it: cards go back through their gateways one after
    the other, cash is booked last, and all of them have one credit memo. \`terminalId\` and
    \`registerSessionUuid\` assign the refund to a register and its session; without them its receipt does.`,
  outcomes: [
    returnNotFound,
    returnNotSettleable.because('Its goods were not taken in, or it waits for nothing.', 'Receive it first.'),
    {
      status: 400,
      code: 'nothing_left_to_refund',
      message: 'Nothing is left to refund: credit memo 000000007 took it.',
      when: 'Other refunds took it, or one that is under way does. The sentence names it.',
      then: 'Read the order’s credit memos.',
    },
    {
      status: 400,
      code: 'reference_in_use',
      message:
        'The reference "T-1" is that of credit memo 000000007 of return 000000004: a refund of the terminal is ' +
        'settled once.',
      when: 'Another return of the order was settled with this `reference`, or a refund under way has it.',
      then: 'Send the reference of this refund. If the terminal gave money once, one return is settled.',
    },
    ...tenderOutcomes,
    finerThanCoin,
    cardTookLess,
    gatewayRefused,
    returnNotReady,
    gatewayUncertain,
    workflowsAway,
    waitedTooLong,
    cardNumber,
  ],
  commits: 'several',
  params: z.object({ rmaId: idParam }),
  body: settleBody,
  response: returnAnswer,

  async handle(request) {
    const { params, body, em, operation } = request;
    const { rmaId } = params;
    if (body.tenders === undefined && body.method === undefined) throw fieldRequired('method');
    const rma = await findReturn(em, rmaId);
    if (isTerminal(rma.status)) {
      if (body.tenders) await refuseOtherLines(em, rma, tendersOf(body.tenders));
      return answerEnded(request, rma);
    }
    refuseFinerOptions({ ...body, shippingAmount: body.shippingAmount ?? null }, rma.currencyCode);
    const { rawPayload } = body;
    if (rawPayload !== undefined) {
      refuseCardData(rawPayload);
      await request.workflows.refuseWhileAway();
      await keepSettlePayload(em, { requestId: operation.key, returnId: rmaId, rawPayload });
    }
    if (body.tenders) await keepPlaceOfOperation(em, operation.key, body);
    else await keepPlaceOfReturn(em, rmaId, body);
    const settled = await withLines(request, rma, () =>
      askReturn(request, {
        rma,
        update: settleUpdate,
        request: settleRequest(body),
        isDone: ({ status }) => isTerminal(status),
        // A ready return that could not be reached in time is busy, or no worker runs.
        notBegun: ({ isReady, hasTenders }) => {
          if (!isReady) return notReady(rmaId);
          return hasTenders ? tendersUnfinished({ return_id: rmaId }) : tooLate();
        },
      }),
    );
    // A person decided that the first refund failed: a memo by hand may be for the money that went back all the same.
    if (rma.attemptId !== null && rma.attemptState === 'failed') lookAgainSoon(rma.attemptId, request);
    return withPointsOwed(request, settled);
  },
});

/** The terminal's printout stays in the database: it never travels through a workflow. */
const settleRequest = (body: z.output<typeof settleBody>) => ({
  ...(body.method === undefined ? {} : { method: body.method }),
  ...(body.tenders === undefined ? {} : { tenders: tendersOf(body.tenders) }),
  options: {
    adjustmentPositive: body.adjustmentPositive,
    adjustmentNegative: body.adjustmentNegative,
    shippingAmount: body.shippingAmount ?? null,
    notifyCustomer: body.notifyCustomer,
  },
  ...(body.reference ? { reference: body.reference } : {}),
  ...(body.expectedLegs ? { expectedLegs: body.expectedLegs } : {}),
});

const tendersOf = (tenders: readonly z.output<typeof tender>[]): RequestedTender[] =>
  tenders.map(({ lineId, method, amount, reference: given, paymentId }) => ({
    ...(lineId === undefined ? {} : { lineId }),
    ...(method === undefined ? {} : { method }),
    amount,
    ...(given ? { reference: given } : {}),
    ...(paymentId ? { paymentId } : {}),
  }));

/** A refusal of a settle by several tenders names the lines as they are now. */
async function withLines(
  { em, body }: Pick<RouteContext, 'em'> & { body: z.output<typeof settleBody> },
  { returnId, orderId }: ReturnRecord,
  settle: () => Promise<ReturnRecord>,
): Promise<ReturnRecord> {
  try {
    return await settle();
  } catch (error) {
    if (body.tenders === undefined || !(error instanceof PosError)) throw error;
    const { refusal } = error;
    const parameters: Record<string, unknown> = Object.fromEntries(Object.entries(refusal.parameters ?? {}));
    if (!outcomesWithLines.includes(String(parameters['outcome']))) throw error;
    const lines = await tenderLinesOf({ em }, { returnId, orderId, hasTenders: true });
    throw new PosError({ ...refusal, parameters: { ...parameters, ...lines } }, { cause: error });
  }
}

const outcomesWithLines = ['tender_declined', 'gateway_uncertain', 'settlement_fixed', 'tenders_unfinished'];

const notReady = (rmaId: number) =>
  conflict(
    'return_not_ready',
    'The return is still being worked on. Nothing else was booked; read it again in a moment.',
    { return_id: rmaId },
  );

/** An optional choice; an empty text counts as absent, because a register sends a blank field so. */
export const blankOr = <Choice extends z.ZodType>(choice: Choice) =>
  z.preprocess((input) => (input === '' ? undefined : input), choice.optional());

/** A person's comment, sealed for its way to the worker. Refused with: 400 a card number. */
export function wordsOf({ providers }: Pick<RouteContext, 'providers'>, comment: string | undefined): string | null {
  refuseCardData(comment);
  return sealWords(providers.secrets, { comment: comment ?? null });
}

/**
 * The choice from a list, where it applies; null for an absent or empty one.
 *
 * Refused with: 400 a choice that is not in the list.
 */
export function choiceOf<Choice extends string>(
  choices: readonly Choice[],
  fieldName: string,
  input: string | undefined,
): Choice | null {
  const chosen = choices.find((choice) => choice === input);
  if (input && chosen === undefined) throw invalidValue(fieldName, input);
  return chosen ?? null;
}

/** 400, in the platform's words, for a quantity of zero or less. */
export function refuseUnlessSome(fieldName: string, qty: Quantity): void {
  if (qty > none) return;
  throw invalid('The %fieldName value of "%value" must be greater than %minValue.', {
    fieldName,
    value: quantityToWire(qty),
    minValue: 0,
  });
}

/** 400, in the platform's words, for a negative quantity; an absent one is fine. */
export function refuseNegative(fieldName: string, qty: Quantity | undefined): void {
  if (qty === undefined || qty >= none) return;
  throw valueBelowMinimum({
    fieldName,
    value: quantityToWire(qty),
    minValue: 0,
  });
}

/** One row of a create's items (spec 4.8). An option may be named by its id or by its label. */
export const itemRow = payload({
  order_item_id: recordId,
  qty_requested: quantity,
  reason: text(255).optional(),
  condition: text(64).optional(),
  resolution: text(64).optional(),
  reason_id: text(255).optional(),
  condition_id: text(64).optional(),
  resolution_id: text(64).optional(),
  inspected_condition: text(64).optional(),
  return_to_stock: flag.default(true),
  qty_received: quantity.optional(),
  target_source_code: text(64).optional(),
}).meta({ id: 'RequestedReturnLine' });

/**
 * Translates the row into the shop's terms. The inspection counts only when the goods are received at once
 * (`autoApprove`).
 *
 * Refused with: 400 a requested quantity of zero or less, a negative received one, an unknown inspection, a condition
 * or the id of a reason that is not offered, card data in a reason · 400 `resolution_unsupported`.
 */
export function requestedItem(
  row: z.output<typeof itemRow>,
  { isAutoApproved, options, periodDays }: { isAutoApproved: boolean; options: ReturnOptions; periodDays: number },
): RequestedItem {
  refuseUnlessSome('qty_requested', row.qty_requested);
  refuseNegative('qty_received', row.qty_received);
  const resolution = chosenResolution(options.resolutions, {
    orderItemId: row.order_item_id,
    label: row.resolution,
    id: row.resolution_id,
    periodDays,
  });
  return {
    orderItemId: row.order_item_id,
    qtyRequested: row.qty_requested,
    reason: reasonOf(options.reasons, { id: row.reason_id, text: row.reason }),
    condition: conditionOf(options.conditions, { id: row.condition_id, label: row.condition }),
    resolution: resolution?.label ?? null,
    resolutionId: resolution?.id ?? null,
    inspectedCondition: isAutoApproved
      ? choiceOf(inspectedConditions, 'inspected_condition', row.inspected_condition)
      : null,
    returnToStock: row.return_to_stock,
    qtyReceived: isAutoApproved ? (row.qty_received ?? null) : null,
    targetSourceCode: isAutoApproved ? row.target_source_code || null : null,
  };
}

/**
 * A reason's text is for people: one that the provider does not offer is stored as sent. Blank counts as absent.
 *
 * Refused with: 400 an id that the provider does not offer, card data in a text.
 */
export function reasonOf(
  offered: readonly ReturnOption[],
  { id, text: posted }: { id?: string | undefined; text: string | undefined },
): string | null {
  const [reasonId, words] = [unlessBlank(id), unlessBlank(posted)];
  if (reasonId !== undefined) return offeredLabel(offered, 'reason_id', reasonId);
  const option = optionNamed(offered, words);
  if (option) return option.label;
  refuseCardData(words);
  return words ?? null;
}

/**
 * The condition that a row names, by id or by label; null when it names none. A provider without conditions takes any.
 *
 * Refused with: 400 one that the provider does not offer, card data.
 */
export function conditionOf(
  offered: readonly ReturnOption[],
  { id, label }: { id?: string | undefined; label: string | undefined },
): string | null {
  const [conditionId, words] = [unlessBlank(id), unlessBlank(label)];
  const labelled = words === undefined ? null : offeredLabel(offered, 'condition', words);
  return conditionId === undefined ? labelled : offeredLabel(offered, 'condition_id', conditionId);
}

function offeredLabel(offered: readonly ReturnOption[], fieldName: string, word: string): string {
  refuseCardData(word);
  const option = optionNamed(offered, word.trim());
  if (option === undefined && offered.length > 0) throw invalidValue(fieldName, word);
  return option?.label ?? word;
}

const unlessBlank = (input: string | undefined) => (input?.trim() === '' ? undefined : input);

export interface NamedResolution {
  orderItemId: number;
  id: string | undefined;
  label: string | undefined;
  /** The period of the order's store, for the refusal. */
  periodDays: number;
}

/**
 * The option that a row names, by id or by label; undefined when it names none.
 *
 * Refused with: 400 `return_not_eligible`, `resolution_unsupported`: the option is unknown, or only shown.
 */
export function chosenResolution(
  options: readonly ReturnOption[],
  { orderItemId, id, label, periodDays }: NamedResolution,
): ReturnOption | undefined {
  if (!id && !label) return undefined;
  const option = findOption(options, id || undefined, label);
  if (option && option.behavior !== 'unsupported') return option;
  throw notEligible({
    orderItemId,
    reasonCode: 'resolution_unsupported',
    periodDays,
    reason: `the resolution "${id || label || ''}" is not offered.`,
    resolutionId: id || label || '',
  });
}
