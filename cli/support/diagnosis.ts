import type { Answer } from './answer.ts';
import { columns } from './columns.ts';
import { broken, type Check } from '../../providers/doctor/check.ts';

const marks: Record<Check['state'], string> = { ok: 'ok', warning: 'warning', broken: 'BROKEN' };

/** One line per check; it fails when one is broken. */
export function diagnosis(checks: readonly Check[]): Answer {
  const isFine = checks.every(({ state }) => state !== 'broken');
  const lines = checks.map(({ state, name, says, fix }) => [
    marks[state],
    name,
    fix === undefined ? says : `${says} → ${fix}`,
  ]);
  return { text: columns(lines), json: { ok: isFine, checks }, isFine };
}

/** For invalid settings, with which nothing else can be checked. */
export const wrongSettings = (sentence: string): Answer =>
  diagnosis([broken('settings', sentence, 'correct it in the environment or in .env')]);
