import { markRestored } from '../db/verdicts/mark-restored.ts';
import { fine, type Answer } from './support/answer.ts';
import type { CommandContext } from './support/command-context.ts';

/**
 * `restored mark`: the database is an older state of itself, or a copy. Everything under way becomes uncertain. See
 * `markRestored`; `docs/operators/restore.md` describes the steps before and after.
 */
export async function markBooksRestored({ em }: CommandContext): Promise<Answer> {
  const restored = await markRestored(await em());
  const { generation, attemptIds, spendingIds, droppedMails } = restored;
  const text = [
    `This is generation ${generation} of the installation: outside names start again.`,
    countOf(attemptIds, 'refund is uncertain now', 'refunds are uncertain now', 'npm run pos -- refunds uncertain'),
    countOf(
      spendingIds,
      'spending of credit is held',
      'spendings of credit are held',
      'send their orders again, or npm run pos -- restored give-back ID',
    ),
    `${droppedMails} mails to customers are not sent.`,
    'From now on a gateway is asked before each refund what it gave back of the payment.',
    'When the books are complete again: npm run pos -- restored over',
  ].join('\n');
  return fine(text, restored);
}

const countOf = (ids: readonly number[], one: string, many: string, wayOn: string): string =>
  ids.length === 0 ? `No ${many}.` : `${ids.length} ${ids.length === 1 ? one : many} (${ids.join(', ')}): ${wayOn}`;
