import Router from '@koa/router';
import type { Context } from 'koa';
import { z } from 'zod';
import { parseAmount } from '../../domain/money/amount.ts';
import { deliver, type Reply } from './deliver.ts';
import type { Ledger, Verdict } from './ledger.ts';
import { formatMinor, toMinor } from './minor-units.ts';
import type { Reason, Refund } from './records.ts';

/** Decimal strings, and none finer than the currency's smallest coin. */
const money = z
  .strictObject({ value: z.string(), currency: z.string().regex(/^[A-Z]{3}$/) })
  .transform(({ value, currency }, context) => {
    const amount = parseAmount(value);
    if (amount !== undefined && amount > 0 && toMinor(amount, currency) !== undefined) return { amount, currency };
    context.addIssue({ code: 'custom', message: `"${value}" is not an amount of ${currency}` });
    return z.NEVER;
  });

const refundBody = z.strictObject({
  payment_id: z.string().min(1).nullable(),
  amount: money,
  captured_amount: money.nullish(),
  reference: z.string().min(1),
  order_reference: z.string().nullish(),
});

const refusals: Record<Reason, Reply> = {
  refund_declined: failure(402, 'refund_declined', 'The card issuer refused the refund.'),
  amount_exceeds_captured: failure(422, 'amount_exceeds_captured', 'More would be refunded than was captured.'),
  payment_unknown: failure(422, 'payment_unknown', 'No such payment.'),
};

/** The first processor's API: REST, snake_case, decimal strings, meaningful HTTP statuses. */
export function providerA(ledger: Ledger): Router {
  const router = new Router({ prefix: '/provider_a' });
  router.use(async (context, next) => {
    if (/^Bearer (?!wrong)\S+$/.test(context.get('authorization'))) return next();
    return answer(context, failure(401, 'authentication_failed', 'The API key is missing or wrong.'));
  });
  router.post('/v1/refunds', async (context) => {
    const idempotencyKey = context.get('idempotency-key');
    const parsed = refundBody.safeParse(context.request.body);
    if (!idempotencyKey) return answer(context, failure(400, 'invalid_request', 'Idempotency-Key is missing.'));
    if (!parsed.success) return answer(context, failure(400, 'invalid_request', z.prettifyError(parsed.error)));
    const { payment_id, amount: asked, captured_amount, reference, order_reference } = parsed.data;
    const verdict = ledger.refund({
      provider: 'provider_a',
      idempotencyKey,
      merchantReference: reference,
      orderReference: order_reference ?? null,
      paymentId: payment_id,
      ...asked,
      captured: captured_amount?.amount ?? null,
    });
    return deliver(context, { manner: verdict.manner, modes: ledger.modes, reply: replyTo(verdict) });
  });
  router.get('/v1/refunds', (context) => {
    const { reference, payment_id: paymentId } = context.query;
    if (typeof paymentId === 'string') {
      const data = ledger.refundsOf('provider_a', paymentId).map((one) => render(one, settledStatus(one), false));
      return answer(context, { status: 200, body: { data, has_more: false } });
    }
    if (typeof reference !== 'string')
      return answer(context, failure(400, 'invalid_request', 'Say which: ?reference= or ?payment_id='));
    return answer(context, lookUp(ledger, reference));
  });
  return router;
}

function replyTo(verdict: Verdict): Reply {
  if (verdict.said === 'key_reused')
    return failure(409, 'idempotency_key_reused', 'This key belongs to another refund.');
  if (verdict.said === 'nothing') return { status: 200, body: '' };
  const { refund, isRepeated } = verdict;
  if (refund.reason === null) return { status: isRepeated ? 200 : 201, body: render(refund, 'succeeded', isRepeated) };
  const refusal = refusals[refund.reason];
  return isRepeated ? { ...refusal, headers: { 'idempotent-replayed': 'true' } } : refusal;
}

function lookUp(ledger: Ledger, merchantReference: string): Reply {
  const found = ledger.lookUp({ provider: 'provider_a', merchantReference });
  if (found.says === 'not_found') return failure(404, 'not_found', 'No refund has this reference.');
  if (found.says === 'unavailable') return failure(503, 'unavailable', 'Refunds cannot be looked up at the moment.');
  return {
    status: 200,
    body: render(found.refund, found.says === 'pending' ? 'pending' : settledStatus(found.refund), false),
  };
}

const settledStatus = ({ state }: Refund) => (state === 'refunded' ? 'succeeded' : 'failed');

const render = (refund: Refund, status: 'succeeded' | 'failed' | 'pending', isRepeated: boolean) => ({
  id: refund.id,
  status,
  amount: { value: formatMinor(refund.amount, refund.currency), currency: refund.currency },
  payment_id: refund.paymentId,
  known_payment: refund.isKnownPayment,
  reference: refund.merchantReference,
  failure_code: refund.reason,
  idempotent_replay: isRepeated,
  created_at: refund.at,
});

function failure(status: number, code: string, message: string): Reply {
  return { status, body: { error: { code, message } } };
}

function answer(context: Context, reply: Reply): void {
  Object.assign(context, reply);
}
