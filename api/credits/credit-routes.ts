import type { AnyRoute } from '../http/route.ts';
import { askApplicable } from './ask-applicable.ts';
import { getCreditBalance } from './get-credit-balance.ts';
import { getGiftCard } from './get-gift-card.ts';
import { refundToCreditRoute } from './refund-to-credit.ts';

/** Credit at every provider (spec 4.6), its part of the one list of every route. */
export const creditRoutes: readonly AnyRoute[] = [getCreditBalance, getGiftCard, askApplicable, refundToCreditRoute];
