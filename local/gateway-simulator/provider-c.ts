import Router from '@koa/router';
import { z } from 'zod';
import { deliver, type Reply } from './deliver.ts';
import type { Ledger, Verdict } from './ledger.ts';
import { fromMinor, toMinor } from './minor-units.ts';
import type { Refund } from './records.ts';

const giveBackBody = z.strictObject({
  minor: z.int().positive(),
  captured_minor: z.int().positive().nullish(),
  currency: z.string().regex(/^[A-Z]{3}$/),
  note: z.string().min(1),
  order: z.string().nullish(),
});

/** The third processor's API: one route, one word for each outcome, and no records to ask for. */
export function providerC(ledger: Ledger): Router {
  const router = new Router({ prefix: '/provider_c' });
  router.use(async (context, next) => {
    if (/^(?!wrong)\S+$/.test(context.get('x-merchant-key'))) return next();
    return void Object.assign(context, refusal('authentication_failed', 'The merchant key is missing or wrong.'));
  });
  router.post('/payments/:payment/give-back', async (context) => {
    const key = context.get('x-once');
    const parsed = giveBackBody.safeParse(context.request.body);
    if (!key || !parsed.success) {
      return void Object.assign(context, refusal('invalid_request', key ? 'The body is wrong.' : 'X-Once is missing.'));
    }
    const { minor, captured_minor, currency, note, order } = parsed.data;
    const verdict = ledger.refund({
      provider: 'provider_c',
      idempotencyKey: key,
      merchantReference: note,
      orderReference: order ?? null,
      paymentId: String(context.params['payment']),
      amount: fromMinor(minor, currency),
      currency,
      captured: captured_minor ? fromMinor(captured_minor, currency) : null,
    });
    return deliver(context, { manner: verdict.manner, modes: ledger.modes, reply: replyTo(verdict) });
  });
  return router;
}

function replyTo(verdict: Verdict): Reply {
  if (verdict.said === 'key_reused') return refusal('key_of_another_refund', 'X-Once was used for another refund.');
  if (verdict.said === 'nothing') return { status: 200, body: '' };
  const { refund, isRepeated } = verdict;
  if (refund.reason === null) return { status: 200, body: render(refund) };
  const reason = refund.reason === 'refund_declined' ? 'declined' : refund.reason;
  return refusal(reason, 'The refund was refused.', isRepeated);
}

const render = ({ id, amount, currency, paymentId, merchantReference }: Refund) => ({
  result: 'ok',
  refund_no: id,
  minor: toMinor(amount, currency),
  currency,
  payment: paymentId,
  note: merchantReference,
});

const refusal = (reason: string, text: string, isStored = false): Reply => ({
  status: 409,
  body: { result: 'refused', reason, text, stored: isStored },
});
