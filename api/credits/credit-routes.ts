import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import {
  readCreditScope,
  readCreditScopeOfCustomer,
  readCreditScopeOfOrder,
} from '../../db/credit-stores/read-credit-scope.ts';
import type { CreditRefundRow } from '../../db/credits/credit.entity.ts';
import {
  findCreditRefund,
  judgeCreditRefund,
  knownCreditRefund,
  sealCreditWords,
  type RequestedCreditRefund,
} from '../../db/credits/reserve-credit-refund.ts';
import { readOrderRows } from '../../db/platform/orders/lock-order.ts';
import { beginBefore, tooLate } from '../../db/support/begin-before.ts';
import { refuseCardData } from '../../domain/card-data.ts';
import { creditKinds, giveSeconds } from '../../domain/credits/applied-credit.ts';
import { noSuchDocument, PosError, unavailable } from '../../domain/errors.ts';
import { inWords } from '../../domain/fill-in.ts';
import { isLastWord } from '../../domain/idempotency.ts';
import { markdownLiteral } from '../../domain/markdown-literal.ts';
import { toWire } from '../../domain/money.ts';
import { isRefused } from '../../domain/outcome.ts';
import { answerWithinMs } from '../../domain/patience.ts';
import { noGiftCardWithCode, noProviderForType } from '../../domain/refusals/money.ts';
import type { CreditProvider } from '../../providers/credits/credit-provider.ts';
import { askBalances, isOwnCredit, refundToOwnCredit } from '../../providers/credits/place-with-credit.ts';
import { inTime } from '../../providers/in-time.ts';
import { StillRunning } from '../../providers/temporal/workflows.ts';
import { creditRefundId, giveUpdate } from '../../workflows/messages.ts';
import { posMethod, posOrderId } from '../../workflows/support/search-attributes.ts';
import { lookUpDeadline } from '../http/in-time.ts';
import { inTurn } from '../http/in-turn.ts';
import { requestIdWord, walletActor } from '../http/route-kinds.ts';
import { route, type AnyRoute, type RouteContext } from '../http/route.ts';
import { documented } from '../wire/criteria.ts';
import { refusalOf } from '../wire/refusal-of.ts';
import { creditBalanceAnswer, renderCreditBalance } from '../wire/register/render-credit-balance.ts';
import { idParam, money, recordId, text } from '../wire/schemas.ts';
import { askApplicable } from './ask-applicable.ts';
import { listIssuedGiftCards } from './issued-gift-cards.ts';

/** What a customer has at every active provider, on the customer's own website (spec 4.6). */
const getCreditBalance = route({
  method: 'GET',
  path: '/V1/pos/credits/balance/:customerId',
  acl: 'Vendor_Pos::locations',
  summary: "A customer's credit at every active provider",
  name: 'listCreditBalances',
  description: `What the customer has at every active provider, on the customer’s own website. A provider that
    fails, or takes longer than three seconds, is left out. An unknown customer has an empty list.`,
  outcomes: [],
  params: z.object({ customerId: idParam }),
  response: z.array(creditBalanceAnswer),

  async handle({ em, params: { customerId }, providers, log }) {
    const scope = await readCreditScopeOfCustomer(em, customerId);
    if (!scope) return [];
    const deadline = lookUpDeadline();
    return (await askBalances(providers.credits, { customerId, scope, deadline }, log)).map(renderCreditBalance);
  },
});

/** The longest path: a longer code is just not found. */
const longestPath = 16_384;

/** A gift card's balance (spec 4.6), from the first active provider that knows the code. */
const getGiftCard = route({
  method: 'GET',
  path: '/V1/pos/credits/giftcard/:code',
  acl: 'Vendor_Pos::locations',
  summary: 'What is on a gift card',
  name: 'getGiftCard',
  description: 'The code ignores case. The first active provider that knows it answers.',
  outcomes: [noGiftCardWithCode],
  params: z.object({ code: text(longestPath) }),
  response: creditBalanceAnswer,
  isPrivate: true,

  async handle({ em, params: { code }, providers, store, log }) {
    const scope = await readCreditScope(em, store.storeId);
    const deadline = lookUpDeadline();
    for (const provider of providers.credits.enabled(scope.settings)) {
      if (provider.kind !== 'gift_card') continue;
      try {
        const card = await inTime(provider.findCard({ code, scope, deadline }), deadline);
        if (card) return renderCreditBalance(card);
      } catch (error) {
        log.warn({ provider: provider.code, error }, 'a gift card could not be looked up');
      }
    }
    throw noGiftCardWithCode([code]);
  },
});

