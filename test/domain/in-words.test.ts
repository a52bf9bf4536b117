import { expect, test } from 'vitest';
import { fieldRequired, invalid, invalidInput } from '../../domain/errors.ts';
import { inWords } from '../../domain/fill-in.ts';

test('a refusal is read with what it is about in place', () => {
  expect(inWords(invalid('A return in status "%1" cannot be settled.', ['pending']).refusal)).toBe(
    'A return in status "pending" cannot be settled.',
  );
});

test('a refusal of several things names each of them', () => {
  const errors = ['orderId', 'amount'].map((name) => {
    const { message, parameters = [] } = fieldRequired(name);
    return { message, parameters };
  });
  expect(inWords(invalidInput(errors).refusal)).toBe(
    'One or more input exceptions have occurred. "orderId" is required. Enter and try again. "amount" is required. Enter and try again.',
  );
});
