import { expect, test } from 'vitest';
import { reachableHost } from '../../local/reachable-host.ts';

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['127.0.0.2', '127.0.0.2'],
  ['0.0.0.0', '127.0.0.1'],
  ['::', '127.0.0.1'],
  ['::1', '[::1]'],
  ['till.local', 'till.local'],
])('what listens on %s is found at %s', (host, found) => {
  expect(reachableHost(host)).toBe(found);
});
