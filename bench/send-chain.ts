import type { BenchRequest, Scenario } from './scenario.ts';

/**
 * Sends a scenario's request and all that follows from what is answered, one after the other.
 *
 * @returns the answers, in their order
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
