import { afterEach, expect, test, vi } from 'vitest';
import { deadlineIn } from '../../providers/deadline.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const wall = Date.now();
const steady = performance.now();
const clocksSay = (wallMs: number, steadyMs: number) => {
  vi.spyOn(Date, 'now').mockReturnValue(wall + wallMs);
  vi.spyOn(performance, 'now').mockReturnValue(steady + steadyMs);
};

test.each([
  ['as time passes', { wallMs: 400, steadyMs: 400 }, 600],
  ['when somebody sets the clock back', { wallMs: -3_600_000, steadyMs: 400 }, 600],
  ['when the machine slept and its steady clock stood still', { wallMs: 3_600_000, steadyMs: 5 }, -3_599_000],
])('a second is over %s', (_when, { wallMs, steadyMs }, leftMs) => {
  clocksSay(0, 0);
  const deadline = deadlineIn(1_000);
  clocksSay(wallMs, steadyMs);

  expect(Math.round(deadline.remainingMs())).toBe(leftMs);
});
