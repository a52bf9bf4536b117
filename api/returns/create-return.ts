import { z } from 'zod';
import { fieldRequired } from '../../domain/errors.ts';
import { refuseCardData } from '../../domain/refuse-card-data.ts';
import { route } from '../http/route.ts';
import { flag, integer, jsonText, payload, text } from '../wire/schemas.ts';
import { placeReturn } from './place-return.ts';
import { returnAnswer, withPointsOwed } from './render-return.ts';
import { itemRow } from './return-item-row.ts';
import { createReturnWords } from './create-return-words.ts';

/**
 * Creates a return; with `autoApprove` it is approved, received and parked or refunded in the same call (spec 4.8).
 *
 * A sale id makes it safe to repeat: the sale's first return is answered with `reused`, once whatever was unfinished
 * of it is finished; while its refund is uncertain, with the 409 of the first call. Without a sale id, and without an
 * `Idempotency-Key`, a second call is a second return, as far as anything is left to return. The approval is best
 * effort: when it or the refund is refused, the return stays and the error tells its id. A repeat that still cannot
 * finish it is a conflict that says why.
 */
export const createReturnRoute = route({
  method: 'POST',
  path: '/V1/pos/rma',
  acl: 'Vendor_Pos::locations',
  ...createReturnWords,
  commits: 'several',
  body: payload({
    orderId: integer,
    customerId: integer.optional(),
    items: jsonText(z.array(itemRow).min(1).max(500)),
    comment: text(4_000).optional(),
    autoApprove: flag.default(false),
    locationId: integer.optional(),
    refundMethod: text(64).optional(),
    posSaleId: text(64).optional(),
  }),
  response: returnAnswer,

  async handle(request) {
    const { body } = request;
    refuseCardData(body.comment);
    if (body.autoApprove && !body.locationId) throw fieldRequired('locationId');
    const { rma, isReused } = await placeReturn(request, body);
    return withPointsOwed(request, rma, isReused);
  },
});
