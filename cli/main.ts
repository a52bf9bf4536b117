import { existsSync } from 'node:fs';
import { visibleText } from '../domain/visible-text.ts';
import { run } from './run.ts';

/** The operator's tool: `npm run --silent pos -- <command>`. */
if (existsSync('.env')) process.loadEnvFile('.env');
// Whoever reads the answer, such as `head`, may have seen enough of it.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
// What customers and staff wrote must not steer the operator's terminal.
const shown = (text: string) => text.split('\n').map(visibleText).join('\n');
process.exitCode = await run(process.argv.slice(2), process.env, {
  out: (text) => process.stdout.write(shown(text)),
  err: (text) => process.stderr.write(shown(text)),
});
// A connection that hangs must not keep a command that has answered.
setTimeout(() => process.exit(), 1_000).unref();
