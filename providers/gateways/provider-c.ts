import { z } from 'zod';
import { inMinorUnits } from '../../domain/money/minor-units.ts';
import type { RefundFinding } from '../../domain/refunds/refund-finding.ts';
import { callGateway, isResponse, type GatewayResponse } from './call-gateway.ts';
import { cannotSay, notProcessed, refunded, refused, repeatedNo, unrecognised, wordsOf } from './findings.ts';
import { otherRefund } from './other-refund.ts';
import type { AskedRefund, PaymentGateway, RefundRequest } from './payment-gateway.ts';
import { longestReference, tooFine } from './refund-checks.ts';

export interface ProviderCSettings {
  baseUrl: string;
  merchantKey: string;
}

const answerSchema = z.discriminatedUnion('result', [
  z.object({
    result: z.literal('ok'),
    refund_no: z.string().min(1).max(longestReference),
    minor: z.int().optional().catch(undefined),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .optional()
      .catch(undefined),
    payment: z.string().nullish().catch(''),
    note: z.string().optional().catch(undefined),
  }),
  z.object({ result: z.literal('refused'), reason: z.string(), text: z.string().nullish(), stored: z.boolean() }),
  z.object({ result: z.literal('busy'), text: z.string().nullish() }),
]);

/** Documented reasons: this call refunded nothing and never will. */
const refusals = new Set([
  'declined',
  'amount_exceeds_captured',
  'payment_unknown',
  'invalid_request',
  'authentication_failed',
]);

/**
 * The processor behind `provider_c`. It answers once and keeps no records to ask for, so a person must find out about
 * its uncertain refunds (spec 4.8).
 */
export function createProviderC({ baseUrl, merchantKey }: ProviderCSettings): PaymentGateway {
  return {
    code: 'provider_c',
    canLookUp: false,
    canTrack: (payment) => payment !== null && payment !== '',

    async refund(request) {
      const body = refundBody(request);
      if (body === undefined) return tooFine;
      const answer = await callGateway({
        url: `${baseUrl}/payments/${encodeURIComponent(request.paymentReference ?? '')}/give-back`,
        method: 'POST',
        headers: { 'x-merchant-key': merchantKey, 'x-once': request.idempotencyKey },
        body,
        deadline: request.deadline,
      });
      return isResponse(answer) ? readRefund(answer, request, merchantKey) : answer;
    },

    lookUpRefund: () => Promise.resolve(cannotSay),
  };
}

function refundBody(request: RefundRequest) {
  const minor = inMinorUnits(request.amount, request.currencyCode);
  if (minor === undefined) return undefined;
  return {
    minor,
    captured_minor: inMinorUnits(request.capturedAmount, request.currencyCode) ?? null,
    currency: request.currencyCode,
    note: request.merchantReference,
    order: request.orderReference,
  };
}

function readRefund(response: GatewayResponse, asked: AskedRefund, merchantKey: string): RefundFinding {
  const { status, body } = response;
  const answer = answerSchema.safeParse(body);
  if (!answer.success) return unrecognised(response);
  const { data } = answer;
  if (data.result === 'ok') {
    if (status !== 200) return unrecognised(response);
    const { minor, currency: currencyCode, payment: paymentReference, note: merchantReference } = data;
    const reported = { minor, currencyCode, paymentReference, merchantReference };
    return otherRefund(asked, reported) ?? refunded(data.refund_no);
  }
  const words = wordsOf(data.text, [merchantKey]);
  if (data.result === 'busy') return status === 429 || status === 503 ? notProcessed(words) : unrecognised(response);
  if (status !== 409 || !refusals.has(data.reason)) return unrecognised(response);
  return data.stored ? repeatedNo(words) : refused(data.reason, words);
}
