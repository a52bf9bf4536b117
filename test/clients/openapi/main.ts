import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { releasedFile } from '../../../local/api-changes.ts';
import { startShop } from '../../support/start-shop.ts';
import { linters, oasdiff, tools, type Command, type Linter, type Tool } from './tools.ts';

/**
 * `npm run tools -- openapi:check`: holds the API document of a started demo shop against the tools of those who read
 * it. Two linters and `oasdiff`, against the last release, find nothing; each generator makes a client, the client
 * compiles, and sells one thing. It ends with 1 where one does not.
 *
 * The tools are installed beside, not among the project's packages, so it is no part of `npm test`. It needs both
 * package registries, Python 3 with venv, Go, Java and Maven; a missing one is a failure, because what was not tried is
 * not known to work. `OPENAPI_TOOLS` names a folder that keeps the tools, `OPENAPI_READY` the ready.json of a running
 * demo shop.
 */
const here = new URL('.', import.meta.url).pathname;
const folder = process.env['OPENAPI_TOOLS'] ?? join(tmpdir(), 'openapi-tools');
const out = join(folder, 'out');
const python = join(folder, 'python/bin');
const path = [join(folder, 'node_modules/.bin'), folder, python, dirname(process.execPath), process.env['PATH']].join(
  delimiter,
);

/** The slowest is Maven's first run, which fetches its packages. */
const longestMs = 600_000;
const mostOutput = 64 * 1024 * 1024;

interface Row {
  tool: string;
  generated: string;
  compiled: string;
  sale: string;
}

async function main(): Promise<void> {
  install();
  const shop = process.env['OPENAPI_READY'] === undefined ? await startOwnShop() : undefined;
  try {
    const ready = process.env['OPENAPI_READY'] ?? join(shop?.dataDir ?? '', 'ready.json');
    const addresses: { api: string; openapi: string; registerToken: string } = JSON.parse(readFileSync(ready, 'utf8'));
    const text = await (await fetch(addresses.openapi)).text();
    writeFileSync(join(out, 'openapi.json'), text);
    writeFileSync(join(out, 'routes.json'), JSON.stringify({ ...JSON.parse(text), webhooks: undefined }));
    const env = {
      CLIENT_URL: addresses.api.replace(/\/rest$/, ''),
      CLIENT_TOKEN: addresses.registerToken,
      CLIENT_SALE: join(dirname(ready), 'examples/sale.json'),
    };
    const found = linters.map((linter) => ({ linter: linter.name, findings: findingsOf(linter) }));
    const rows = tools.map((tool) => tried(tool, env));
    console.table(Object.fromEntries(found.map(({ linter, ...row }) => [linter, row])));
    console.table(Object.fromEntries(rows.map(({ tool, ...row }) => [tool, row])));
    const isGood = found.every(({ findings }) => findings === 0) && rows.every(isSold);
    console.log(isGood ? 'Every tool reads the document.' : 'Not every tool reads the document; what failed is above.');
    if (!isGood) process.exitCode = 1;
  } finally {
    await shop?.stop();
  }
}

const isSold = ({ tool: _tool, ...done }: Row) => Object.values(done).every((one) => one === yes);

function install(): void {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(join(out, 'js'), { recursive: true });
  cpSync(join(here, 'package.json'), join(folder, 'package.json'));
  for (const file of ['redocly.yaml', 'spectral.yaml']) cpSync(join(here, file), join(out, file));
  cpSync(releasedFile, join(out, 'released.json'));
  cpSync(join(here, 'sales'), out, { recursive: true });
  cpSync(join(here, 'sales/what-is-sold.mjs'), join(out, 'js/what-is-sold.mjs'));
  cpSync(join(here, 'sales/Sale.java'), join(out, 'java/src/main/java/sale/Sale.java'));
  // By it a generator learns that modules are named in full, as Node wants them.
  const compilerOptions = { module: 'nodenext', moduleResolution: 'nodenext' };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  const npm = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', '--silent'];
  execFileSync('npm', npm, { stdio: 'inherit' });
  if (isHere('go') && !existsSync(join(folder, 'oasdiff')))
    execFileSync('go', ['install', oasdiff], { stdio: 'inherit', env: { ...process.env, GOBIN: folder } });
  if (!isHere('python3')) return;
  execFileSync('python3', ['-m', 'venv', join(folder, 'python')], { stdio: 'inherit' });
  const requirements = ['-r', join(here, 'requirements.txt')];
  const pip = ['install', '--quiet', '--disable-pip-version-check', ...requirements];
  execFileSync(join(python, 'pip'), pip, { stdio: 'inherit' });
}

const isHere = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

async function startOwnShop() {
  const dataDir = mkdtempSync(join(tmpdir(), 'openapi-shop-'));
  const shop = await startShop(dataDir);
  if (shop.child.exitCode !== null) throw new Error(`The demo shop did not start:\n${shop.said()}`);
  return {
    dataDir,
    async stop() {
      shop.child.kill('SIGTERM');
      await shop.ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const yes = 'yes';
const no = 'NO';
const notTried = '–';

function tried(tool: Tool, env: Record<string, string>): Row {
  const row: Row = { tool: tool.name, generated: notTried, compiled: notTried, sale: notTried };
  const missing = tool.needs?.filter((program) => !isHere(program)) ?? [];
  if (missing.length > 0) return { ...row, generated: `${no}: ${missing.join(', ')} is not here` };
  for (const [column, command] of [
    ['generated', tool.generate],
    ['compiled', tool.compile],
    ['sale', tool.sale],
  ] as const) {
    const { isDone, said } = run(command, column === 'sale' ? env : {});
    row[column] = isDone ? yes : no;
    if (!isDone) console.error(`\n${tool.name}, ${column}:\n${said.slice(-4_000)}`);
    if (!isDone) return row;
  }
  return row;
}

/** How many errors, warnings and hints a linter has; NO where it ended without a word. */
function findingsOf({ name, command, countedIn }: Linter): number | string {
  const { isDone, said, answer } = run(command, {});
  const counted = countedIn(answer);
  if (isDone && counted === 0) return 0;
  console.error(`\n${name}:\n${said.slice(-4_000)}`);
  return counted === 0 ? no : counted;
}

function run({ run: [program = '', ...rest], env: own }: Command, env: Record<string, string>) {
  const { status, stdout, stderr } = spawnSync(program, rest, {
    cwd: out,
    env: { ...process.env, PATH: path, ...env, ...own },
    encoding: 'utf8',
    timeout: longestMs,
    maxBuffer: mostOutput,
  });
  return { isDone: status === 0, answer: stdout ?? '', said: `${stdout ?? ''}${stderr ?? ''}` };
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
