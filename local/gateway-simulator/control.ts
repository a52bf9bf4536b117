import { randomBytes } from 'node:crypto';
import Router from '@koa/router';
import type { Context } from 'koa';
import { z } from 'zod';
import { parseAmount } from '../../domain/money/amount.ts';
import { centsTable, outcomes } from './cents.ts';
import type { Ledger } from './ledger.ts';
import { formatMinor } from './minor-units.ts';
import { providerKeys, type Call, type Modes, type Refund } from './records.ts';

/** The most planned outcomes. */
const mostPlanned = 1_000;

const nextBody = z.strictObject({
  outcome: z.enum(outcomes),
  times: z.int().positive().max(mostPlanned).default(1),
});
const strictBody = z.strictObject({ enabled: z.boolean().default(true) });
const modeBody = z.strictObject({
  /** For this processor only: `keys` and `cap`. */
  provider: z.enum(providerKeys).optional(),
  keys: z.enum(['honoured', 'ignored']).optional(),
  cap: z.boolean().optional(),
  silence_ms: z.int().nonnegative().optional(),
  slow_ms: z.int().nonnegative().optional(),
});
const paymentBody = z.strictObject({
  provider: z.enum(providerKeys),
  amount: z.union([z.string(), z.number()]).transform((given, context) => {
    const amount = parseAmount(String(given));
    if (amount !== undefined && amount > 0) return amount;
    context.addIssue({ code: 'custom', message: `"${given}" is not an amount` });
    return z.NEVER;
  }),
  currency: z.string().regex(/^[A-Z]{3}$/),
  reference: z.string().min(1),
  interface: z.enum(['payment', 'order']).default('payment'),
});

/** For people and tests: what the simulator did, what it will do next, and the card terminal it simulates. */
export function control(ledger: Ledger): Router {
  const router = new Router();
  router.get('/cents', (context) => {
    context.body = centsTable;
  });
  router.get('/refunds', (context) => {
    context.body = ledger.refunds.map(renderRefund);
  });
  router.get('/calls', (context) => {
    context.body = ledger.calls.map(renderCall);
  });
  router.get('/control', (context) => {
    context.body = renderControl(ledger);
  });
  router.post('/payments', (context) => {
    const given = parse(paymentBody, context);
    if (!given) return;
    const { interface: through, ...taken } = given;
    // A payment taken by order has no id of its own: it cannot be refunded here, or looked up.
    context.body =
      through === 'order'
        ? { order_id: `ord_${randomBytes(9).toString('hex')}` }
        : { payment_id: ledger.takePayment(taken).id };
  });
  router.post('/control/next', (context) => {
    const plan = parse(nextBody, context);
    if (plan) ledger.plan(plan.outcome, plan.times);
    if (plan) context.body = renderControl(ledger);
  });
  router.post('/control/strict', (context) => {
    const given = parse(strictBody, context);
    if (given) ledger.change({ strict: given.enabled });
    if (given) context.body = renderControl(ledger);
  });
  router.post('/control/mode', (context) => {
    const given = parse(modeBody, context);
    if (given) ledger.change(modesOf(given, ledger.modes));
    if (given) context.body = renderControl(ledger);
  });
  router.post('/control/reset', (context) => {
    ledger.reset();
    context.body = renderControl(ledger);
  });
  return router;
}

function parse<Schema extends z.ZodType>(schema: Schema, context: Context): z.output<Schema> | undefined {
  const parsed = schema.safeParse(context.request.body ?? {});
  if (parsed.success) return parsed.data;
  context.status = 400;
  context.body = { error: { code: 'invalid_request', message: z.prettifyError(parsed.error) } };
  return undefined;
}

const modesOf = ({ provider, ...given }: z.output<typeof modeBody>, now: Modes): Partial<Modes> =>
  provider === undefined
    ? everywhere(given)
    : { only: { ...now.only, [provider]: { keys: given.keys ?? now.keys, cap: given.cap ?? now.cap } } };

const everywhere = ({ keys, cap, silence_ms, slow_ms }: Omit<z.output<typeof modeBody>, 'provider'>) => ({
  ...(keys === undefined ? {} : { keys }),
  ...(cap === undefined ? {} : { cap }),
  ...(silence_ms === undefined ? {} : { silenceMs: silence_ms }),
  ...(slow_ms === undefined ? {} : { slowMs: slow_ms }),
});

const renderControl = ({ modes, next }: Ledger) => ({
  next,
  keys: modes.keys,
  cap: modes.cap,
  only: modes.only ?? {},
  strict: modes.strict,
  silence_ms: modes.silenceMs,
  slow_ms: modes.slowMs,
});

const renderRefund = (refund: Refund) => ({
  id: refund.id,
  provider: refund.provider,
  idempotency_key: refund.idempotencyKey,
  merchant_references: refund.references,
  order_reference: refund.orderReference,
  payment_id: refund.paymentId,
  known_payment: refund.isKnownPayment,
  amount: formatMinor(refund.amount, refund.currency),
  currency: refund.currency,
  captured_amount: refund.captured === null ? null : formatMinor(refund.captured, refund.currency),
  state: refund.state,
  reason: refund.reason,
  outcome: refund.outcome,
  look_ups: refund.lookUps,
  at: refund.at,
});

const renderCall = (call: Call) => ({
  provider: call.provider,
  idempotency_key: call.idempotencyKey,
  merchant_reference: call.merchantReference,
  amount: formatMinor(call.amount, call.currency),
  currency: call.currency,
  outcome: call.outcome,
  answered: call.manner,
  at: call.at,
});
