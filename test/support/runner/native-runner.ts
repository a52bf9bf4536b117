import { pathToFileURL } from 'node:url';
import { TestRunner } from 'vitest';

/**
 * Loads test files as Node loads the service. Vitest gives each a new address, so that a changed file can run again; Node
 * would keep what it compiled under an address that never comes back.
 */
class NativeRunner extends TestRunner {
  override importFile(path: string): Promise<unknown> {
    restoreEnvironment();
    return import(pathToFileURL(path).href);
  }
}

/** As the worker got it. What a test file changes in it holds for that file only. */
const ownEnvironment = { ...process.env };

function restoreEnvironment(): void {
  for (const name of Object.keys(process.env)) if (!(name in ownEnvironment)) delete process.env[name];
  Object.assign(process.env, ownEnvironment);
}

export { NativeRunner as default };
