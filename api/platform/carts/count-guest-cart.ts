import type { EntityManager } from '@mikro-orm/postgresql';
import { countAttempt } from '../../../db/support/rate-limit.ts';
import { PosError } from '../../../domain/errors.ts';
import type { Outcome } from '../../http/route.ts';

const windowSeconds = 600;
/** A shop whose pages are made by a server calls from one address; fewer than would fill a disk (our choice). */
const mostCarts = 1_000;

export const tooManyCarts: Outcome = {
  status: 429,
  message: 'Too many requests. Please wait some minutes and try again.',
  when: `${mostCarts} carts were opened from this address without a token within ten minutes.`,
  then: 'Wait ten minutes, or call with a token.',
};

/** Counts a cart that somebody without a token opens. Refused with 429: too many from one address. */
export async function countGuestCart(em: EntityManager, address: string): Promise<void> {
  const bucket = { name: `guest carts of address ${address}`, limit: mostCarts, windowSeconds };
  if (await countAttempt(em, [bucket])) return;
  throw new PosError({ status: 429, message: tooManyCarts.message });
}
