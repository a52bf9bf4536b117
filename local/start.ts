import { loadSettings, WrongSetting } from '../providers/settings.ts';
import { announce } from './announce.ts';
import { CannotStart } from './cannot-start.ts';
import { startStack, type Stack } from './stack.ts';
import { NoTemporalServer } from './temporal/version.ts';

/** npm start: everything on one machine, until Ctrl-C. */
const exitByHand = 130;
const askAfterParentMs = 1_000;

const giveUp = new AbortController();
let stack: Stack | undefined;
let isStopping = false;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
stopWithParent();
await start();

async function start(): Promise<void> {
  const began = performance.now();
  try {
    loadSettings();
    console.log('Starting a whole shop on this machine. The first start makes its data and takes longest.\n');
    stack = await startStack({ environment: process.env, say: console.log, giveUp: giveUp.signal });
    announce(stack, { seconds: (performance.now() - began) / 1000 });
  } catch (error) {
    if (!isStopping) console.error(`\n${messageOf(error)}`);
    process.exit(isStopping ? 0 : 1);
  }
}

/** Once: in order, and nothing is left. Twice: at once, and nothing is left either. */
async function stop(): Promise<void> {
  if (isStopping) process.exit(exitByHand);
  isStopping = true;
  console.log('\nStopping. Once more stops at once.');
  if (!stack) return giveUp.abort();
  await stack.stop();
  console.log('Everything has stopped; the data stay.');
  process.exit(0);
}

/** A shell or npm that is killed cannot tell us: we are then somebody else's child. */
function stopWithParent(): void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent || isStopping) return;
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
