import { expect, test } from 'vitest';
import { hasTag } from '../../../api/http/entity-tag.ts';

test.each(['"v1"', 'W/"v1"', '"v0", "v1"', 'W/"v0" ,W/"v1"', '*', ' * '])('who says %s has version 1', (header) => {
  expect(hasTag(header, '"v1"')).toBe(true);
  expect(hasTag(header, 'W/"v1"')).toBe(true);
});

test.each([undefined, '', '"v2"', 'v1', '"v1', '"*"'])('who says %s has not', (header) => {
  expect(hasTag(header, '"v1"')).toBe(false);
});
