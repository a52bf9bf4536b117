import { describe, expect, test } from '@jest/globals';
import { actsAsBoth } from '../../../domain/ops/two-people.ts';

describe('two names are two people', () => {
  test.each([
    ['who gave each other nothing', 'ada', 'bo', []],
    ['where a third gave one of them new credentials', 'ada', 'bo', [{ to: 'bo', from: 'cy' }]],
    [
      'where each got theirs from another',
      'ada',
      'bo',
      [
        { to: 'ada', from: 'di' },
        { to: 'bo', from: 'cy' },
      ],
    ],
  ])('%s', (_case, first, second, gifts) => {
    expect(actsAsBoth(first, second, gifts)).toBeUndefined();
    expect(actsAsBoth(second, first, gifts)).toBeUndefined();
  });

  test.each([
    ['where they are one', 'ada', 'ada', [], 'ada'],
    ['where one gave the other', 'ada', 'bo', [{ to: 'bo', from: 'ada' }], 'ada'],
    [
      'where one gave the other through a third',
      'ada',
      'bo',
      [
        { to: 'bo', from: 'cy' },
        { to: 'cy', from: 'ada' },
      ],
      'ada',
    ],
    [
      'where one person gave both',
      'ada',
      'bo',
      [
        { to: 'ada', from: 'cy' },
        { to: 'bo', from: 'cy' },
      ],
      'cy',
    ],
    [
      'where they gave each other',
      'ada',
      'bo',
      [
        { to: 'ada', from: 'bo' },
        { to: 'bo', from: 'ada' },
      ],
      undefined,
    ],
  ])('never %s', (_case, first, second, gifts, both) => {
    for (const found of [actsAsBoth(first, second, gifts), actsAsBoth(second, first, gifts)]) {
      expect(found).toBeDefined();
      if (both !== undefined) expect(found).toBe(both);
    }
  });
});
