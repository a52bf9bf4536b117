import { spawn } from 'node:child_process';
import { toolOptions } from '../../../local/tool-options.ts';

/** `npm run tools -- zombies --trials 500 [--seed 42]`: the trial of the frozen process, as long as one likes. */
const values = toolOptions({
  command: 'npm run tools -- zombies',
  about: 'Workers frozen between a claim and its call, woken after somebody else gave the money back.',
  options: {
    trials: { type: 'string', default: '60', isNumber: true, says: 'how many' },
    seed: { type: 'string', isNumber: true, says: 'draws the same trials again' },
    together: { type: 'string', default: '10', isNumber: true, says: 'how many at once' },
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
