import { z } from 'zod';
import { parseAmount, type Amount } from '../../domain/money/amount.ts';
import { inMinorUnits, minorText } from '../../domain/money/minor-units.ts';
import type { RefundFinding } from '../../domain/refunds/refund-finding.ts';
import { deadlineIn } from '../deadline.ts';
import { callGateway, isResponse, type GatewayResponse } from './call-gateway.ts';
import {
  cannotSay,
  notFound,
  notProcessed,
  pending,
  refunded,
  refused,
  repeatedNo,
  unrecognised,
  wordsOf,
} from './findings.ts';
import { otherRefund } from './other-refund.ts';
import type { AskedRefund, KnownRefund, PaymentGateway, RefundRequest } from './payment-gateway.ts';
import { longestReference, tooFine } from './refund-checks.ts';

export interface ProviderASettings {
  baseUrl: string;
  apiKey: string;
  lookUpTimeoutMs: number;
}

const refundAnswer = z.object({
  id: z.string().min(1).max(longestReference),
  status: z.enum(['succeeded', 'failed', 'pending']),
  failure_code: z.string().nullish(),
  amount: z
    .object({ value: z.string().max(32), currency: z.string().regex(/^[A-Z]{3}$/) })
    .optional()
    .catch(undefined),
  payment_id: z.string().nullish().catch(''),
  reference: z.string().optional().catch(undefined),
});
/** More refunds than a payment has. A list this long is not trusted, because it may be cut off. */
const mostRefunds = 100;
const refundList = z.object({ data: z.array(refundAnswer).max(mostRefunds), has_more: z.literal(false) });
const errorAnswer = z.object({ error: z.object({ code: z.string(), message: z.string().optional() }) });

/** Documented refusals of a refund: this call refunded nothing and never will. */
const refusals = new Set([
  'refund_declined',
  'amount_exceeds_captured',
  'payment_unknown',
  'invalid_request',
  'authentication_failed',
]);

/** Documented for 429 and 503: the refund was not processed. */
const unprocessed = new Set(['rate_limited', 'not_processed']);

/** The prefix of references from its order-based interface, which are not payments. */
const orderPrefix = 'ord_';

/** The card processor behind `provider_a`: REST, decimal amounts, meaningful statuses. */
export function createProviderA({ baseUrl, apiKey, lookUpTimeoutMs }: ProviderASettings): PaymentGateway {
  const headers = { authorization: `Bearer ${apiKey}` };
  return {
    code: 'provider_a',
    canLookUp: true,
    canTrack: (payment) => payment !== null && payment !== '' && !payment.startsWith(orderPrefix),

    async refund(request) {
      const body = refundBody(request);
      if (body === undefined) return tooFine;
      const answer = await callGateway({
        url: `${baseUrl}/v1/refunds`,
        method: 'POST',
        headers: { ...headers, 'idempotency-key': request.idempotencyKey },
        body,
        deadline: request.deadline,
      });
      return isResponse(answer) ? readRefund(answer, request, apiKey) : answer;
    },

    async refundsOf(paymentReference) {
      const answer = await callGateway({
        url: `${baseUrl}/v1/refunds?payment_id=${encodeURIComponent(paymentReference)}`,
        method: 'GET',
        headers,
        deadline: deadlineIn(lookUpTimeoutMs),
      });
      const said = isResponse(answer) && answer.status === 200 ? refundList.safeParse(answer.body) : undefined;
      return said?.data?.data.filter(({ status }) => status !== 'failed').map(knownRefund);
    },

    async lookUpRefund(asked) {
      const answer = await callGateway({
        url: `${baseUrl}/v1/refunds?reference=${encodeURIComponent(asked.merchantReference)}`,
        method: 'GET',
        headers,
        deadline: deadlineIn(lookUpTimeoutMs),
      });
      return isResponse(answer) ? readLookUp(answer, asked) : cannotSay;
    },
  };
}

function refundBody(request: RefundRequest) {
  const amount = decimal(request.amount, request.currencyCode);
  return (
    amount && {
      payment_id: request.paymentReference,
      amount,
      captured_amount: decimal(request.capturedAmount, request.currencyCode) ?? null,
      reference: request.merchantReference,
      order_reference: request.orderReference,
    }
  );
}

function decimal(amount: Amount, currency: string) {
  const minor = inMinorUnits(amount, currency);
  return minor === undefined ? undefined : { value: minorText(minor, currency), currency };
}

function readRefund(response: GatewayResponse, asked: AskedRefund, apiKey: string): RefundFinding {
  const { status, headers, body } = response;
  const refund = refundAnswer.safeParse(body);
  if ((status === 201 || status === 200) && refund.success && refund.data.status === 'succeeded') {
    return isOther(asked, refund.data) ?? refunded(refund.data.id);
  }
  const answer = errorAnswer.safeParse(body);
  if (!answer.success) return unrecognised(response);
  const { code, message } = answer.data.error;
  const words = wordsOf(message, [apiKey]);
  const isUnprocessed = (status === 429 || status === 503) && unprocessed.has(code);
  const isRefusal = status >= 400 && status < 500 && refusals.has(code);
  if (!isUnprocessed && !isRefusal) return unrecognised(response);
  if (headers['idempotent-replayed'] === 'true') return repeatedNo(words);
  return isUnprocessed ? notProcessed(words) : refused(outcomeOf(code), words);
}

function readLookUp({ status, body }: GatewayResponse, asked: AskedRefund): RefundFinding {
  const refund = refundAnswer.safeParse(body);
  if (status === 200 && refund.success) {
    const other = isOther(asked, refund.data);
    if (other) return other;
    if (refund.data.status === 'succeeded') return refunded(refund.data.id);
    return refund.data.status === 'pending' ? pending : refused(outcomeOf(refund.data.failure_code), undefined);
  }
  const error = errorAnswer.safeParse(body);
  return status === 404 && error.success && error.data.error.code === 'not_found' ? notFound : cannotSay;
}

function isOther(asked: AskedRefund, reported: z.output<typeof refundAnswer>): RefundFinding | undefined {
  const { amount, payment_id: paymentReference, reference: merchantReference } = reported;
  const value = amount && parseAmount(amount.value);
  const minor = amount && value !== undefined ? inMinorUnits(value, amount.currency) : undefined;
  return otherRefund(asked, { minor, currencyCode: amount?.currency, paymentReference, merchantReference });
}

const knownRefund = ({ id, amount, reference }: z.output<typeof refundAnswer>): KnownRefund => ({
  gatewayReference: id,
  merchantReference: reference ?? null,
  amountText: amount ? `${amount.value} ${amount.currency}` : 'an unknown amount',
});

const outcomeOf = (code: string | null | undefined) =>
  code === 'refund_declined' ? 'declined' : (wordsOf(code, []) ?? 'failed');
