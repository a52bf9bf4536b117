import { spawnSync } from 'node:child_process';
import type { Teller } from './teller.ts';

/** Runs an operator's command: prints it with its output, and stops the day when it fails. */
export function runPos(teller: Teller, command: readonly string[]): void {
  const { ready } = teller;
  const line = `pos ${command.join(' ')}`;
  teller.print(`\n$ npm run pos -- ${command.join(' ')}`);
  const asked = spawnSync(process.execPath, ['cli/main.ts', ...command], {
    encoding: 'utf8',
    env: {
      ...process.env,
      DATABASE_URL: ready.database,
      TEMPORAL_ADDRESS: ready.temporal,
      GATEWAY_SIMULATOR_URL: ready.gateway,
    },
  });
  teller.print(asked.stdout.trimEnd());
  teller.must(asked.status === 0, `${line} ended with ${asked.status}: ${asked.stderr}`);
}
