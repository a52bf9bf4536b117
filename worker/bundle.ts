import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

const workflows = fileURLToPath(new URL('../workflows/index.ts', import.meta.url));

/**
 * Bundles the workflow code into one file, once per start, so that a restarted worker is ready within a second.
 *
 * Our modules keep no state (a test ensures it), so the worker loads them once, frozen, for all workflows. Otherwise
 * it would load them again for each of the hundreds of workflows in its cache.
 */
export async function bundleTo(file: string): Promise<string> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: workflows,
    preloadModules: [workflows],
    logger: new DefaultLogger('ERROR'),
  });
  mkdirSync(dirname(file), { recursive: true });
  const temporary = `${file}.${createHash('sha256').update(code).digest('hex').slice(0, 8)}.${process.pid}`;
  writeFileSync(temporary, code);
  renameSync(temporary, file);
  return file;
}

if (import.meta.main) console.log(await bundleTo(process.argv[2] ?? '.cache/workflows.js'));
