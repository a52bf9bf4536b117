import { PosError, type Refusal } from '../../domain/errors.ts';
import {
  NotAttempted,
  type ReturnsProvider,
  type ReturnToTakeOn,
  type TakenOn,
} from '../../providers/returns/returns-provider.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';

/** A provider's answer to a return: taken on, passed before it wrote anything, or a refusal. */
export type Offered = { taken: TakenOn } | { passed: true } | { state: 'refused' | 'failed'; refusal: Refusal };

/** Offers a return to one provider. Its errors become values: only our own faults are retried (spec 4.8). */
export async function offerToProvider(
  { log }: Pick<ActivityDependencies, 'log'>,
  provider: ReturnsProvider,
  request: ReturnToTakeOn,
): Promise<Offered> {
  try {
    return { taken: await provider.takeOn(request) };
  } catch (error) {
    if (error instanceof NotAttempted) return { passed: true };
    if (error instanceof PosError) return { state: 'refused', refusal: error.refusal };
    log.error({ request: request.requestKey, provider: provider.code, error }, 'a returns provider failed');
    const why = error instanceof Error ? error.message : 'It gave no reason.';
    const message = `The returns provider "${provider.code}" failed: ${why} No money was given back.`;
    return { state: 'failed', refusal: { status: 500, message } };
  }
}
