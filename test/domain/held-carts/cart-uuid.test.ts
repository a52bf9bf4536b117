import { expect, test } from '@jest/globals';
import { canonicalUuid } from '../../../domain/held-carts/cart-uuid.ts';

const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e';

test.each([uuid, uuid.toUpperCase(), `{${uuid}}`, `urn:uuid:${uuid}`, uuid.replaceAll('-', ''), ` ${uuid} `])(
  '%j names the same cart',
  (written) => {
    expect(canonicalUuid(written)).toBe(uuid);
  },
);

test.each([
  '',
  'cart-1',
  `{${uuid}`,
  `${uuid}0`,
  uuid.slice(1),
  `${uuid}\n${uuid}`,
  uuid.replace('0', 'g'),
  '٠'.repeat(32),
])('%j is no UUID', (written) => {
  expect(canonicalUuid(written)).toBeUndefined();
});
