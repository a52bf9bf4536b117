import { existsSync } from 'node:fs';
import { visibleText } from '../domain/visible-text.ts';
import { run } from './run.ts';

/** The operator's tool: `npm run --silent pos -- <command>`. */
if (existsSync('.env')) process.loadEnvFile('.env');
// A reader such as `head` may close the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
// Texts from customers and staff must not control the operator's terminal.
const shown = (text: string) => text.split('\n').map(visibleText).join('\n');
process.exitCode = await run(process.argv.slice(2), process.env, {
  out: (text) => process.stdout.write(shown(text)),
  err: (text) => process.stderr.write(shown(text)),
});
// A hanging connection must not keep a finished command alive.
setTimeout(() => process.exit(), 1_000).unref();
