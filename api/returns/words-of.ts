import { refuseCardData } from '../../domain/refuse-card-data.ts';
import { sealWords } from '../../providers/returns/sealed-words.ts';
import type { RouteContext } from '../http/route.ts';

/** A person's comment, sealed for its way to the worker. Refused with: 400 a card number. */
export function wordsOf({ providers }: Pick<RouteContext, 'providers'>, comment: string | undefined): string | null {
  refuseCardData(comment);
  return sealWords(providers.secrets, { comment: comment ?? null });
}
