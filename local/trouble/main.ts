import { join, resolve } from 'node:path';
import { loadSettings } from '../../providers/settings.ts';
import { makeTrouble, troubles, type Trouble } from './make-trouble.ts';

/**
 * `npm run tools -- trouble database-away 20`: a part of the local shop stands still for so many seconds, at most ten
 * minutes.
 */
const [what = '', text = '20'] = process.argv.slice(2);
const seconds = Number(text);
const isKnown = (name: string): name is Trouble => Object.hasOwn(troubles, name);

if (!isKnown(what) || !(seconds >= 1 && seconds <= 600)) {
  const names = Object.entries(troubles).map(([name, { says }]) => `  ${name.padEnd(14)} ${says}`);
  console.error(
    `Say which trouble, and for how many seconds (1 to 600): npm run tools -- trouble database-away 20\n${names.join('\n')}`,
  );
  process.exitCode = 1;
} else {
  const calledOff = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => calledOff.abort());
  console.log(`For ${seconds} s ${troubles[what].says}. Ctrl-C ends it.`);
  const processes = join(resolve(loadSettings().POS_DATA_DIR), 'processes.json');
  const isDone = await makeTrouble({ processes, trouble: what, forMs: seconds * 1_000, signal: calledOff.signal });
  if (isDone) console.log('It is over.');
  else {
    console.error(`No ${troubles[what].part} of npm start runs here; where POS_DATA_DIR is set, set it here, too.`);
    process.exitCode = 1;
  }
}
