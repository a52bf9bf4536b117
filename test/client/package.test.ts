import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { valueOf } from '../../client/results.ts';
import { cash } from '../../client/sale.ts';
import { clientTypes } from '../../local/renew-client.ts';
import { aCounter, type Counter } from './a-counter.ts';

const folder = mkdtempSync(join(tmpdir(), 'client-package-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const esbuild: { buildSync: (options: object) => { outputFiles: { contents: Uint8Array }[] } } = createRequire(
  import.meta.url,
)('esbuild');

/** What a browser loads for this program, in bytes, gzipped. A built-in module of Node has no place there. */
function loadedBy(program: string): number {
  const { outputFiles } = esbuild.buildSync({
    stdin: { contents: program, resolveDir: resolve('client'), loader: 'ts' },
    ...{ bundle: true, minify: true, format: 'esm', platform: 'browser', write: false },
  });
  return gzipSync(outputFiles[0]!.contents).length;
}

test('the types are those of the API document as it is: npm run tools -- client:renew', () => {
  expect(readFileSync('client/generated.ts', 'utf8') === clientTypes()).toBe(true);
});

test('a browser loads no more than 30 kB, and only what it uses', () => {
  const whole = loadedBy(`export * from './index.ts'; export * from './browser-store.ts';`);
  expect(whole).toBeLessThan(30_000);
  expect(loadedBy(`import { createClient } from './index.ts'; createClient({ url: '', token: '' });`)).toBeLessThan(
    whole / 2,
  );
  expect(loadedBy(`import { criteria } from './index.ts'; criteria().query();`)).toBeLessThan(1_500);
});

test('it needs no package at run time', () => {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync('client/package.json', 'utf8'));
  expect([dependencies, peerDependencies]).toEqual([undefined, undefined]);
});

test('its version is that of the service', () => {
  const versionOf = (file: string) => JSON.parse(readFileSync(file, 'utf8')).version;
  expect(versionOf('client/package.json')).toBe(versionOf('package.json'));
});

describe('the packed package, in a folder of its own', () => {
  let counter: Counter;
  const samples = [...readFileSync('docs/registers/client.md', 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(
    ([, code = '']) => code,
  );

  beforeAll(async () => {
    counter = await aCounter();
    // The first return waits for a worker to start; a cashier of the sample waits ten seconds.
    const register = counter.registerFor();
    const { orderId, itemIds } = valueOf(await register.sell({ lines: [counter.mug], payment: cash }));
    await register.takeBack({ orderId, lines: itemIds.map((itemId) => ({ itemId, qty: 1 })), method: 'cash' });
    const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
      cwd: 'client',
      encoding: 'utf8',
    });
    const home = join(folder, 'node_modules', 'point-of-sale-client');
    mkdirSync(home, { recursive: true });
    execFileSync('tar', ['-xzf', join(folder, packed.trim()), '--strip-components=1', '-C', home]);
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    // What a project has for Node itself.
    mkdirSync(join(folder, 'node_modules', '@types'));
    symlinkSync(resolve('node_modules/@types/node'), join(folder, 'node_modules', '@types', 'node'));
    symlinkSync(resolve('node_modules/undici-types'), join(folder, 'node_modules', 'undici-types'));
    samples.forEach((code, at) => writeFileSync(join(folder, `sample-${at}.ts`), code));
  });
  afterAll(() => counter.close());

  test('is what the guide’s samples are compiled with, strictly', () => {
    expect(samples.length).toBeGreaterThan(2);
    const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
    const files = samples.map((_, at) => `sample-${at}.ts`);
    expect(
      execFileSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), ...options, ...files], {
        ...{ cwd: folder, encoding: 'utf8' },
      }),
    ).toBe('');
  });

  test('sells and takes back by the guide’s first sample, which is at most thirty lines', async () => {
    const [first = ''] = samples;
    expect(first.trim().split('\n').length).toBeLessThanOrEqual(30);
    const told = await new Promise<string>((done, failed) => {
      void import('node:child_process').then(({ execFile }) =>
        execFile(
          process.execPath,
          ['sample-0.ts'],
          {
            cwd: folder,
            env: {
              ...process.env,
              ...{ POS_URL: counter.line.url, POS_TOKEN: counter.api.tokens.register },
              POS_TERMINAL: String(counter.place.terminalId),
              POS_LOCATION: String(counter.place.locationId),
              POS_STAFF: String(counter.place.staffId),
            },
          },
          (error, stdout, stderr) => (error ? failed(new Error(stderr)) : done(stdout)),
        ),
      );
    });
    expect(told).toMatch(/^Sold: order \d+, 25\.92 USD\.\nHand out 12\.96 USD\.\n$/);
  });
});
