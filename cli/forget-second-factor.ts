import { forgetSecondFactor } from '../db/ops/people.ts';
import { notFound } from '../domain/errors.ts';
import { fine, type Answer } from './support/answer.ts';
import type { CommandContext } from './support/command-context.ts';
import { operator } from './support/operator.ts';

/**
 * `user forget-second-factor USERNAME`: for an administrator whose phone is lost; the next sign-in at `/ops` makes a new
 * one.
 *
 * Refused with 404 for nobody.
 */
export async function forgetFactor({ em }: CommandContext, username: string): Promise<Answer> {
  const by = operator().staffName ?? 'pos';
  if (!(await forgetSecondFactor((await em()).fork(), { username, by })))
    throw notFound('No user is known as %1.', [username]);
  return fine(`${username} makes a new second factor at the next sign-in.`, { username });
}
