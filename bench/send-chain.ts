import type { BenchRequest, Scenario } from './scenario.ts';

/**
 * Sends a scenario's request, and then each request that follows from the answer before.
 *
 * @returns the answers in order
 */
export async function sendChain(
  scenario: Pick<Scenario, 'request' | 'next'>,
  subject: number,
  send: (request: BenchRequest) => Promise<unknown>,
): Promise<unknown[]> {
  const answers: unknown[] = [];
  let request: BenchRequest | undefined = scenario.request(subject);
  while (request) {
    answers.push(await send(request));
    request = scenario.next?.(subject, answers);
  }
  return answers;
}
