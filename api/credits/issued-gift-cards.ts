import { z } from 'zod';
import { giftCardsIssuedFor, type IssuedGiftCard } from '../../db/gift-cards/find-gift-card.ts';
import { readOrderRows } from '../../db/platform/orders/lock-order.ts';
import { noSuchDocument } from '../../domain/errors.ts';
import { route } from '../http/route.ts';
import { amount, derived, fieldsOf, momentOrNull, named } from '../wire/fields.ts';
import { unknownOrder } from '../wire/outcomes.ts';
import { idParam } from '../wire/schemas.ts';

const issuedGiftCard = fieldsOf(
  {
    code: z.string(),
    currency: named('baseCurrencyCode', z.string()),
    issued_amount: named('amount', amount()),
    balance: amount(),
    expires_at: momentOrNull(),
    credit_memo_id: z.int().nullable(),
    is_disabled: derived(({ state }: IssuedGiftCard) => state === 'disabled', z.boolean()),
  },
  'IssuedGiftCard',
);

/**
 * Gift cards that refunds of an order issued because the card that had paid is disabled, with their codes: what a
 * register prints or reads out after a cancel, whose answer has no room for them (our choice).
 */
export const listIssuedGiftCards = route({
  method: 'GET',
  path: '/V1/pos/orders/:orderId/issued-gift-cards',
  acl: 'Vendor_Pos::locations',
  summary: 'Gift cards that refunds of an order issued',
  name: 'listIssuedGiftCards',
  description: `Refunds and cancellations give a gift card’s part back to that card. Where it is disabled, they issue a
    new card instead. This is the list of these cards with their codes, oldest first: hand them to the customer. Most
    orders have none.`,
  outcomes: [unknownOrder],
  params: z.object({ orderId: idParam }),
  response: z.array(issuedGiftCard.answer),
  isPrivate: true,

  async handle({ em, params: { orderId } }) {
    const cards = await giftCardsIssuedFor(em, orderId);
    if (cards.length === 0 && !(await readOrderRows(em, orderId))) throw noSuchDocument();
    return cards.map(issuedGiftCard.render);
  },
});
