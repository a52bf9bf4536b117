import type { CreditMemoFigures } from '../../../domain/platform/credit-memos/credit-memo-figures.ts';
import type { MemoFigureSource } from './credit-memo.entity.ts';

/** Figures that are booked as they are: the caller has checked them against what was left. */
export interface FixedFigures {
  figures: CreditMemoFigures;
  from: Exclude<MemoFigureSource, 'save'>;
}
