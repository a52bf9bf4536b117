import { refuseCardData } from '../domain/card-data.ts';
import { givePointsByHand } from '../db/reward-points/give-points.ts';
import { sql } from '../db/support/sql.ts';
import { invalid, notFound } from '../domain/errors.ts';
import { fine, findScope, rowId, type Answer, type CommandContext } from './support.ts';

export interface AddPointsOptions {
  customer: string;
  points: string;
  website?: string;
  reason?: string;
}

const wholeNumber = /^[+-]?\d{1,10}$/;

/**
 * `points add --customer ID --points N [--website CODE] [--reason TEXT]`: gives a customer points, or takes some away
 * (a negative number), with an audit entry. Default: the customer's own website. Each call gives again.
 *
 * Refused with 400 for a number that is not whole or is zero, a card number in the reason, or a balance below zero;
 * 404 for an unknown customer or website.
 */
export async function addPoints(
  { em: connect }: CommandContext,
  { customer, points: text, website, reason = 'given by hand' }: AddPointsOptions,
): Promise<Answer> {
  const customerId = rowId(customer, 'customer');
  if (!wholeNumber.test(text.trim())) throw invalid('"%1" is not a whole number of at most ten digits.', [text]);
  refuseCardData(reason);
  const points = Number(text);
  const em = await connect();
  const row = await websiteOf.first(em, { customerId });
  if (!row) throw notFound('No customer has the id %1.', [customerId]);
  const websiteId = website === undefined ? row.websiteId : (await findScope(em, { website })).websiteId;
  const { balanceAfter } = await givePointsByHand(em, { customerId, websiteId, points, reason });
  const verb = points > 0 ? 'got' : 'lost';
  return fine(`Customer ${customerId} ${verb} ${Math.abs(points)} points and has ${balanceAfter} now.`, {
    customer_id: customerId,
    website_id: websiteId,
    points,
    balance: balanceAfter,
  });
}

const websiteOf = sql('add-points.websiteOf')`select website_id from customer where id = $customerId`;
