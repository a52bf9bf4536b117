import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chanceOf } from '../simulation/random.ts';
import type { CrashFlow } from './crash-flow.ts';
import { crashFlows } from './flows/index.ts';
import { Logbook } from './logbook.ts';
import { readOptions } from './options.ts';
import { describePoint, findPoints, FreshLane, tryPoint, type CrashPoint } from './points.ts';
import { startServers } from './servers.ts';
import { renewedTable, tableOf } from './table.ts';

/**
 * The whole crash matrix: every flow, every step of its processes, before the step and with its reply lost. Each point
 * is named, tried once, and written down; a run that was stopped goes on where it was.
 */
const options = readOptions(process.argv.slice(2));
const logbook = new Logbook(options.state, options);
const until = options.minutes === undefined ? Infinity : Date.now() + options.minutes * 60_000;
const flows = crashFlows.filter(({ id }) => options.flows?.includes(id) ?? true);
const soFar = () => flows.map((flow) => logbook.of(flow));
const tableFile = fileURLToPath(new URL('matrix.txt', import.meta.url));

// An asked-for end runs the hooks that take the servers along.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const note = () =>
  writeFileSync(
    tableFile,
    `${renewedTable(
      readFileSync(tableFile, 'utf8'),
      crashFlows.map((flow) => logbook.of(flow)),
    )}\n`,
  );

if (options.isTable) {
  console.log(tableOf(soFar()));
  if (options.isNoted) note();
  process.exit(0);
}

const servers = await startServers();
const lanes = Array.from({ length: options.lanes }, () => new FreshLane(servers.temporalAddress));
let hasFailed = false;
try {
  for (const flow of flows) {
    const known = await pointsOf(flow);
    const waiting = shuffled(known.filter((point) => isWanted(point) && !logbook.isPassed(point))).slice(
      0,
      options.perFlow,
    );
    await Promise.all(lanes.map((lane) => work(lane, flow, { known, waiting })));
    console.log(`${tableOf(soFar())}\n`);
  }
} finally {
  await Promise.all(lanes.map((lane) => lane.drop()));
  await servers.stop();
}
// Only a whole run says what the whole is.
if (options.flows === undefined && options.perFlow === undefined && options.kind === 'all' && until === Infinity)
  writeFileSync(tableFile, `${tableOf(soFar())}\n`);
else if (options.isNoted) note();
const isCovered = soFar().every(
  ({ named, tried }) => named > 0 && tried.filter(({ outcome }) => outcome === 'passed').length >= named,
);
process.exit(hasFailed || !isCovered ? 1 : 0);

function isWanted({ name }: CrashPoint): boolean {
  return options.kind === 'all' || !/^SQL: (?:select from|begin)/.test(name);
}

/** What an unharmed run shows, and what was seen on the way by earlier runs. */
async function pointsOf(flow: CrashFlow): Promise<CrashPoint[]> {
  const [first] = lanes;
  if (!first) return [];
  try {
    const known = await findPoints(await first.get(), flow);
    logbook.noteNamed({ flow: flow.id, named: known.length });
    return known;
  } catch (error) {
    hasFailed = true;
    console.log(`failed          ${flow.id} without any crash: ${String(error)}`);
    await first.drop();
    return [];
  }
}

async function work(
  lane: FreshLane,
  flow: CrashFlow,
  { known, waiting }: { known: CrashPoint[]; waiting: CrashPoint[] },
): Promise<void> {
  for (let point = waiting.shift(); point && Date.now() < until; point = waiting.shift()) {
    const tried = await tryPoint(await lane.get(), flow, point);
    logbook.note(tried);
    console.log(
      `${tried.outcome.padEnd(6)} ${String(tried.ms).padStart(6)} ms  ${describePoint(point)}  (${waiting.length} left of ${known.length})`,
    );
    if (tried.outcome !== 'failed') continue;
    hasFailed = true;
    for (const fault of tried.faults) console.log(`         ${fault}`);
    await lane.drop();
  }
}

function shuffled(points: CrashPoint[]): CrashPoint[] {
  const chance = chanceOf(options.seed);
  return points
    .map((point) => ({ point, at: chance.below(1_000_000) }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ point }) => point);
}
