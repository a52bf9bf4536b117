import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadSettings, WrongSetting } from '../providers/settings.ts';
import { announce } from './announce.ts';
import { CannotStart } from './cannot-start.ts';
import { startStack, type Stack } from './stack.ts';
import { NoTemporalServer } from './temporal/version.ts';

/** npm start: everything on one machine, until Ctrl-C. */
const exitByHand = 130;
const askAfterParentMs = 1_000;
/** One Ctrl-C arrives twice: from the terminal, and passed on by npm. */
const onePressMs = 1_000;

const giveUp = new AbortController();
let stack: Stack | undefined;
let stoppingSince: number | undefined;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
// A terminal that has gone, or a full disk behind it, must not take the shop down in the middle of a line.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
stopWithParent();
await start();

async function start(): Promise<void> {
  const began = performance.now();
  try {
    const { POS_DATA_DIR: dataDir } = loadSettings();
    const isFirst = !existsSync(join(dataDir, 'postgres'));
    console.log(
      isFirst ? `Making a whole shop in ${dataDir}, and starting it.\n` : `Starting the shop in ${dataDir}.\n`,
    );
    stack = await startStack({ environment: process.env, say: console.log, giveUp: giveUp.signal });
    announce(stack, { seconds: (performance.now() - began) / 1000 });
  } catch (error) {
    if (stoppingSince === undefined) console.error(`\n${messageOf(error)}`);
    process.exit(stoppingSince === undefined ? 1 : 0);
  }
}

/** Once: in order, and nothing is left. Twice: at once, and nothing is left either. */
async function stop(): Promise<void> {
  if (stoppingSince !== undefined) return stopAtOnce(stoppingSince);
  stoppingSince = Date.now();
  console.log('\nStopping. Once more stops at once.');
  if (!stack) return giveUp.abort();
  await stack.stop();
  console.log('Everything has stopped; the data stay.');
  process.exit(0);
}

/** What runs in groups of its own is killed on the way out. */
function stopAtOnce(stopping: number): void {
  if (Date.now() - stopping > onePressMs) process.exit(exitByHand);
}

/** A shell or npm that is killed cannot tell us: we are then somebody else's child. */
function stopWithParent(): void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent || stoppingSince !== undefined) return;
    clearInterval(watch);
    void stop();
  }, askAfterParentMs);
}

/** What people can act on goes without a stack; anything else is our mistake and comes with one. */
function messageOf(error: unknown): string {
  if (error instanceof CannotStart || error instanceof WrongSetting || error instanceof NoTemporalServer)
    return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
