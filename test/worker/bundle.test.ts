import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, matchesGlob, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { DriverException } from '@mikro-orm/core';
import { ApplicationFailure } from '@temporalio/common';
import { DatabaseTrouble } from '../../db/support/connections/database-trouble.ts';
import { freePort } from '../../local/free-port.ts';
import { createLog } from '../../providers/log.ts';
import { asRefusal } from '../../providers/temporal/connect-workflows.ts';
import { reportTrouble } from '../../worker/activity-interceptors.ts';
import { bundleTo, digestOfSources, sources } from '../../worker/bundle.ts';
import { temporalLogger } from '../../worker/observe-worker.ts';
import { testDatabaseUrl } from '../support/database.ts';

describe('bundle', () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'pos-bundle-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('a start takes the bundle that an earlier one made of the same sources', async () => {
    const keep = join(folder, 'kept');
    mkdirSync(keep);
    writeFileSync(join(keep, 'of-other-sources.js'), 'old');
    const [first, second] = [join(folder, 'first.js'), join(folder, 'second.js')];
    await bundleTo(first, { keep });
    const [kept = '', ...others] = readdirSync(keep);
    expect(others).toStrictEqual([]);
    expect(readFileSync(join(keep, kept), 'utf8')).toBe(readFileSync(first, 'utf8'));

    writeFileSync(join(keep, kept), 'as kept');
    await bundleTo(second, { keep });
    expect(readFileSync(second, 'utf8')).toBe('as kept');
    expect(readdirSync(folder).toSorted()).toStrictEqual(['first.js', 'kept', 'second.js']);
  });

  test('where nothing can be kept, the bundle is made all the same', async () => {
    const file = join(folder, 'workflows.js');
    writeFileSync(join(folder, 'kept'), 'no folder');
    await bundleTo(file, { keep: join(folder, 'kept') });
    expect(readFileSync(file, 'utf8')).toContain('sourceMappingURL');
  });

  test('every source of ours in the bundle tells bundles apart', async () => {
    const file = await bundleTo(join(folder, 'workflows.js'));
    const map = /sourceMappingURL=data:application\/json;charset=utf-8;base64,(?<map>\S+)/v.exec(
      readFileSync(file, 'utf8'),
    );
    const { sources: bundled } = JSON.parse(Buffer.from(map?.groups?.['map'] ?? '', 'base64').toString()) as {
      sources: string[];
    };
    const ours = bundled
      .filter((source) => source.startsWith('/'))
      .map((source) => relative(process.cwd(), source))
      .filter((source) => source.endsWith('.ts') && !source.startsWith('node_modules/'));
    expect(ours.length).toBeGreaterThan(50);
    expect(ours.filter((source) => !sources.some((pattern) => matchesGlob(source, pattern)))).toStrictEqual([]);
  });

  test('one changed letter, one more file or another version of a package makes another bundle', () => {
    const write = (file: string, text: string) => {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    };
    const seen = new Set([digestOfSources(folder)]);
    for (const [file, text] of [
      ['workflows/returns/a.ts', 'a'],
      ['workflows/returns/a.ts', 'b'],
      ['domain/b.ts', ''],
      ['package-lock.json', '{}'],
    ] as const) {
      write(file, text);
      seen.add(digestOfSources(folder));
    }
    expect(seen.size).toBe(5);
    write('test/c.ts', 'not part of it');
    expect(seen).toContain(digestOfSources(folder));
  });
});

