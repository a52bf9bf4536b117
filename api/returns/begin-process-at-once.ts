import { processAtOnce, type ProcessedAtOnce } from '../../db/process/process-at-once.ts';
import { paymentOfOrder } from '../../db/process/process.repository.ts';
import type { AskedRun } from '../../db/process/run-of-request.ts';
import type { ThroughGateway } from '../../db/refunds/through-gateway.ts';
import { PosError } from '../../domain/errors.ts';
import { builtInCode } from '../../domain/returns/built-in-code.ts';
import { methodOfProcess } from '../../domain/returns/collapsed-return.ts';
import { noObjection } from '../../domain/returns/eligibility.ts';
import type { TakenPayment } from '../../providers/gateways/can-refund-through.ts';
import type { RouteContext } from '../http/route.ts';
import { refundAndMail } from '../http/refund-and-mail.ts';
import { activeProvider, answersOf } from './active-provider.ts';
import { activeStoreCredit } from './active-store-credit.ts';
import { wordsOf, type ProcessBody } from './process-payload.ts';

type Process = RouteContext & { body: ProcessBody };

/**
 * A collapsed return with the built-in returns is one transaction, and where its money goes through a gateway one call
 * and the books. Undefined: the workflow must do it, and it also answers refusals.
 */
export async function beginProcessAtOnce(request: Process, asked: AskedRun): Promise<ProcessedAtOnce | undefined> {
  const { em, providers } = request;
  const { orderId, resolution } = asked;
  const order = await paymentOfOrder(em, orderId);
  const provider = order && (await activeProvider({ providers }, order.storeId));
  if (!order || provider?.code !== builtInCode) return undefined;
  const options = await provider.options(order.storeId);
  const says = answersOf(provider, { options, verdict: noObjection });
  const begin = async (through?: ThroughGateway) =>
    processAtOnce(em, {
      ...asked,
      ...wordsOf(request, { resolution, options, periodDays: 0 }),
      provider: says,
      storeCreditIn: await activeStoreCredit(request, asked),
      ...through,
    });
  return orUndefined(() =>
    methodOfProcess(asked) === 'original_payment' ? callAtOnce(request, order, begin) : begin(),
  );
}

/** Goods back, and money back through the gateway; what became of the call is in the row of the collapsed return. */
async function callAtOnce(
  request: Process,
  payment: TakenPayment,
  begin: (through: ThroughGateway) => Promise<ProcessedAtOnce | undefined>,
): Promise<ProcessedAtOnce | undefined> {
  const { opened } = await refundAndMail(request, {
    payment,
    open: async (through) => {
      const run = await begin(through);
      return { run, attempt: run?.attempt };
    },
  });
  return opened.run;
}

/** Undefined on a refusal: the workflow then answers it in full. */
async function orUndefined<Made>(work: () => Promise<Made>): Promise<Made | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PosError) return undefined;
    throw error;
  }
}
