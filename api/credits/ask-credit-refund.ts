import { setTimeout as pause } from 'node:timers/promises';
import type { CreditRefundRow } from '../../db/credits/credit-refund.entity.ts';
import { findCreditRefund } from '../../db/credits/credit-refund.repository.ts';
import {
  judgeCreditRefund,
  knownCreditRefund,
  type WantedCreditRefund,
} from '../../db/credits/reserve-credit-refund.ts';
import { sealCreditWords } from '../../db/credits/sealed-credit-words.ts';
import { readOrderRows } from '../../db/platform/orders/lock-order.ts';
import { beginBefore, tooLate } from '../../db/support/begin-before.ts';
import { giveSeconds } from '../../domain/credits/give-time.ts';
import { noSuchDocument, unavailable } from '../../domain/errors.ts';
import { markdownLiteral } from '../../domain/markdown-literal.ts';
import { isRefused } from '../../domain/outcome.ts';
import { answerWithinMs } from '../../domain/patience.ts';
import { StillRunning } from '../../providers/temporal/workflows.ts';
import { creditRefundId, giveUpdate } from '../../workflows/credits/messages.ts';
import { posMethod, posOrderId } from '../../workflows/support/search-attributes.ts';
import { inTurn } from '../http/in-turn.ts';
import type { RouteContext } from '../http/route.ts';

export type CreditRefundWish = WantedCreditRefund & { requestKey: string };

export interface AnsweredCreditRefund {
  refund: CreditRefundRow;
  /** The provider gave it, whether or not the books have that already. */
  isGiven: boolean;
}

/**
 * Has a worker refund an amount to a balance at a provider outside: reserved, asked for, booked (spec 4.6). This process
 * judges the wish, asks, and answers what the row says.
 *
 * A repeat with the same request key is answered from its row, and has the provider asked again while it has said
 * nothing. Refused as `knownCreditRefund` and `judgeCreditRefund`, and with: 404 unknown order · 503 Temporal is away, or
 * nothing began in time: then nothing is reserved later either.
 */
export function askCreditRefund(wish: CreditRefundWish, around: RouteContext): Promise<AnsweredCreditRefund> {
  const cameAt = performance.now();
  // One at a time for a request: a repeat finds what the first was told, and a workflow takes only ten messages at once.
  return inTurn(creditRefundId(wish.orderId, wish.requestKey), () => askAlone(wish, around, cameAt));
}

async function askAlone(wish: CreditRefundWish, around: RouteContext, cameAt: number): Promise<AnsweredCreditRefund> {
  const { em, workflows } = around;
  const { orderId, requestKey, kind, providerCode, customerId, amount } = wish;
  const order = await readOrderRows(em, orderId);
  if (!order) throw noSuchDocument();
  const known = await knownCreditRefund(em, order, wish);
  if (known && known.state !== 'reserved') return answered(known);
  if (!known) await judgeCreditRefund(em, order, wish);
  const sealedWords = sealed(wish, around);
  // What is reserved may be given at any moment: whoever asks must not hear that nothing happens.
  if (known && !(await workflows.isReachable())) return answered(known);
  await workflows.refuseWhileAway();
  if (performance.now() - cameAt > answerWithinMs) return known ? answered(known) : refuseLate();
  const command = await commandOf(around, requestKey);
  const askedAt = performance.now();
  try {
    const told = await workflows.ask({
      update: giveUpdate,
      workflow: 'creditRefundWorkflow',
      id: creditRefundId(orderId, requestKey),
      input: { orderId, requestKey, asked: { command, wish: { kind, providerCode, customerId, amount, sealedWords } } },
      request: command,
      operationKey: command.operationKey,
      patienceMs: answerWithinMs,
      summary: `Credit for order ${markdownLiteral(order.incrementId)} · ${kind.replace('_', ' ')} at ${markdownLiteral(providerCode)}`,
      searchAttributes: [
        { key: posOrderId, value: orderId },
        { key: posMethod, value: providerCode },
      ],
    });
    const refund = await findCreditRefund(em, { orderId, requestKey });
    if (refund) return answered(refund, !isRefused(told) && told.answer === 'credited');
  } catch (error) {
    if (!(error instanceof StillRunning)) throw error;
  }
  return answered(await untilKnown(em, { orderId, requestKey, askedAt }));
}

const answered = (refund: CreditRefundRow, isGiven = false): AnsweredCreditRefund => ({
  refund,
  isGiven: isGiven || refund.state === 'booked',
});

const commandOf = async ({ em, operation, caller, requestId }: RouteContext, requestKey: string) => ({
  operationKey: operation.isNamed ? operation.key : requestKey,
  beginBefore: await beginBefore(em),
  by: caller.name,
  requestId,
});

/** Without a secret key nothing is sealed, and a code that can be read is a card that can be spent. */
function sealed({ code, reason }: CreditRefundWish, { settings, providers }: RouteContext): string {
  if (code !== null && settings.POS_SECRET_KEY === undefined)
    throw unavailable('This server has no secret key, so it passes no gift card’s code on.');
  return sealCreditWords(providers.secrets, { code, reason });
}

function refuseLate(): never {
  throw tooLate();
}

const betweenLooksMs = 250;
/** What a worker needs beside the provider: to reserve, and to book an answer. */
const ownMs = 2_000;

/** Reads the row until it is decided, or until nothing begins any more and the provider had its time. */
async function untilKnown(
  em: RouteContext['em'],
  { askedAt, ...named }: { orderId: number; requestKey: string; askedAt: number },
): Promise<CreditRefundRow> {
  for (;;) {
    const found = await findCreditRefund(em, named);
    if (found && found.state !== 'reserved') return found;
    const waited = performance.now() - askedAt;
    if (found && waited > giveSeconds * 1_000 + ownMs) return found;
    if (!found && waited > answerWithinMs) return refuseLate();
    await pause(betweenLooksMs);
  }
}
