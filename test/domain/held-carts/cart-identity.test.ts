import { expect, test } from '@jest/globals';
import { isCartIdentity } from '../../../domain/held-carts.ts';

const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e';

test.each([
  uuid,
  uuid.toUpperCase(),
  `{${uuid}}`,
  `urn:uuid:${uuid}`,
  uuid.replaceAll('-', ''),
  'CART-1',
  'till_7:2',
  'V1StGXR8_Z5jdHi6B-myT',
  'x',
  'x'.repeat(100),
])('%j names a cart', (written) => {
  expect(isCartIdentity(written)).toBe(true);
});

test.each(['', ' ', '..', '-1', ` ${uuid}`, `${uuid}\n`, 'a/b', 'a%2Fb', 'é', '٠'.repeat(32), 'x'.repeat(101)])(
  '%j names no cart',
  (written) => {
    expect(isCartIdentity(written)).toBe(false);
  },
);
