import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { build } from '../../local/build.ts';
import { freePort } from '../../local/free-port.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { emptyDatabaseUrl } from '../support/database.ts';
import { atOnce } from '../support/rivals.ts';

const home = mkdtempSync(join(tmpdir(), 'pos-build-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('a build', () => {
  let project: string;
  beforeEach(() => {
    project = mkdtempSync(join(home, 'project-'));
    for (const file of ['tsconfig.json', 'tsconfig.build.json', 'package.json']) cpSync(file, join(project, file));
    symlinkSync(resolve('node_modules'), join(project, 'node_modules'));
    write('api/main.ts', "import { greeting } from './greeting.ts';\nconsole.log(greeting);\n");
    write('api/greeting.ts', "export const greeting: string = 'as written';\n");
    write('db/first.sql', '-- the first');
  });

  function write(file: string, text: string): void {
    mkdirSync(join(project, file, '..'), { recursive: true });
    writeFileSync(join(project, file), text);
  }

  const into = () => join(project, 'dist');
  const ifOlder = () => build({ root: project, into: into(), ifOlder: true });
  const greeting = async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [join(into(), 'api/main.js')]);
    return stdout;
  };

  test('is plain JavaScript with the files that it reads, and is made again only when a source is another', async () => {
    expect(await ifOlder()).toBe(true);
    expect(await greeting()).toBe('as written\n');
    expect(readFileSync(join(into(), 'db/first.sql'), 'utf8')).toBe('-- the first');
    expect(await ifOlder()).toBe(false);

    write('api/greeting.ts', "export const greeting: string = 'as changed';\n");
    expect(await ifOlder()).toBe(true);
    expect(await greeting()).toBe('as changed\n');
  });

  test('holds nothing of a source that is gone: a migration that was never released is not run', async () => {
    await ifOlder();
    rmSync(join(project, 'db/first.sql'));
    expect(await ifOlder()).toBe(true);
    expect(existsSync(join(into(), 'db/first.sql'))).toBe(false);
  });

  test('that cannot be made leaves the one before it as it was, and says where the fault is', async () => {
    await ifOlder();
    write('api/greeting.ts', 'export const greeting = ;\n');
    await expect(ifOlder()).rejects.toThrow(/could not be compiled.*api\/greeting\.ts\(1,25\)/s);
    expect(await greeting()).toBe('as written\n');
  });

  test('is made once where several starts ask for it at once', async () => {
    expect((await atOnce(3, ifOlder)).filter((isMade) => isMade)).toHaveLength(1);
    expect(await greeting()).toBe('as written\n');
  });
});

describe('the built product, with nothing of its sources beside it', () => {
  const dist = join(home, 'shop', 'dist');
  beforeAll(async () => {
    await build({ root: process.cwd(), into: dist });
    symlinkSync(resolve('node_modules'), join(home, 'shop', 'node_modules'));
    await promisify(execFile)(process.execPath, [join(dist, 'worker/bundle.js')]);
  });

  const started: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of started.splice(0)) {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
  });

  interface Settings {
    [name: string]: string;
  }

  const inShop = (settings: Settings) => ({ cwd: join(home, 'shop'), env: { ...bareEnvironment(), ...settings } });
  const run = async (program: string, words: readonly string[], settings: Settings) => {
    const { stdout } = await promisify(execFile)(process.execPath, [join(dist, program), ...words], inShop(settings));
    return stdout;
  };

  /** A process that stays, once it says that it is ready. */
  async function start(name: 'api' | 'worker', settings: Settings): Promise<void> {
    const child = spawn(process.execPath, [join(dist, name, 'main.js')], inShop(settings));
    started.push(child);
    let said = '';
    await new Promise<void>((done, fail) => {
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => (said += String(chunk)).includes(`${name} ready`) && done());
      child.once('exit', () => fail(new Error(said)));
    });
  }

  test('has every file of the product, code as JavaScript', () => {
    const layers = '{activities,api,books,cli,client,db,domain,local,providers,worker,workflows}';
    const written = globSync(`${layers}/**/*`, { exclude: ['**/node_modules', 'client/dist'] }).filter((file) =>
      statSync(file).isFile(),
    );
    const built = written
      .map((file) => file.replace(/(?<!\.d)\.ts$/v, '.js'))
      .filter((file) => !/tsconfig/v.test(file));
    expect(built.length).toBeGreaterThan(500);
    expect(built.filter((file) => !existsSync(join(dist, file)))).toEqual([]);
    expect(globSync(`${dist}/**/*.ts`).filter((file) => !file.startsWith(join(dist, 'docs')))).toEqual([]);
  });

  test('migrates a database, serves every kind of page, works and answers an operator', async () => {
    const [port, metricsPort] = [await freePort(), await freePort()];
    const settings = {
      DATABASE_URL: await emptyDatabaseUrl(),
      TEMPORAL_ADDRESS: process.env['TEST_TEMPORAL'] ?? '',
      TEMPORAL_NAMESPACE: 'built-shop',
      POS_DATA_DIR: join(home, 'data'),
      POS_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      POS_DEMO: '1',
      LOG_FORMAT: 'json',
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
    };
    expect(await run('db/migrate.js', [], settings)).toMatch(/^Applied Migration\d+_first_day in \d+ ms\.$/m);
    expect(await run('db/migrate.js', [], settings)).toBe('The database is up to date.\n');
    await run('cli/main.js', ['temporal', 'set-up'], settings);
    await Promise.all([start('api', settings), start('worker', settings)]);

    const at = `http://127.0.0.1:${port}`;
    const status = async (path: string) => (await fetch(`${at}${path}`)).status;
    while ((await status('/health/ready')) !== 200);
    const pages = [
      ...['/', '/openapi.json', '/docs', '/docs/index.js', '/docs/swagger-ui.css', '/docs/graphql'],
      ...['/docs/guide/registers', '/docs/registers/README.md', '/docs/changelog.md', '/ops', '/llms.txt'],
      ...['/demo/till', '/demo/till/till.css', '/demo/till/client/till/till.ts', '/demo/till/client/client.js'],
    ];
    const answers = await Promise.all(pages.map(async (path) => [path, await status(path)]));
    expect(answers).toEqual(pages.map((path) => [path, 200]));
    // A password is hashed in a thread of its own, which is a program of its own.
    const signIn = await fetch(`${at}/rest/V1/integration/admin/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'nobody', password: 'Wrong-1234' }),
    });
    expect(signIn.status).toBe(401);
    expect(await run('cli/main.js', ['verify'], settings)).toMatch(/^The books are right/m);
  });
});
