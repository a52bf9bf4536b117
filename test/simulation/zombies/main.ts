import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';

/** `npm run zombies -- --trials 500 [--seed 42]`: the trial of the frozen worker, as long as one likes. */
const { values } = parseArgs({
  options: {
    trials: { type: 'string', default: '60' },
    seed: { type: 'string' },
    together: { type: 'string', default: '10' },
  },
});
const child = spawn('npm', ['test', '--', 'test/simulation/zombies', '--silent=false'], {
  stdio: 'inherit',
  env: {
    ...process.env,
    ZOMBIE_TRIALS: values.trials,
    ZOMBIES_AT_ONCE: values.together,
    ...(values.seed === undefined ? {} : { SEED: values.seed }),
  },
});
child.once('exit', (code) => process.exit(code ?? 1));
