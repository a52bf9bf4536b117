import { z } from 'zod';
import { unitsPerMinor } from '../../domain/money/minor-units.ts';
import type { RefundFinding } from '../../domain/refunds/refund-finding.ts';
import { callGateway, isResponse, unrecognised, type GatewayResponse } from './call-gateway.ts';
import type { PaymentGateway, RefundRequest } from './payment-gateway.ts';

export interface ProviderBSettings {
  baseUrl: string;
  tokenCode: string;
  apiToken: string;
  serviceId: string;
  lookUpTimeoutMs: number;
}

/** Every answer it makes itself is HTTP 200; what happened stands inside. */
const answerSchema = z.object({
  request: z.object({ result: z.enum(['0', '1']), errorId: z.string(), errorMessage: z.string().nullish() }),
  refund: z.object({ refundId: z.string().min(1), state: z.enum(['REFUNDED', 'DECLINED', 'PROCESSING']) }).nullish(),
});

/** Documented refusals of a refund: this call gave nothing back, and never will. */
const refusals: Record<string, string> = {
  'PB-51': 'declined',
  'PB-61': 'amount_exceeds_captured',
  'PB-44': 'payment_unknown',
  'PB-30': 'invalid_request',
  'PB-401': 'authentication_failed',
};

/** The card processor behind `provider_b`: minor units, and 200 for everything it understood. */
export function createProviderB(settings: ProviderBSettings): PaymentGateway {
  const { baseUrl, tokenCode, apiToken, serviceId, lookUpTimeoutMs } = settings;
  const headers = { authorization: `Basic ${Buffer.from(`${tokenCode}:${apiToken}`).toString('base64')}` };
  return {
    code: 'provider_b',
    canLookUp: true,

    async refund(request) {
      const answer = await callGateway({
        url: `${baseUrl}/refund`,
        method: 'POST',
        headers,
        body: refundBody(serviceId, request),
        deadline: request.deadline,
      });
      return isResponse(answer) ? readRefund(answer) : answer;
    },

    async lookUpRefund(merchantReference) {
      const answer = await callGateway({
        url: `${baseUrl}/refund-status/${encodeURIComponent(merchantReference)}`,
        method: 'GET',
        headers,
        deadline: new Date(Date.now() + lookUpTimeoutMs),
      });
      return isResponse(answer) ? readLookUp(answer) : { ...answer, evidence: 'unknown' };
    },
  };
}

const refundBody = (serviceId: string, request: RefundRequest) => ({
  serviceId,
  requestKey: request.idempotencyKey,
  refundReference: request.merchantReference,
  orderNumber: request.orderReference,
  transactionId: request.paymentReference,
  amountMinor: request.amount / unitsPerMinor(request.currencyCode),
  capturedMinor: request.capturedAmount / unitsPerMinor(request.currencyCode),
  currency: request.currencyCode,
});

function readRefund(response: GatewayResponse): RefundFinding {
  const answer = answerSchema.safeParse(response.body);
  if (!answer.success) return unrecognised(response);
  const { request, refund } = answer.data;
  if (request.result === '1' && refund?.state === 'REFUNDED') return refunded(refund.refundId);
  const refusal = refusals[request.errorId];
  return request.result === '0' && refusal !== undefined
    ? refused(refusal, request.errorMessage)
    : unrecognised(response);
}

function readLookUp(response: GatewayResponse): RefundFinding {
  const answer = answerSchema.safeParse(response.body);
  if (response.status !== 200 || !answer.success) {
    return { ...unrecognised(response), message: 'The gateway cannot say what became of the refund.' };
  }
  const { request, refund } = answer.data;
  if (refund?.state === 'REFUNDED') return refunded(refund.refundId);
  if (refund?.state === 'DECLINED') return refused('declined', request.errorMessage);
  if (refund?.state === 'PROCESSING') {
    return { evidence: 'unknown', gatewayOutcome: 'pending', message: 'The gateway is still working on the refund.' };
  }
  if (request.errorId === 'PB-404') {
    return { evidence: 'not_refunded', gatewayOutcome: 'not_found', message: 'The gateway knows of no such refund.' };
  }
  return unrecognised(response);
}

const refunded = (gatewayReference: string): RefundFinding => ({
  evidence: 'refunded',
  gatewayOutcome: 'approved',
  gatewayReference,
});

const refused = (outcome: string, message: string | null | undefined): RefundFinding => ({
  evidence: 'not_refunded',
  isFinal: true,
  gatewayOutcome: outcome,
  message: message ?? 'The gateway refused the refund.',
});
