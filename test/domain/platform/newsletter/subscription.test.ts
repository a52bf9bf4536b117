import { expect, test } from '@jest/globals';
import { afterSubscribing, subscriptionWord } from '../../../../domain/platform/newsletter.ts';

test.each([
  [undefined, false, 'none'],
  [1, false, 'subscribed'],
  [1, true, 'subscribed'],
  [2, false, 'not_active'],
  [2, true, 'unconfirmed'],
  [3, false, 'unsubscribed'],
  [4, false, 'unconfirmed'],
] as const)('%s, asked by mail: %s, is "%s"', (status, isAsked, word) => {
  expect(subscriptionWord(status === undefined ? undefined : { status, isAsked })).toBe(word);
});

test.each([
  [undefined, false, false, 1],
  [undefined, false, true, 2],
  [undefined, true, true, 4],
  [undefined, true, false, 4],
  [1, true, true, 1],
  [1, false, true, 1],
  [2, false, false, 1],
  [2, false, true, 2],
  [3, false, false, 1],
  [3, false, true, 2],
  [4, false, false, 1],
  [4, false, true, 2],
] as const)('%s subscribes, account awaits: %s, store asks: %s: %i', (status, isAccountAwaiting, mustConfirm, next) => {
  const row = status === undefined ? undefined : { status, isAsked: false };
  expect(afterSubscribing(row, { isAccountAwaiting, mustConfirm })).toBe(next);
});
