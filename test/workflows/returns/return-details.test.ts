import { expect, test } from 'vitest';
import type { ReturnSnapshot } from '../../../activities/returns/return-snapshot.ts';
import { returnDetails } from '../../../workflows/returns/return-details.ts';

const aSnapshot = (wanted: Partial<ReturnSnapshot>): ReturnSnapshot => ({
  returnId: 42,
  incrementId: '000000042',
  orderId: 9,
  orderIncrementId: '000000009',
  status: 'pending',
  isReady: true,
  refundMethod: null,
  attemptId: null,
  attemptState: null,
  ...wanted,
});

test('a return whose creation is refused each time is not said to go on by itself: its reason and the way out are', () => {
  const details = returnDetails(aSnapshot({ isReady: false }), null);

  expect(details).toMatch(
    /If its history says why it is held, fix that, or close it: `POST \/V1\/pos\/rma\/42\/close`/,
  );
  expect(details).not.toContain('by itself');
});
