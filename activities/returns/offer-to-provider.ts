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
    const message = `The returns provider "${provider.code}" failed: ${sentenceOf(error)} No money was given back.`;
    return { state: 'failed', refusal: { status: 500, message } };
  }
}

/** What it threw, as one sentence: it is told at the register and stands in the order's history. */
function sentenceOf(error: unknown): string {
  const said = error instanceof Error ? error.message.replaceAll(/\s+/g, ' ').trim() : '';
  const short = said.length > longestSaid ? `${said.slice(0, longestSaid)}…` : said;
  if (short === '') return 'It gave no reason.';
  return /[.!?…]$/.test(short) ? short : `${short}.`;
}

const longestSaid = 300;
