import { existsSync, readdirSync, realpathSync, rmdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { loadSettings } from '../providers/settings.ts';
import { stopLeftOvers } from './left-overs.ts';
import { ownFiles } from './own-files.ts';
import { lockHolder } from './with-lock.ts';

/** npm run tools -- reset: deletes the local data after asking. Only files that a start created. */
const dataDir = resolve(loadSettings().POS_DATA_DIR);
process.exitCode = await reset();

/** @returns the exit code */
async function reset(): Promise<0 | 1> {
  if (!existsSync(dataDir)) return say(`There is nothing at ${dataDir}.`, 0);
  const running = lockHolder(join(dataDir, 'start.lock'));
  if (running) return say(`npm start runs on ${dataDir} (process ${running.pid}); stop it first.`, 1);
  if (!(await isAgreed())) return say('Nothing was changed.', 1);
  await stopLeftOvers(join(dataDir, 'processes.json'));
  for (const name of [...ownFiles, ...ownFiles.map((name) => `${name}.new`), ...bundles()]) remove(join(dataDir, name));
  if (readdirSync(dataDir).length === 0) rmdirSync(dataDir);
  return say(`Forgot ${dataDir}. The next start makes everything anew.`, 0);
}

/** Each worker started separately has its own bundle of the workflow code. */
function bundles(): string[] {
  return readdirSync(dataDir).filter((name) => /^workflows-\d+\.js$/.test(name));
}

async function isAgreed(): Promise<boolean> {
  if (process.argv.includes('--yes')) return true;
  if (!process.stdin.isTTY) return say('Say that you mean it: npm run tools -- reset --yes', false);
  const question = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await question.question(`This deletes the shop at ${dataDir}, its orders and workflows. Sure? (y/N) `);
  question.close();
  return /^y(es)?$/i.test(answer.trim());
}

/** A link is deleted together with its target: for root the database may lie elsewhere. */
function remove(path: string): void {
  if (!existsSync(path)) return rmSync(path, { force: true });
  rmSync(realpathSync(path), { recursive: true, force: true });
  rmSync(path, { recursive: true, force: true });
}

function say<Result>(line: string, result: Result): Result {
  console.log(line);
  return result;
}
