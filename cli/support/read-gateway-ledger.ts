import { z } from 'zod';
import type { GatewayLedger } from '../../books/verify/gateway-ledger.ts';

/** The simulator answers in milliseconds; after this time it counts as away. */
const patienceMs = 5_000;

const refundsSchema = z.array(
  z.object({
    idempotency_key: z.string(),
    amount: z.string(),
    currency: z.string(),
    captured_amount: z.string().nullable(),
    payment_id: z.string().nullable(),
    state: z.enum(['refunded', 'declined']),
  }),
);
const callsSchema = z.array(z.object({ merchant_reference: z.string() }));

/** The gateway simulator's own records. Throws when it does not answer, or answers something else. */
export async function readGatewayLedger(url: string): Promise<GatewayLedger> {
  const [refunds, calls] = await Promise.all([get(`${url}/refunds`, refundsSchema), get(`${url}/calls`, callsSchema)]);
  return {
    refunds: refunds.map((refund) => ({
      idempotencyKey: refund.idempotency_key,
      amount: refund.amount,
      currency: refund.currency,
      capturedAmount: refund.captured_amount,
      paymentId: refund.payment_id,
      state: refund.state,
    })),
    calls: calls.map((call) => ({ merchantReference: call.merchant_reference })),
  };
}

async function get<Schema extends z.ZodType>(url: string, schema: Schema): Promise<z.output<Schema>> {
  const response = await fetch(url, { signal: AbortSignal.timeout(patienceMs) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return schema.parse(await response.json());
}
