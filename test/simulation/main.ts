import { toolOptions } from '../../local/tool-options.ts';
import { openLane } from '../crash/lane.ts';
import { startServers } from '../crash/servers.ts';
import { simulateDay } from './day.ts';
import { drillNames, laneOf, runDrills } from './drill/run-drills.ts';
import { crossfire } from './verbs/crossfire.ts';

/** A long day in the shop: `node test/simulation/main.ts --seed 7 --steps 20`. Ends with 1 when anything is wrong. */
const values = toolOptions({
  command: 'npm run tools -- simulate',
  about: 'A long day in the shop: rivals, lost answers, deaths of API, worker and Temporal.',
  options: {
    seed: { type: 'string', isNumber: true, says: 'draws a day again; else a new one' },
    steps: { type: 'string', default: '10', isNumber: true, says: 'of each register' },
    registers: { type: 'string', default: '12', isNumber: true, says: 'how many' },
    deaths: { type: 'string', default: '20', isNumber: true, says: 'at most' },
    drill: {
      type: 'string',
      oneOf: [...drillNames, 'all'],
      value: 'TROUBLE',
      says: `no day but a drill: ${drillNames.join(', ')} or all`,
    },
    verbs: { type: 'string', isNumber: true, says: 'no day but every verb of an order, so many times in all' },
    refunds: { type: 'string', default: '300', isNumber: true, says: 'of a drill by card (hanging: a third)' },
    from: { type: 'string', value: 'FOLDER', says: 'of the drill builds: another build, which is the old one' },
    seconds: { type: 'string', default: '20', isNumber: true, says: 'of each trouble of a drill' },
    quiet: { type: 'boolean', default: false, says: 'only how it ended' },
  },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const part = values.drill !== undefined ? 'drill' : values.verbs !== undefined ? 'verbs' : 'day';
if (part === 'day')
  console.log(`seed ${seed}: ${values.registers} registers, ${values.steps} steps each, up to ${values.deaths} deaths`);

// An asked-for end runs the hooks that take the servers along.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

// Where nobody dies over a task, a busy machine may take its time.
const servers = await startServers({
  isPatient: values.drill === 'builds',
  hasSmallDisk: values.drill === 'disk-full',
});
const openFor = { day: {}, verbs: { twins: true }, drill: laneOf(values.drill ?? 'all', values.from) };
const lane = await openLane(servers.temporalAddress, openFor[part]);
const wrong = await { day: aDay, drill: aDrill, verbs: everyVerb }[part]();
for (const line of wrong) console.log(`WRONG ${line}`);
console.log(
  wrong.length === 0
    ? 'The books are right, and so is the gateway’s ledger beside them.'
    : `again: ${{ day: `--seed ${seed}`, drill: `--drill ${values.drill}`, verbs: `--verbs ${values.verbs} --seed ${seed}` }[part]}`,
);
await lane.close();
await servers.stop();
process.exit(wrong.length === 0 ? 0 : 1);

async function aDay(): Promise<string[]> {
  const began = performance.now();
  const { wrong: found, ...counted } = await simulateDay({
    lane,
    seed,
    registers: Number(values.registers),
    steps: Number(values.steps),
    deaths: Number(values.deaths),
    ...(servers.restartTemporal ? { restartTemporal: servers.restartTemporal } : {}),
    ...(values.quiet ? {} : { say: (line: string) => console.log(`  ${line}`) }),
  });
  const facts = Object.entries(counted).map(([name, count]) => `${name} ${count}`);
  console.log(`${facts.join(', ')}, ${((performance.now() - began) / 1000).toFixed(0)} s`);
  return found;
}

async function everyVerb(): Promise<string[]> {
  const began = performance.now();
  console.log(
    `seed ${seed}: ${values.verbs} verbs from ${values.registers} registers, up to ${values.deaths} deaths per thousand`,
  );
  const { wrong: found, ...counted } = await crossfire({
    lane,
    seed,
    operations: Number(values.verbs),
    hands: Number(values.registers),
    deaths: Number(values.deaths),
    ...(values.quiet ? {} : { say: (line: string) => console.log(`  ${line}`) }),
  });
  const facts = Object.entries(counted).map(([name, count]) => `${name} ${count}`);
  console.log(`${facts.join(', ')}, ${((performance.now() - began) / 1000).toFixed(0)} s`);
  return found;
}

function aDrill(): Promise<string[]> {
  const { postgresPid } = servers;
  if (postgresPid === undefined) throw new Error('a drill needs a database of its own: unset TEST_POSTGRES');
  return runDrills(values.drill ?? 'all', {
    lane,
    servers,
    seconds: Number(values.seconds),
    refunds: Number(values.refunds),
    shift: { registers: Number(values.registers), salesEach: Number(values.steps), quietSeconds: 2, postgresPid },
  });
}
