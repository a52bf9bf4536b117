import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isJson } from '../../../api/http/openapi/json.ts';
import { routes } from '../../../api/routes.ts';
import { documentsOf } from '../../house/documents.ts';
import { answerFaults } from '../../support/answer-faults.ts';
import { type StartedShop, startShop } from '../../support/start-shop.ts';
import { differencesOf, fillBody, fillText } from './sample-values.ts';
import { sendExamples } from './send-examples.ts';
import { walkGuide } from './walk-guide.ts';

describe('registers guide', () => {
  /** A start on a slow machine that is busy with other tests. */
  const patienceMs = 150_000;
  const firstPage = 'docs/registers/README.md';
  const dataDir = mkdtempSync(join(tmpdir(), 'pos-guide-'));

  let shop: StartedShop;
  beforeAll(async () => {
    shop = await startShop(dataDir);
    expect(shop.said()).toContain('Ready in');
  }, patienceMs);
  afterAll(async () => {
    shop.child.kill('SIGTERM');
    await shop.ended;
    rmSync(dataDir, { recursive: true, force: true });
  }, patienceMs);

  /** In the order of the first page's table. */
  const pages = [
    firstPage,
    ...[...readFileSync(firstPage, 'utf8').matchAll(/^\| \[[^\]]+\]\(\/([^)#]+)\)/gm)].map(([, page = '']) => page),
  ];

  test(
    'every sample of the guide works in the demo shop, in the order of its pages, and answers what is shown',
    async () => {
      const ready = JSON.parse(readFileSync(join(dataDir, 'ready.json'), 'utf8'));

      const { seen, found } = await walkGuide(pages, { ready, dataDir });

      expect(found).toEqual([]);
      expect(seen).toBeGreaterThan(80);
      expect(pages.toSorted()).toEqual(documentsOf('docs/registers'));
    },
    patienceMs,
  );

  const run = promisify(execFile);
  const environment = { ...process.env, POS_DATA_DIR: dataDir };

  /** In place of each answer its status, on a line of its own. */
  const statusesOnly = [
    String.raw`STATUS='%{http_code}\n'`,
    String.raw`curl() { command curl -o "$ANSWER" "${'$'}{@/#\\n/$STATUS}"; }`,
  ].join('\n');

  test(
    'the day prints each request as a command, and a pasted write gets its first answer again',
    async () => {
      const { stdout: script } = await run(process.execPath, ['local/demo.ts', '--curl'], { env: environment });
      const asked = [...script.matchAll(/^# +\d+ {2}(.*) → (\d+)$/gm)].map(([, request = '', status]) => [
        request,
        status,
      ]);
      expect(asked.length).toBeGreaterThan(150);
      expect(script).toContain('-H "authorization: Bearer $REGISTER_TOKEN"');
      const file = join(dataDir, 'day.sh');
      writeFileSync(file, `${statusesOnly}\n${script}`);

      const { stdout } = await run('bash', ['-eu', file], { env: { ...environment, ANSWER: join(dataDir, 'answer') } });

      const answered = stdout.trim().split('\n');
      expect(answered).toHaveLength(asked.length);
      // What was in doubt is decided by now, what was deleted is gone, and a page's form has no key.
      const isDoneOnce = ([request = '', status]: (string | undefined)[]) =>
        status === '409' || /^DELETE|^POST \/receipt\//.test(request);
      const other = asked.filter(([, status], at) => answered[at] !== status);
      expect(other.filter((request) => !isDoneOnce(request))).toEqual([]);
    },
    patienceMs,
  );

  /** A body that no state of a shop could make right. */
  const isAboutTheRequest = /^Invalid value of|value's type is invalid|is required\. Enter and try again/;

  test(
    'every documented request is carried out, or refused as the document tells, and its answer is of the documented shape',
    async () => {
      const ready = JSON.parse(readFileSync(join(dataDir, 'ready.json'), 'utf8'));
      const document: unknown = await (await fetch(ready.openapi)).json();

      const sent = await sendExamples(routes, ready);

      if (!isJson(document)) throw new Error('The shop has no API document.');
      const answers = sent.map(({ answer }) => answer);
      expect(answerFaults(document, answers)).toEqual([]);
      expect(sent.filter(({ isDocumented }) => !isDocumented).map(({ name, said }) => `${name}: ${said}`)).toEqual([]);
      expect(sent.filter(({ said = '' }) => isAboutTheRequest.test(said)).map(({ name }) => name)).toEqual([]);
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(270);
    },
    patienceMs,
  );
});

describe('sample values', () => {
  const values = () => new Map<string, unknown>([['ORDER', 17]]);

  test('a value is kept at its first sight and compared from then on', () => {
    const kept = values();
    expect(differencesOf('{ "id": $RETURN, "order_id": $ORDER }', { id: 3, order_id: 17 }, kept)).toEqual([]);
    expect(kept.get('RETURN')).toBe(3);
    expect(differencesOf('{ "id": $RETURN }', { id: 4 }, kept)).toEqual(['.id: shown 3, answered 4']);
  });

  test('a name becomes JSON in a body, and characters within a text', () => {
    expect(fillBody('{ "orderId": $ORDER, "items": "[{\\"id\\":$ORDER}]" }', values())).toBe(
      '{ "orderId": 17, "items": "[{\\"id\\":17}]" }',
    );
    expect(fillText('/V1/orders/$ORDER', values())).toBe('/V1/orders/17');
    expect(() => fillText('/V1/orders/$NOTHING', values())).toThrow('no sample before has told $NOTHING');
  });

  test.each([
    ['{ "a": 1 }', { a: 2 }, '.a: shown 1, answered 2'],
    ['{ "a": 1 }', { a: '1' }, '.a: shown 1, answered "1"'],
    ['{ "a": 1 }', { a: 1, b: 2 }, '.b: is not shown'],
    ['{ "a": 1, … }', {}, '.a: shown 1'],
    ['{ "a": [1] }', { a: [1, 2] }, '.a: 2 rows, not 1'],
    ['{}', [], 'the answer: shown {}, answered []'],
    ['"by … at noon"', 'by Ada at one', 'the answer: shown "by … at noon", answered "by Ada at one"'],
  ])('what is shown as %s is not %j', (shown, actual, difference) => {
    expect(differencesOf(shown, actual, values())).toEqual([expect.stringContaining(difference)]);
  });

  test.each([
    ['{ "a": …, "b": [{ "c": 1 }, …], … }', { a: null, b: [{ c: 1 }, { c: 2 }], d: 4 }],
    ['…', 12],
    ['{ "a": "by … at …" }', { a: 'by Ada at noon' }],
  ])('what is shown as %s is also %j', (shown, actual) => {
    expect(differencesOf(shown, actual, values())).toEqual([]);
  });
});
