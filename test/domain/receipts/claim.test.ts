import { expect, test } from 'vitest';
import { decideClaim } from '../../../domain/receipts/claim.ts';

test.each([
  ['a receipt of nobody, of an order of nobody', null, null, 'claim'],
  ['a receipt of nobody, of an order of one’s own', null, 7, 'claim'],
  ['a receipt of nobody, of an order of somebody else', null, 8, 'taken'],
  ['a receipt of one’s own', 7, 7, 'yours'],
  ['a receipt of somebody else', 8, 8, 'taken'],
  ['a receipt of somebody else, though the order is one’s own', 8, 7, 'taken'],
] as const)('%s: %s, %s → %s', (_case, claimedBy, orderCustomerId, decision) => {
  expect(decideClaim({ customerId: 7, claimedBy, orderCustomerId })).toBe(decision);
});
