import { z } from 'zod';
import { formatAmount } from '../../domain/money/amount.ts';
import type { RefundFinding } from '../../domain/refunds/refund-finding.ts';
import { callGateway, isResponse, unrecognised, type GatewayResponse } from './call-gateway.ts';
import type { PaymentGateway, RefundRequest } from './payment-gateway.ts';

export interface ProviderASettings {
  baseUrl: string;
  apiKey: string;
  lookUpTimeoutMs: number;
}

const refundAnswer = z.object({
  id: z.string().min(1),
  status: z.enum(['succeeded', 'failed', 'pending']),
  failure_code: z.string().nullish(),
});
const errorAnswer = z.object({ error: z.object({ code: z.string(), message: z.string().optional() }) });

/** Documented refusals of a refund: this call gave nothing back, and never will. */
const refusals = new Set([
  'refund_declined',
  'amount_exceeds_captured',
  'payment_unknown',
  'invalid_request',
  'authentication_failed',
]);

/** The card processor behind `provider_a`: REST, decimal amounts, meaningful statuses. */
export function createProviderA({ baseUrl, apiKey, lookUpTimeoutMs }: ProviderASettings): PaymentGateway {
  const headers = { authorization: `Bearer ${apiKey}` };
  return {
    code: 'provider_a',
    canLookUp: true,

    async refund(request) {
      const answer = await callGateway({
        url: `${baseUrl}/v1/refunds`,
        method: 'POST',
        headers: { ...headers, 'idempotency-key': request.idempotencyKey },
        body: refundBody(request),
        deadline: request.deadline,
      });
      return isResponse(answer) ? readRefund(answer) : answer;
    },

    async lookUpRefund(merchantReference) {
      const answer = await callGateway({
        url: `${baseUrl}/v1/refunds?reference=${encodeURIComponent(merchantReference)}`,
        method: 'GET',
        headers,
        deadline: new Date(Date.now() + lookUpTimeoutMs),
      });
      return isResponse(answer) ? readLookUp(answer) : { ...answer, evidence: 'unknown' };
    },
  };
}

const refundBody = (request: RefundRequest) => ({
  payment_id: request.paymentReference,
  amount: { value: formatAmount(request.amount), currency: request.currencyCode },
  captured_amount: { value: formatAmount(request.capturedAmount), currency: request.currencyCode },
  reference: request.merchantReference,
  order_reference: request.orderReference,
});

function readRefund(response: GatewayResponse): RefundFinding {
  const refund = refundAnswer.safeParse(response.body);
  if ((response.status === 201 || response.status === 200) && refund.success && refund.data.status === 'succeeded') {
    return { evidence: 'refunded', gatewayOutcome: 'approved', gatewayReference: refund.data.id };
  }
  const error = errorAnswer.safeParse(response.body);
  if (response.status >= 400 && response.status < 500 && error.success && refusals.has(error.data.error.code)) {
    return refused(error.data.error.code, error.data.error.message);
  }
  return unrecognised(response);
}

function readLookUp(response: GatewayResponse): RefundFinding {
  const refund = refundAnswer.safeParse(response.body);
  if (response.status === 200 && refund.success) {
    const { id, status, failure_code } = refund.data;
    if (status === 'succeeded') return { evidence: 'refunded', gatewayOutcome: 'approved', gatewayReference: id };
    if (status === 'failed') return refused(failure_code ?? 'failed', undefined);
    return { evidence: 'unknown', gatewayOutcome: 'pending', message: 'The gateway is still working on the refund.' };
  }
  const error = errorAnswer.safeParse(response.body);
  if (response.status === 404 && error.success && error.data.error.code === 'not_found') {
    return { evidence: 'not_refunded', gatewayOutcome: 'not_found', message: 'The gateway knows of no such refund.' };
  }
  return { ...unrecognised(response), message: 'The gateway cannot say what became of the refund.' };
}

const refused = (code: string, message: string | undefined): RefundFinding => ({
  evidence: 'not_refunded',
  isFinal: true,
  gatewayOutcome: code === 'refund_declined' ? 'declined' : code,
  message: message ?? 'The gateway refused the refund.',
});
