import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Reporter, TestModule, TestRunEndReason, Vitest } from 'vitest/node';
import { seenAnswers } from './seen-answers.ts';
import { outcomesFolder, seenOutcomes } from './seen-outcomes.ts';
import { declaredOutcomes, faultsOf, unseenOutcomes } from './unseen-outcomes.ts';

/**
 * Vitest's reporter that fails a whole run in which an outcome of a route was never answered, or in which an answer was
 * not as the API document says. Of a part of the tests it says nothing. In a run with failed tests, some of what it
 * says may come from those. Beside the runner's own report (`TEST_REPORT`), its sentences are kept as `….outcomes`.
 */
export default class OutcomesReporter implements Reporter {
  #isOfNames = false;

  onInit({ config }: Vitest): void {
    this.#isOfNames = config.testNamePattern !== undefined;
  }

  async onTestRunEnd(
    modules: readonly TestModule[],
    _errors: readonly unknown[],
    reason: TestRunEndReason,
  ): Promise<void> {
    const folder = process.env[outcomesFolder];
    if (this.#isOfNames || reason === 'interrupted' || !isWhole(modules)) return;
    if (folder === undefined || !existsSync(folder)) return;
    const { routes } = await import('../../api/routes.ts');
    const { openApiOf } = await import('../../api/http/openapi/document.ts');
    const { answerFaults } = await import('./answer-faults.ts');
    const unseen = unseenOutcomes(declaredOutcomes(routes), seenOutcomes(folder));
    const document = openApiOf(routes, { title: 'Point of sale', version: '0' });
    const faults = [...faultsOf(unseen), ...answerFaults(document, seenAnswers(folder))];
    if (faults.length === 0) return;
    console.error(faults.join('\n'));
    const report = process.env['TEST_REPORT'];
    if (report !== undefined) writeFileSync(`${report}.outcomes`, faults.map((fault) => `${fault}\n`).join(''));
    process.exitCode = 1;
  }
}

function isWhole(modules: readonly TestModule[]): boolean {
  const run = new Set(modules.map(({ moduleId }) => moduleId));
  const all = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
  return all.every((file) => run.has(resolve('test', file)));
}
