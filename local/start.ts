import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadSettings, WrongSetting } from '../providers/settings.ts';
import { openQuestions } from '../providers/temporal/open-questions.ts';
import { CannotStart } from './cannot-start.ts';
import { startStack, type Stack } from './stack.ts';
import { NoTemporalServer } from './temporal/download.ts';

/** Prints where everything is: one table, what to try first, and how to stop. */
function announce({ ready, dataDir, examples }: Stack, { seconds }: { seconds: number }): void {
  const rows: [string, string | null][] = [
    ['API', ready.api],
    ['Guide, API page', ready.docs.replace(/docs$/, '')],
    ['Operator’s page', ready.docs.replace(/docs$/, 'ops')],
    ['A till', examples.length === 0 ? null : ready.docs.replace(/docs$/, 'demo/till')],
    ['Temporal UI', ready.temporalUi && openQuestions(ready.temporalUi, ready.temporalNamespace)],
    ['Gateway simulator', ready.gateway],
    ['License simulator', ready.license],
    ['Webhook catcher', ready.webhooks],
    ['Mail catcher', ready.mail],
    ['PostgreSQL', ready.database],
    ['Temporal', `${ready.temporal}, namespace ${ready.temporalNamespace}`],
    ['Worker metrics', ready.metrics],
    ['Register token', ready.registerToken],
    ['Set-up token', `${ready.setUpToken} (activates a terminal; opens refunds, too)`],
    ['Administrator token', ready.adminToken],
    ['Data, logs', `${dataDir}, ${dataDir}/logs`],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  console.log(`\nReady in ${seconds.toFixed(1)} s.\n`);
  for (const [name, value] of rows) if (value !== null) console.log(`  ${name.padEnd(width)}  ${value}`);
  if (examples.length > 0) console.log('\nTry it, from another terminal:\n');
  for (const { title, command } of examples) console.log(`  # ${title}\n  ${command}\n`);
  const demo = examples.length > 0 ? "npm run demo plays a register's first day. " : '';
  console.log(`${demo}Ctrl-C stops everything; the data stay.`);
}

/** npm start: every part on one machine, until Ctrl-C. */
const exitByHand = 130;
const askAfterParentMs = 1_000;
/** One Ctrl-C arrives twice: from the terminal and from npm. */
const onePressMs = 1_000;

const giveUp = new AbortController();
let stack: Stack | undefined;
let stoppingSince: number | undefined;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
// A closed terminal, or a full disk behind it, must not end the shop while a line is written.
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

/** The first press stops in order, the second at once; neither leaves a process. */
async function stop(): Promise<void> {
  if (stoppingSince !== undefined) return stopAtOnce(stoppingSince);
  stoppingSince = Date.now();
  console.log('\nStopping. Once more stops at once.');
  if (!stack) return giveUp.abort();
  await stack.stop();
  console.log('Everything has stopped; the data stay.');
  process.exit(0);
}

/** Processes in their own groups are killed on the way out. */
function stopAtOnce(stopping: number): void {
  if (Date.now() - stopping > onePressMs) process.exit(exitByHand);
}

/** A killed shell or npm cannot tell us: this process then has another parent. */
function stopWithParent(): void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent || stoppingSince !== undefined) return;
    clearInterval(watch);
    void stop();
  }, askAfterParentMs);
}

/** An error that people can act on is shown without a stack; any other is our mistake and is shown with one. */
function messageOf(error: unknown): string {
  if (error instanceof CannotStart || error instanceof WrongSetting || error instanceof NoTemporalServer)
    return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
