import { expect, test } from 'vitest';
import { afterCallSeconds } from '../../../domain/refunds/answer-time.ts';

test('a caller waits longer than every look-up and the pauses between them', () => {
  // Three look-ups of up to 8 s, with 1 s and 2 s between them.
  expect(afterCallSeconds).toBeGreaterThan(8 + 1 + 8 + 2 + 8);
});
