import { z } from 'zod';
import { inMinorUnits, minorText } from '../../domain/currency-texts.ts';
import type { RefundFinding } from '../../domain/refunds/refund-finding.ts';
import { deadlineIn } from '../deadline.ts';
import {
  callGateway,
  isResponse,
  cannotSay,
  notFound,
  notProcessed,
  pending,
  refunded,
  refused,
  repeatedNo,
  unrecognised,
  wordsOf,
  otherRefund,
  longestReference,
  tooFine,
  type GatewayResponse,
} from './findings.ts';
import type { RequestedRefund, KnownRefund, PaymentGateway, RefundRequest } from './payment-gateway.ts';

export interface ProviderBSettings {
  baseUrl: string;
  tokenCode: string;
  apiToken: string;
  serviceId: string;
  lookUpTimeoutMs: number;
}

const refundSchema = z.object({
  refundId: z.string().min(1).max(longestReference),
  state: z.enum(['REFUNDED', 'DECLINED', 'PROCESSING']),
  amountMinor: z.int().optional().catch(undefined),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional()
    .catch(undefined),
  transactionId: z.string().nullish().catch(''),
  refundReference: z.string().optional().catch(undefined),
});

/** Every answer of its own says what happened; most have HTTP 200. */
const answerSchema = z.object({
  request: z.object({
    result: z.enum(['0', '1']),
    errorId: z.string(),
    errorMessage: z.string().nullish(),
    repeated: z.boolean().optional(),
  }),
  refund: refundSchema.nullish(),
});

/** More refunds than a payment has. A list this long is not trusted, because it may be cut off. */
const mostRefunds = 100;
const listSchema = z.object({
  request: z.object({ result: z.literal('1') }),
  refunds: z.array(refundSchema).max(mostRefunds),
});

/** Documented refusals of a refund: this call refunded nothing and never will. */
const refusals: Record<string, string> = {
  'PB-51': 'declined',
  'PB-61': 'amount_exceeds_captured',
  'PB-44': 'payment_unknown',
  'PB-30': 'invalid_request',
  'PB-401': 'authentication_failed',
};

/** Documented for 429 and 503: the refund was not processed. */
const unprocessed = 'PB-503';

/** The card processor behind `provider_b`: minor units, and an envelope around every answer. */
export function createProviderB(settings: ProviderBSettings): PaymentGateway {
  const { baseUrl, tokenCode, apiToken, serviceId, lookUpTimeoutMs } = settings;
  const credentials = Buffer.from(`${tokenCode}:${apiToken}`).toString('base64');
  const headers = { authorization: `Basic ${credentials}` };
  return {
    code: 'provider_b',
    canLookUp: true,
    // It also takes orders without a payment of their own; those have no transaction.
    canTrack: (payment) => payment !== null && payment !== '',

    async refund(request) {
      const body = refundBody(serviceId, request);
      if (body === undefined) return tooFine;
      const answer = await callGateway({
        url: `${baseUrl}/refund`,
        method: 'POST',
        headers,
        body,
        deadline: request.deadline,
      });
      return isResponse(answer) ? readRefund(answer, request, [credentials, apiToken, tokenCode]) : answer;
    },

    async refundsOf(paymentReference) {
      const answer = await callGateway({
        url: `${baseUrl}/refunds-of/${encodeURIComponent(paymentReference)}`,
        method: 'GET',
        headers,
        deadline: deadlineIn(lookUpTimeoutMs),
      });
      const parsed = isResponse(answer) && answer.status === 200 ? listSchema.safeParse(answer.body) : undefined;
      return parsed?.data?.refunds.filter(({ state }) => state !== 'DECLINED').map(knownRefund);
    },

    async lookUpRefund(query) {
      const answer = await callGateway({
        url: `${baseUrl}/refund-status/${encodeURIComponent(query.merchantReference)}`,
        method: 'GET',
        headers,
        deadline: deadlineIn(lookUpTimeoutMs),
      });
      return isResponse(answer) ? readLookUp(answer, query) : cannotSay;
    },
  };
}

function refundBody(serviceId: string, request: RefundRequest) {
  const amountMinor = inMinorUnits(request.amount, request.currencyCode);
  if (amountMinor === undefined) return undefined;
  return {
    serviceId,
    requestKey: request.idempotencyKey,
    refundReference: request.merchantReference,
    orderNumber: request.orderReference,
    transactionId: request.paymentReference,
    amountMinor,
    capturedMinor: inMinorUnits(request.capturedAmount, request.currencyCode) ?? null,
    currency: request.currencyCode,
  };
}

function readRefund(response: GatewayResponse, query: RequestedRefund, secrets: readonly string[]): RefundFinding {
  const answer = answerSchema.safeParse(response.body);
  if (!answer.success || (response.status >= 500 && response.status !== 503)) return unrecognised(response);
  const { request, refund } = answer.data;
  if (response.status === 200 && request.result === '1' && refund?.state === 'REFUNDED') {
    return isOther(query, refund) ?? refunded(refund.refundId);
  }
  const words = wordsOf(request.errorMessage, secrets);
  if ((response.status === 429 || response.status === 503) && request.errorId === unprocessed) {
    return request.repeated === true ? repeatedNo(words) : notProcessed(words);
  }
  const refusal = refusals[request.errorId];
  if (request.result !== '0' || refusal === undefined || response.status >= 500) return unrecognised(response);
  return request.repeated === true ? repeatedNo(words) : refused(refusal, words);
}

function readLookUp(response: GatewayResponse, query: RequestedRefund): RefundFinding {
  const answer = answerSchema.safeParse(response.body);
  if (response.status !== 200 || !answer.success) return cannotSay;
  const { request, refund } = answer.data;
  const other = refund && isOther(query, refund);
  if (other) return other;
  switch (refund?.state) {
    case 'REFUNDED':
      return refunded(refund.refundId);
    case 'DECLINED':
      return refused('declined', undefined);
    case 'PROCESSING':
      return pending;
    case undefined:
      return request.result === '0' && request.errorId === 'PB-404' ? notFound : cannotSay;
  }
}

type ReportedByB = z.output<typeof refundSchema>;

const isOther = (request: RequestedRefund, reported: ReportedByB): RefundFinding | undefined =>
  otherRefund(request, {
    minor: reported.amountMinor,
    currencyCode: reported.currency,
    paymentReference: reported.transactionId,
    merchantReference: reported.refundReference,
  });

const knownRefund = ({ refundId, amountMinor, currency, refundReference }: ReportedByB): KnownRefund => ({
  gatewayReference: refundId,
  merchantReference: refundReference ?? null,
  amountText:
    amountMinor === undefined || currency === undefined
      ? 'an unknown amount'
      : `${minorText(amountMinor, currency)} ${currency}`,
});
