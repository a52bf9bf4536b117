import type { InputError } from '../errors.ts';
import { sourceCodeErrors } from './source-item-errors.ts';

/**
 * What the platform finds wrong with one link of a stock and a source, in the order of its own checks (platform facts
 * 2.2). A missing priority counts as 0.
 */
export const linkErrors = ({ sourceCode, priority }: { sourceCode: string; priority: number }): InputError[] => [
  ...sourceCodeErrors(sourceCode),
  ...(priority > 0 ? [] : [{ message: '"%field" should be greater then 0.', parameters: { field: 'priority' } }]),
];
