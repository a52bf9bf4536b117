import { z } from 'zod';
import { readCreditScope } from '../../db/credit-stores/read-credit-scope.ts';
import { notFound } from '../../domain/errors.ts';
import { inTime } from '../../providers/in-time.ts';
import { route } from '../http/route.ts';
import { text } from '../wire/schemas.ts';
import { lookUpDeadline } from '../http/register/look-up-deadline.ts';
import { creditBalanceAnswer, renderCreditBalance } from '../wire/register/render-credit-balance.ts';

/** The longest path: a longer code is just not found. */
const longestPath = 16_384;

/** A gift card's balance (spec 4.6), from the first active provider that knows the code. */
export const getGiftCard = route({
  method: 'GET',
  path: '/V1/pos/credits/giftcard/:code',
  acl: 'Vendor_Pos::locations',
  summary: 'What is on a gift card',
  name: 'getGiftCard',
  description: 'The code ignores case. The first active provider that knows it answers.',
  outcomes: [
    {
      status: 404,
      message: 'Gift card with code %1 not found.',
      when: 'The code is unknown, no provider has gift cards, or none could be reached.',
    },
  ],
  params: z.object({ code: text(longestPath) }),
  response: creditBalanceAnswer,
  isPrivate: true,

  async handle({ em, params: { code }, providers, store, log }) {
    const scope = await readCreditScope(em, store.storeId);
    const deadline = lookUpDeadline();
    for (const provider of providers.credits.enabled(scope.settings)) {
      if (provider.kind !== 'gift_card') continue;
      try {
        const card = await inTime(provider.findCard({ code, scope, deadline }), deadline);
        if (card) return renderCreditBalance(card);
      } catch (error) {
        log.warn({ provider: provider.code, error }, 'a gift card could not be looked up');
      }
    }
    throw notFound('Gift card with code %1 not found.', [code]);
  },
});
