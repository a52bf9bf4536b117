import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { routes } from '../../api/routes.ts';

/** By name: a reader of one of these can use it. */
const secrets = [
  ...['license_token', 'receipt_token', 'activation_code', 'fiscal_api_key'],
  ...['api_key', 'test_api_key', 'api_token', 'service_secret'],
];
const carriesSecret = (response: z.ZodType) => {
  const answer = JSON.stringify(z.toJSONSchema(response, { io: 'input', unrepresentable: 'any' }));
  return secrets.some((name) => answer.includes(`"${name}"`));
};

test('no answer with a secret of a shop in it is stored on the way', () => {
  const carriers = routes.filter(({ response }) => carriesSecret(response));
  expect(carriers.length).toBeGreaterThanOrEqual(12);
  expect(carriers.filter(({ isPrivate }) => !isPrivate).map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});
