import { markdownLiteral } from '../../domain/markdown-literal.ts';
import type { Looked } from './messages.ts';

/** What housekeeping's page shows. */
export interface HousekeepingView {
  isPaused?: boolean;
  last: Looked;
  /** When that was, in milliseconds by the worker's clock; 0: not yet. */
  lastAt: number;
  /** Parts that take longer than a look, and run beside it. */
  busy: Set<string>;
  /** What those did last. */
  beside: Record<string, string>;
}

/** The text of the workflow's page: what the last look did, and what could not be done. */
export function housekeepingDetails({ last, lastAt, isPaused, beside, busy }: HousekeepingView): string {
  const counts = Object.entries(last.counts).map(([kind, count]) => `${count} ${kind}`);
  const lines = [
    isPaused === true
      ? '### Paused: nothing is looked at until the signal `resume`'
      : '### Looks each minute for work that nobody continues',
    '',
    `- Last look ${new Date(lastAt).toISOString()}: ${counts.length === 0 ? 'nothing was left over' : `woke ${counts.join(', ')}`}.`,
  ];
  if (last.failed.length > 0)
    lines.push(
      `- Could not be done: ${last.failed.map((part) => markdownLiteral(part)).join(', ')}. The worker’s log says why; it is tried again.`,
    );
  for (const [name, result] of Object.entries(beside)) lines.push(`- ${name}: ${result}.`);
  if (busy.size > 0) lines.push(`- Under way: ${[...busy].join(', ')}.`);
  return lines.join('\n');
}
