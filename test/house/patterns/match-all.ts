import { parentPort } from 'node:worker_threads';
import { hostileTexts, type HostileText } from './hostile-texts.ts';

/** In a thread of its own, which can be ended in the middle of a match: says what it begins, and how long it took. */
const longText = 100_000;

parentPort?.on('message', ({ source, flags }: { source: string; flags: string }) => {
  const pattern = new RegExp(source, flags.includes('g') ? flags : `${flags}g`);
  const baselineMs = timeOf(everySign, 'a'.repeat(longText));
  parentPort?.postMessage({ says: 'baseline', baselineMs });
  for (const text of hostileTexts(source, flags)) {
    parentPort?.postMessage({ says: 'begins', text });
    parentPort?.postMessage({ says: 'ends', ms: timeOf(pattern, stretched(text)) });
  }
  parentPort?.postMessage({ says: 'done' });
});

/** As many matches as there can be, and each found at once: linear. */
const everySign = /[^]/g;
// The first time is a slow one, and no measure.
timeOf(everySign, 'a'.repeat(longText));

const stretched = ({ before, unit, after }: HostileText) =>
  before + unit.repeat(Math.ceil((longText - before.length - after.length) / unit.length)) + after;

function timeOf(pattern: RegExp, text: string): number {
  const began = performance.now();
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    if (found[0] === '') pattern.lastIndex++;
  }
  return performance.now() - began;
}
