import { PosError, type Refusal } from '../../domain/errors.ts';
import {
  NotAttempted,
  type ReturnsProvider,
  type ReturnToTakeOn,
  type TakenOn,
} from '../../providers/returns/returns-provider.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';

/** What a provider made of a return: it took it, it passed before it wrote anything, or why not. */
export type Offered = { taken: TakenOn } | { passed: true } | { state: 'refused' | 'failed'; refusal: Refusal };

/** Offers a return to one provider. Whatever it throws becomes a value: only faults of ours are tried again (spec 4.8). */
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
