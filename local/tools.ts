import { spawn } from 'node:child_process';
import { isEntryPoint } from '../db/support/is-entry-point.ts';

/**
 * `npm run tools -- <name> [options]`: what is needed now and then. Without a name it lists what there is. An option
 * goes to the tool as it is written; `--help` of most of them lists their options.
 */
interface Tool {
  says: string;
  /** A file that Node runs, or the tests that `npm test` runs. */
  runs: string | readonly string[];
  env?: Readonly<Record<string, string>>;
}

/** By the name that is typed. */
export const tools: Readonly<Record<string, Tool>> = {
  proofs: {
    says: 'sends everything hostile to every route, and times one-time codes',
    runs: ['test/house/hostile', 'test/api/customers/one-time-code-oracle'],
    env: { EVERY_PAIR: '1', SAMPLES: '400' },
  },
  'what-was-paid': {
    says: 'any returns of 20,000 sales give back what came in (POS_RUNS, POS_SEED)',
    runs: ['what-was-paid'],
    env: { POS_RUNS: '20000' },
  },
  'crash-matrix': { says: 'kills API and worker at every step of every flow', runs: 'test/crash/main.ts' },
  mutants: { says: 'makes mistakes in a copy of the source, which tests must notice', runs: 'test/mutants/main.ts' },
  simulate: { says: 'a long day, every verb of an order, or a drill', runs: 'test/simulation/main.ts' },
  zombies: { says: 'workers frozen between a claim and its call', runs: 'test/simulation/zombies/main.ts' },
  'receipt-burst': {
    says: '500 receipts by mail at once, the worker killed in the middle',
    runs: 'test/simulation/receipts/burst.ts',
  },
  'openapi:check': { says: 'the API document against linters and generators', runs: 'test/clients/openapi/main.ts' },
  'count-lists': {
    says: 'blocks that each page of each list looks at, in shops of several sizes (--help)',
    runs: 'bench/count-lists.ts',
  },
  clients: { says: 'two clients of the real platform against the service', runs: 'test/clients/main.ts' },
  trouble: { says: 'holds a part of the running shop up: database-away 20', runs: 'local/trouble/main.ts' },
  'ops-pictures': {
    says: 'pictures of the operator’s page, and a person who settles a doubt at night',
    runs: 'local/ops-pictures.ts',
  },
  reset: { says: 'forgets the local data, after asking', runs: 'local/reset.ts' },
  release: {
    says: 'releases the version of package.json, or names the next one (--next)',
    runs: 'local/release.ts',
  },
  sbom: { says: 'the packages of the image, as CycloneDX: sbom.json', runs: 'local/sbom.ts' },
  'client:renew': { says: 'writes the types of the client from the API document', runs: 'local/renew-client.ts' },
  house: { says: 'files and lines of each room, and files that one other file uses', runs: 'local/count-house.ts' },
  'api:changes': {
    says: 'what changed in the interface since the release, into its changelog (--release)',
    runs: 'local/api-changes.ts',
  },
  years: {
    says: 'years of real sales: what the tables that grow take, and what partitions would gain (--help)',
    runs: 'bench/years/main.ts',
  },
  conformance: {
    says: 'a disturbed day with a register, judged from the books (--help)',
    runs: 'client/conformance/main.ts',
  },
};

/** Ctrl-C reaches the tool by itself, as it has the same terminal; it ends in its own way, and this process with it. */
function run({ runs, env }: Tool, options: readonly string[]): void {
  const [command, before] = typeof runs === 'string' ? [process.execPath, [runs]] : ['npm', ['test', '--', ...runs]];
  const child = spawn(command, [...before, ...options], { stdio: 'inherit', env: { ...env, ...process.env } });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => signal !== 'SIGINT' && child.kill(signal));
  child.once('exit', (code) => process.exit(code ?? 1));
}

/** What a person reads who names no tool, or one that is not here. */
function list(): string {
  const width = Math.max(...Object.keys(tools).map((name) => name.length)) + 2;
  const rows = Object.entries(tools).map(([name, { says }]) => `  ${name.padEnd(width)}${says}`);
  return ['npm run tools -- <name> [options]', '', ...rows].join('\n');
}

function main([name, ...options]: readonly string[]): void {
  const tool = name !== undefined && Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (tool) return run(tool, options);
  if (name === undefined || name === '--help' || name === '-h') return console.log(list());
  console.error(`There is no tool "${name}"; npm run tools lists them.`);
  process.exitCode = 1;
}

if (isEntryPoint(import.meta)) main(process.argv.slice(2));