export type CreditRefundInput = RequestedCreditRefund & { requestKey: string };

interface AnsweredCreditRefund {
  refund: CreditRefundRow;
  /** The provider gave it, whether or not the books have that already. */
  isGiven: boolean;
}

/**
 * Has a worker refund an amount to a balance at a provider outside: reserved, asked for, booked (spec 4.6). This
 * process judges the wish, asks, and answers what the row says.
 *
 * A repeat with the same request key is answered from its row, and has the provider asked again while it has said
 * nothing. Refused as `knownCreditRefund` and `judgeCreditRefund`, and with: 404 unknown order · 503 Temporal is away,
 * or nothing began in time: then nothing is reserved later either.
 */
function askCreditRefund(input: CreditRefundInput, context: RouteContext): Promise<AnsweredCreditRefund> {
  const cameAt = performance.now();
  // One at a time for a request: a repeat finds what the first was told, and a workflow takes only ten messages at
  // once.
  return inTurn(creditRefundId(input.orderId, input.requestKey), () => askAlone(input, context, cameAt));
}

async function askAlone(
  input: CreditRefundInput,
  context: RouteContext,
  cameAt: number,
): Promise<AnsweredCreditRefund> {
  const { em, workflows } = context;
  const { orderId, requestKey, kind, providerCode, customerId, amount } = input;
  const order = await readOrderRows(em, orderId);
  if (!order) throw noSuchDocument();
  const known = await knownCreditRefund(em, order, input);
  if (known && known.state !== 'reserved') return answered(known);
  if (!known) await judgeCreditRefund(em, order, input);
  const sealedWords = sealed(input, context);
  // What is reserved may be given at any moment: whoever asks must not hear that nothing happens.
  if (known && !(await workflows.isReachable())) return answered(known);
  await workflows.refuseWhileAway();
  if (performance.now() - cameAt > answerWithinMs) return known ? answered(known) : refuseLate();
  const command = await commandOf(context, requestKey);
  const requestedAt = performance.now();
  try {
    const reported = await workflows.ask({
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
    if (refund) return answered(refund, !isRefused(reported) && reported.answer === 'credited');
  } catch (error) {
    if (!(error instanceof StillRunning)) throw error;
  }
  return answered(await untilKnown(em, { orderId, requestKey, askedAt: requestedAt }));
}

const answered = (refund: CreditRefundRow, isBooked = false): AnsweredCreditRefund => ({
  refund,
  isGiven: isBooked || refund.state === 'booked',
});

const commandOf = async ({ em, operation, caller, requestId }: RouteContext, requestKey: string) => ({
  operationKey: operation.isNamed ? operation.key : requestKey,
  beginBefore: await beginBefore(em),
  by: caller.name,
  requestId,
});

/** Without a secret key nothing is sealed, and a code that can be read is a card that can be spent. */
function sealed({ code, reason }: CreditRefundInput, { settings, providers }: RouteContext): string {
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

const anything = z.unknown().optional();

/** What a register asks for; the amount is in the order's currency. */
const requested = z.object({
  orderId: recordId,
  creditType: z.string().max(64),
  provider: text(64).default(''),
  amount: money,
  customerId: recordId.optional(),
  reason: text(1_000).default(''),
  code: text(255).optional(),
});

const answer = z.object({
  success: z.boolean(),
  amount_applied: z.number(),
  remaining_balance: z.number().nullable(),
  transaction_id: z.string().nullable(),
  error_message: z.string().nullable(),
});
type Answer = z.input<typeof answer>;

/**
 * Refunds an amount to a credit balance (spec 4.6): at most what the order's credit memos refunded, all calls
 * together.
 *
 * Every failure is 200 with `success` false and its sentence. A repeat with the same `Idempotency-Key`, or else the
 * same `X-Request-Id` for the same order, is the same refund (our choice); without either each call is one more. When
 * a provider does not say whether it gave, the amount stays reserved and is settled by itself. Points go by either of
 * their names (our choice): balances call them `loyalty_points`, carts `reward_points`.
 */
const refundToCreditRoute = route({
  method: 'POST',
  path: '/V1/pos/credits/refund',
  acl: 'Vendor_Pos::locations',
  summary: 'Refund an amount to a credit balance',
  name: 'refundToCredit',
  description: `Gives credit for goods that came back, after their settlement. All calls of an order together never
    exceed what its credit memos refunded. The amount is in the order’s currency. Every failure is 200 with
    \`success\` false and its sentence. Repeat it with the same \`Idempotency-Key\`, or else the same
    \`X-Request-Id\`; without either each call is one more refund. Where a provider does not say whether it gave, the
    amount stays reserved and is settled by itself.`,
  outcomes: [],
  headers: { read: [requestIdWord] },
  commits: 'several',
  body: z
    .object({
      orderId: anything,
      creditType: anything,
      provider: anything,
      amount: anything,
      customerId: anything,
      reason: anything,
      code: anything,
    })
    .meta(documented(requested)),
  response: answer,

  async handle(request) {
    const parsed = requested.safeParse(request.body, { reportInput: true });
    if (!parsed.success) return failed(refusalOf(parsed.error.issues, request.body));
    if (isPrintedNumber(request.body.orderId)) return failed(noSuchDocument());
    try {
      const input = await carryOut(request, parsed.data);
      // It is settled later; a repeat of the request may then get its result.
      if (!input.isGiven && input.refund.state === 'reserved') request.operation.leaveOpen();
      return answerOf(input);
    } catch (error) {
      if (!(error instanceof PosError)) throw error;
      if (!isLastWord(error.status)) request.operation.leaveOpen();
      return failed(error);
    }
  },
});

/** `000000012` stands on a receipt; read as an entity id it would be another order. */
const isPrintedNumber = (orderId: unknown) => typeof orderId === 'string' && orderId.startsWith('0');

/** Our own credit is given in one transaction here; credit of a provider outside by a worker. */
async function carryOut(
  context: RouteContext,
  { orderId, creditType, ...request }: z.output<typeof requested>,
): Promise<AnsweredCreditRefund> {
  const { em, providers, operation, caller } = context;
  const kind = creditType === 'loyalty_points' ? 'reward_points' : creditKinds.find((one) => one === creditType);
  if (kind === undefined) throw noProviderForType([creditType]);
  refuseCardData(request.reason);
  const scope = await readCreditScopeOfOrder(em, orderId);
  if (!scope) throw noSuchDocument();
  const isMeant = ({ code }: CreditProvider) => request.provider === '' || code === request.provider;
  const enabled = providers.credits.enabled(scope.settings).filter((one) => one.kind === kind);
  const provider = enabled.find(isMeant);
  if (!provider) throw noProviderForType([kind]);
  const requestKey = requestKeyOf(context);
  const input = {
    orderId,
    kind,
    providerCode: provider.code,
    websiteId: scope.websiteId,
    baseCurrencyCode: scope.baseCurrencyCode,
    // Zero means no customer.
    customerId: request.customerId || null,
    code: request.code ?? null,
    amount: request.amount,
    reason: request.reason.trim() || 'Refund',
  };
  if (!isOwnCredit(provider))
    return askCreditRefund({ ...input, requestKey: requestKey ?? `operation-${operation.key}` }, context);
  const own = { wanted: { ...input, requestKey }, provider, actor: walletActor(caller) };
  const refund = await refundToOwnCredit(em, own);
  return { refund, isGiven: refund.state === 'booked' };
}

/** An `Idempotency-Key` names the request, else the `X-Request-Id` that the caller sent. */
const requestKeyOf = ({ operation, header, requestId }: Pick<RouteContext, 'operation' | 'header' | 'requestId'>) =>
  operation.isNamed
    ? `operation-${operation.key}`
    : header('x-request-id') === requestId
      ? `request-${requestId}`
      : null;

const failed = ({ refusal }: PosError): Answer => nothing(inWords(refusal));

const nothing = (sentence: string): Answer => ({
  success: false,
  amount_applied: 0,
  remaining_balance: null,
  transaction_id: null,
  error_message: sentence,
});

function answerOf({ refund: { state, message, ...input }, isGiven }: AnsweredCreditRefund): Answer {
  if (!isGiven) return nothing(state === 'reserved' ? unknownEnd : (message ?? 'It was refused.'));
  return {
    success: true,
    amount_applied: toWire(input.amount),
    remaining_balance: input.remainingBalance == null ? null : toWire(input.remainingBalance),
    transaction_id: input.transactionId ?? null,
    error_message: null,
  };
}

/** The message to the cashier when the outcome is unknown: nothing more may be handed out for it. */
const unknownEnd =
  'The provider did not say whether the credit was given. It is asked again automatically; do not pay it out in ' +
  'another way.';

/** Credit at every provider (spec 4.6), its part of the one list of every route. */
export const creditRoutes: readonly AnyRoute[] = [
  getCreditBalance,
  getGiftCard,
  listIssuedGiftCards,
  askApplicable,
  refundToCreditRoute,
];
