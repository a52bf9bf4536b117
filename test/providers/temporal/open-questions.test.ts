import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client, Connection } from '@temporalio/client';
import { openQuestions } from '../../../providers/temporal/open-questions.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await Connection.connect({ address: process.env['TEST_TEMPORAL'] ?? '' });
});
afterAll(() => connection.close());

test('the address opens the list of refunds in doubt, by a query that Temporal understands', async () => {
  const page = new URL(openQuestions('http://temporal.example/', 'pos'));
  expect(page.origin + page.pathname).toBe('http://temporal.example/namespaces/pos/workflows');

  const query = page.searchParams.get('query') ?? '';
  expect(query).toContain("PosRefundState = 'uncertain'");
  const { count } = await new Client({ connection, namespace: 'pos' }).workflow.count(query);
  expect(count).toBeGreaterThanOrEqual(0);
});
