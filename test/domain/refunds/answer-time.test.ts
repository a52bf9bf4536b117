import { expect, test } from 'vitest';
import { longestAnswerSeconds } from '../../../domain/refunds/answer-time.ts';

test.each([1, 20, 60])(
  'a gateway that may take %i s, and hangs on the call and on three look-ups with their pauses, is known to hang in time',
  (gatewayTimeoutSeconds) => {
    expect(longestAnswerSeconds(gatewayTimeoutSeconds)).toBeGreaterThan(gatewayTimeoutSeconds + 8 + 1 + 8 + 2 + 8);
  },
);
