import { gatewayUncertain } from './return-outcomes.ts';
import type { AnyRoute } from '../http/route.ts';
import { unknownOrder, cardNumber, workflowsAway, waitedTooLong } from '../wire/outcomes.ts';
import { unknownLocation, notEligible, gatewayRefused, cardTookLess } from './return-outcomes.ts';

/** Texts of the route that creates a return. */
export const createReturnWords: Pick<AnyRoute, 'name' | 'summary' | 'description' | 'outcomes'> = {
  summary: 'Create a return',
  name: 'createReturn',
  description: `With \`autoApprove\` the return is approved, its goods are taken in, and it is parked or refunded in
    this call; \`locationId\` is needed then. Without it the return waits as \`pending\`. \`refundMethod\`
    \`original_payment\` refunds the card at once; any other method parks the return until \`settle\`. Send
    \`posSaleId\`, made by the register: it makes the call safe to repeat, and the sale’s one return is answered with
    \`reused\`. Where the approval or the refund is refused, the return stays and \`parameters.return_id\` names it; money
    that is known not to go back is refused before goods move, in the words of a settle.
    \`items\` is a JSON text. The refund follows \`qty_requested\`; \`qty_received\` moves stock only.`,
  outcomes: [
    unknownOrder,
    unknownLocation,
    notEligible,
    gatewayRefused,
    {
      status: 409,
      code: 'sale_return_conflict',
      message: 'The sale already has return 000000001 of another order.',
      when: '`posSaleId` belongs to a return of another order, or of another provider.',
      then: 'Show the sentence. The register made one id twice.',
    },
    {
      status: 409,
      code: 'sale_return_being_created',
      message: 'Return 000000013 exists and is still being created. Send the same request again in a moment.',
      when: 'The first call with this `posSaleId` is not over, or something stopped it: the sentence says what.',
      then: 'Send the same request again.',
    },
    {
      status: 409,
      code: 'return_not_ready',
      message: 'Return 000000014 exists and is still being created. Read it again in a moment; do not make another.',
      when: 'A call without `posSaleId` was not finished in time.',
      then: 'Read the return of `parameters.return_id`.',
    },
    gatewayUncertain,
    cardTookLess,
    {
      status: 400,
      message:
        'Creditmemo Document Validation Error(s):\nA creditmemo can not be created when an order has a status of …',
      when: 'The order is on hold, or nothing may be refunded of it. The return stands, and no goods moved.',
      then: 'Send the same request again once the hold is gone, or close the return.',
    },
    {
      status: 400,
      code: 'nothing_left_to_refund',
      message: 'Nothing is left to refund: credit memo 000000007 took it.',
      when: 'Other refunds took the money. The return stands, and no goods moved.',
      then: 'Close the return.',
    },
    {
      status: 400,
      message:
        'The location has no source for damaged goods, so "…" cannot be received. Set one or choose another condition.',
      when: 'Goods came back damaged to a location without a place for them.',
    },
    workflowsAway,
    waitedTooLong,
    cardNumber,
  ],
};
