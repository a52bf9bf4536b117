import { z } from 'zod';
import { documented } from '../wire/unread.ts';
import { creditKinds } from '../../domain/credits/applied-credit.ts';
import { noSuchDocument, PosError } from '../../domain/errors.ts';
import { inWords } from '../../domain/fill-in.ts';
import { isLastWord } from '../../domain/idempotency/is-last-word.ts';
import { toWire } from '../../domain/money/amount.ts';
import type { CreditProvider } from '../../providers/credits/credit-provider.ts';
import { isOwnCredit, refundToOwnCredit } from '../../providers/credits/refund-to-own-credit.ts';
import { readCreditScopeOfOrder } from '../../db/credit-stores/read-credit-scope.ts';
import { refuseCardData } from '../../domain/refuse-card-data.ts';
import { walletActor } from '../http/wallet-actor.ts';
import { refusalOf } from '../wire/refusal-of.ts';
import { route, type RouteContext } from '../http/route.ts';
import { integer, money, text } from '../wire/schemas.ts';
import { requestIdWord } from '../http/request-id-word.ts';
import { askCreditRefund, type AnsweredCreditRefund } from './ask-credit-refund.ts';

const anything = z.unknown().optional();

/** What a register asks for; the amount is in the order's currency. */
const wanted = z.object({
  orderId: integer,
  creditType: z.string().max(64),
  provider: text(64).default(''),
  amount: money,
  customerId: integer.optional(),
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
export const refundToCreditRoute = route({
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
    .meta(documented(wanted)),
  response: answer,

  async handle(request) {
    const parsed = wanted.safeParse(request.body, { reportInput: true });
    if (!parsed.success) return failed(refusalOf(parsed.error.issues, request.body));
    if (isPrintedNumber(request.body.orderId)) return failed(noSuchDocument());
    try {
      const given = await carryOut(request, parsed.data);
      // It is settled later; a repeat of the request may then get its result.
      if (!given.isGiven && given.refund.state === 'reserved') request.operation.leaveOpen();
      return answerOf(given);
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
  { orderId, creditType, ...asked }: z.output<typeof wanted>,
): Promise<AnsweredCreditRefund> {
  const { em, providers, operation, caller } = context;
  const kind = creditType === 'loyalty_points' ? 'reward_points' : creditKinds.find((one) => one === creditType);
  if (kind === undefined) throw noProvider(creditType);
  refuseCardData(asked.reason);
  const scope = await readCreditScopeOfOrder(em, orderId);
  if (!scope) throw noSuchDocument();
  const isMeant = ({ code }: CreditProvider) => asked.provider === '' || code === asked.provider;
  const enabled = providers.credits.enabled(scope.settings).filter((one) => one.kind === kind);
  const provider = enabled.find(isMeant);
  if (!provider) throw noProvider(kind);
  const requestKey = requestKeyOf(context);
  const wish = {
    orderId,
    kind,
    providerCode: provider.code,
    websiteId: scope.websiteId,
    baseCurrencyCode: scope.baseCurrencyCode,
    // Zero means no customer.
    customerId: asked.customerId || null,
    code: asked.code ?? null,
    amount: asked.amount,
    reason: asked.reason.trim() || 'Refund',
  };
  if (!isOwnCredit(provider))
    return askCreditRefund({ ...wish, requestKey: requestKey ?? `operation-${operation.key}` }, context);
  const own = { wanted: { ...wish, requestKey }, provider, actor: walletActor(caller) };
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

const noProvider = (creditType: string) =>
  new PosError({
    status: 400,
    message: 'No provider is installed for credit type %1.',
    parameters: [creditType],
  });

const failed = ({ refusal }: PosError): Answer => nothing(inWords(refusal));

const nothing = (sentence: string): Answer => ({
  success: false,
  amount_applied: 0,
  remaining_balance: null,
  transaction_id: null,
  error_message: sentence,
});

function answerOf({ refund: { state, message, ...given }, isGiven }: AnsweredCreditRefund): Answer {
  if (!isGiven) return nothing(state === 'reserved' ? unknownEnd : (message ?? 'It was refused.'));
  return {
    success: true,
    amount_applied: toWire(given.amount),
    remaining_balance: given.remainingBalance == null ? null : toWire(given.remainingBalance),
    transaction_id: given.transactionId ?? null,
    error_message: null,
  };
}

/** The message to the cashier when the outcome is unknown: nothing more may be handed out for it. */
const unknownEnd =
  'The provider did not say whether the credit was given. It is asked again automatically; do not pay it out in another way.';
