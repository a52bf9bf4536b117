import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Their tests run workflows, some of them or all. */
const withWorkflows = ['test/workflows', 'test/models', 'test/api/returns'];

/**
 * The servers are there already; only the workflow code may have been spoiled. Made for the tests that run workflows.
 */
export default async function setUp(): Promise<void> {
  if (!process.argv.some((word) => withWorkflows.some((folder) => word.startsWith(folder)))) return;
  const { bundleTo } = await import('../../worker/bundle.ts');
  process.env['TEST_BUNDLE'] = await bundleTo(join(mkdtempSync(join(tmpdir(), 'pos-mutant-')), 'workflows.js'));
}
