import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { seenAnswers } from './seen-answers.ts';
import { outcomesFolder, seenOutcomes } from './seen-outcomes.ts';
import { declaredOutcomes, faultsOf, unseenOutcomes } from './unseen-outcomes.ts';

interface Results {
  testResults: readonly { testFilePath: string }[];
  wasInterrupted: boolean;
}

/**
 * Jest's reporter that fails a whole run in which an outcome of a route was never answered, or in which an answer was
 * not as the API document says. Of a part of the tests it says nothing. In a run with failed tests, some of what it
 * says may come from those. Beside the runner's own report (`TEST_REPORT`), its sentences are kept as `….outcomes`.
 */
export default class OutcomesReporter {
  readonly #isOfNames: boolean;
  #error: Error | undefined;

  constructor({ testNamePattern }: { testNamePattern?: string }) {
    this.#isOfNames = (testNamePattern ?? '') !== '';
  }

  async onRunComplete(_contexts: unknown, results: Results): Promise<void> {
    const folder = process.env[outcomesFolder];
    if (this.#isOfNames || results.wasInterrupted || !isWhole(results)) return;
    if (folder === undefined || !existsSync(folder)) return;
    const { routes } = await import('../../api/routes.ts');
    const { openApiOf } = await import('../../api/http/openapi/document.ts');
    const { answerFaults } = await import('./answer-faults.ts');
    const unseen = unseenOutcomes(declaredOutcomes(routes), seenOutcomes(folder));
    const document = openApiOf(routes, { title: 'Point of sale', version: '0' });
    const faults = [...faultsOf(unseen), ...answerFaults(document, seenAnswers(folder))];
    if (faults.length === 0) return;
    this.#error = new Error(faults.join('\n'));
    const report = process.env['TEST_REPORT'];
    if (report !== undefined) writeFileSync(`${report}.outcomes`, faults.map((fault) => `${fault}\n`).join(''));
  }

  /** Jest fails the run with it. */
  getLastError(): Error | undefined {
    return this.#error;
  }
}

function isWhole({ testResults }: Results): boolean {
  const run = new Set(testResults.map(({ testFilePath }) => testFilePath));
  const all = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
  return all.every((file) => run.has(resolve('test', file)));
}
