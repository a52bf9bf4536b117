import { hash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { movementsText, tenderFigures, type TenderFigures } from '../../domain/register-sessions/drawer-figures.ts';
import type { RegisterSession } from './register-session.entity.ts';
import { readMoved, type MovedRow } from './session-figures.ts';

/** What a session moved by now, what should be in its drawer, and what makes two looks at its movements the same. */
export interface FiguresNow {
  moved: MovedRow[];
  figures: TenderFigures[];
  movementsHash: string;
}

export async function figuresNow(tx: EntityManager, { sessionId, opening }: RegisterSession): Promise<FiguresNow> {
  const moved = await readMoved(tx, sessionId);
  const figures = tenderFigures(opening, moved);
  const movements = moved.reduce((sum, { count }) => sum + count, 0);
  return { moved, figures, movementsHash: hash('sha256', movementsText(figures, movements)) };
}
