import { explainOrder } from '../books/explain/explain-order.ts';
import { explainRefund } from '../books/explain/explain-refund.ts';
import { explainReturn } from '../books/explain/explain-return.ts';
import { renderStory } from '../books/explain/render-story.ts';
import { fine, type Answer } from './support/answer.ts';
import { canLookUp } from './support/can-look-up.ts';
import type { CommandContext } from './support/command-context.ts';

const explanations = { order: explainOrder, return: explainReturn, refund: explainRefund };
export type Explained = keyof typeof explanations;
export const explained: readonly string[] = Object.keys(explanations);

/**
 * `explain order|return|refund ID`: the story of an order, return or refund, in order and in plain words.
 *
 * Refused with 404 for an unknown id or number.
 */
export async function explainMoney({ em }: CommandContext, kind: Explained, id: string): Promise<Answer> {
  const manager = await em();
  const story = await explanations[kind](manager, id, {
    canLookUp: (payment) => canLookUp(manager, payment),
  });
  return fine(renderStory(story), story);
}
