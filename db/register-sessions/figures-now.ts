import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { movementsText, tenderFigures, type TenderFigures } from '../../domain/register-sessions/drawer-figures.ts';
import type { RegisterSession } from './register-session.entity.ts';
import { readMoved } from './session-figures.ts';

/** What should be in a session's drawer by now, and what makes two looks at its movements the same. */
export async function figuresNow(
  tx: EntityManager,
  { sessionId, opening }: RegisterSession,
): Promise<{ figures: TenderFigures[]; movementsHash: string }> {
  const moved = await readMoved(tx, sessionId);
  const figures = tenderFigures(opening, moved);
  const movements = moved.reduce((sum, { count }) => sum + count, 0);
  return { figures, movementsHash: createHash('sha256').update(movementsText(figures, movements)).digest('hex') };
}
