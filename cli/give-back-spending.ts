import { giveUpHeldSpending } from '../db/credits/give-up-held-spending.ts';
import { invalid } from '../domain/errors.ts';
import { fine, type Answer } from './support/answer.ts';
import { rowId } from './support/row-id.ts';
import type { CommandContext } from './support/command-context.ts';

/**
 * `restored give-back ID`: no order has this held spending, so the next sweep asks its provider to give the credit
 * back. Refused with 400 for a spending that is not held, or that an order has.
 */
export async function giveBackSpending({ em }: CommandContext, id: string): Promise<Answer> {
  const spendingId = rowId(id, 'spending');
  if (!(await giveUpHeldSpending(await em(), spendingId)))
    throw invalid('Spending %1 is not held, or an order has it.', [String(spendingId)]);
  return fine(`The provider of spending ${spendingId} gives the credit back within minutes.`, {
    spending_id: spendingId,
  });
}