describe('main', () => {
  /** What a worker that cannot start says, and that it says nothing else. */
  const lastWords = (settings: Record<string, string>) =>
    new Promise<string>((resolve) => {
      const env = {
        PATH: process.env['PATH'],
        DATABASE_URL: 'postgres://pos@127.0.0.1:9/pos',
        METRICS_PORT: '0',
        ...settings,
      };
      execFile(process.execPath, ['worker/main.ts'], { env }, (_, out, err) => resolve(out + err));
    });

  test('without Temporal it says so in one sentence', async () => {
    const port = await freePort();
    expect(await lastWords({ TEMPORAL_ADDRESS: `127.0.0.1:${port}` })).toMatch(
      new RegExp(
        `^No Temporal server answers at 127\\.0\\.0\\.1:${port} \\(.*\\); start it, or correct TEMPORAL_ADDRESS\\.\\n$`,
      ),
    );
  });

  test('on a Temporal server that nobody prepared it says what prepares it, in one sentence', async () => {
    const TEMPORAL_ADDRESS = process.env['TEST_TEMPORAL'] ?? '';
    const said = await lastWords({
      DATABASE_URL: await testDatabaseUrl(),
      TEMPORAL_ADDRESS,
      TEMPORAL_NAMESPACE: 'nobody-made-it',
    });
    expect(said).toBe(
      `Temporal at ${TEMPORAL_ADDRESS}: namespace "nobody-made-it" does not exist; run npm run pos -- temporal set-up.\n`,
    );
  });

  test('a port for the metrics that is taken is named, in one sentence', async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
    );
    const said = await lastWords({ TEMPORAL_ADDRESS: '127.0.0.1:9', METRICS_PORT: String(port) });
    server.close();
    expect(said).toMatch(
      new RegExp(
        `^The metrics cannot be served at 127\\.0\\.0\\.1:${port} \\(.*\\); set METRICS_PORT to another one.*\\.\\n$`,
      ),
    );
  });

  test('a certificate that is not there is named by its setting, in one sentence', async () => {
    expect(await lastWords({ TEMPORAL_ADDRESS: '127.0.0.1:9', TEMPORAL_TLS_CA: '/nope/ca.crt' })).toMatch(
      /^TEMPORAL_TLS_CA names a file that cannot be read \(.*\/nope\/ca\.crt.*\)\.\n$/,
    );
  });
});

describe('report trouble', () => {
  /** The failure of a step that ends so, as Temporal gets it. */
  async function failureOf(work: () => Promise<unknown>): Promise<unknown> {
    const { inbound } = reportTrouble({} as never);
    return inbound?.execute?.({} as never, work).catch((error: unknown) => error);
  }

  test('trouble of the database is a fault to be tried again, and 503 where it lasts', async () => {
    const failure = await failureOf(() => Promise.reject(new DriverException(new DatabaseTrouble('08006', 'gone'))));
    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect(failure).toMatchObject({ type: 'DatabaseTrouble', nonRetryable: false });
    expect(asRefusal(failure)).toMatchObject({ status: 503 });
  });

  test('every other fault is unchanged', async () => {
    const fault = new Error('a mistake of ours');
    expect(await failureOf(() => Promise.reject(fault))).toBe(fault);
    expect(asRefusal(fault)).toBe(fault);
    expect(await failureOf(async () => 'done')).toBe('done');
  });
});

describe('temporal logger', () => {
  /** What is written when a line comes in, at every level. */
  function written(say: (logger: ReturnType<typeof temporalLogger>) => unknown): Record<string, unknown>[] {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    say(temporalLogger(createLog('worker', { LOG_LEVEL: 'trace', LOG_FORMAT: 'json' }, destination)));
    return lines.map((line) => JSON.parse(line));
  }
  const levels = { debug: 20, info: 30, warn: 40, error: 50 };
  const ours = { sdkComponent: 'workflow', workflowId: 'refund-attempt-8', rmaId: 42 };
  const theirs = { sdkComponent: 'worker', workflowId: 'refund-attempt-8', jobs: [{ data: 'T2xnYQ==' }] };

  test('an operator’s note that passes through Temporal’s own traces is never written', () => {
    expect(written((logger) => logger.log('TRACE', 'Got workflow activation', theirs))).toEqual([]);
    expect(written((logger) => logger.trace('Got activity task', theirs))).toEqual([]);
  });

  test.each(['warn', 'error'] as const)(
    'Temporal’s own %s is written as such, with the workflow’s name and no payload',
    (level) => {
      const error = new Error('no such workflow');
      const [line] = written((logger) =>
        logger.log(level === 'warn' ? 'WARN' : 'ERROR', 'Workflow failed', { ...theirs, error }),
      );

      expect(line).toMatchObject({ level: levels[level], workflowId: 'refund-attempt-8', msg: 'Workflow failed' });
      expect(line).toMatchObject({ error: { message: 'no such workflow' } });
      expect(line).not.toHaveProperty('jobs');
    },
  );

  test('what a workflow of ours says keeps its level and its facts; the SDK’s own talk is for who asks for it', () => {
    expect(written((logger) => logger.log('INFO', 'the return is closed', ours))).toMatchObject([
      { level: levels.info, rmaId: 42 },
    ]);
    expect(written((logger) => logger.log('WARN', 'a signal was ignored', ours))).toMatchObject([
      { level: levels.warn, rmaId: 42 },
    ]);
    expect(written((logger) => logger.log('INFO', 'Worker state changed', theirs))).toMatchObject([
      { level: levels.debug },
    ]);
    expect(written((logger) => logger.info('Worker state changed'))).toMatchObject([{ level: levels.debug }]);
  });
});
