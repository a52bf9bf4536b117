import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { playDay, type RegisterUnderTest } from '../../client/conformance/day.ts';
import { checks, judge, type Check, type Finding } from '../../client/conformance/judge.ts';
import { openLine } from '../../client/conformance/line.ts';
import { junitOf, pageOf, summaryOf, type Verdict } from '../../client/conformance/report.ts';
import { createClient } from '../../client/client.ts';
import { memoryStore } from '../../client/jobs.ts';
import { createOutbox } from '../../client/outbox.ts';
import { createRegister, type Made } from '../../client/register.ts';
import { cash, type Place, type Sold } from '../../client/sale.ts';
import { aCounter, type Counter } from './a-counter.ts';
import { naiveRegister, type Mistake } from './naive-register.ts';

let counter: Counter;
beforeAll(async () => {
  counter = await aCounter();
});
afterAll(() => counter.close());

let runs = 0;
async function dayOf(register: RegisterUnderTest): Promise<Verdict> {
  const before = counter.line.exchanges.length;
  const { sku, name, productId } = counter.mug;
  const run = `run${++runs}`;
  const day = await playDay({ line: counter.line, register, goods: { sku, name, productId: productId! }, run });
  const books = createClient({ url: `${counter.api.url}/rest`, token: counter.api.tokens.admin });
  const findings = await judge(
    { tasks: day.tasks, exchanges: day.exchanges.map((one) => (one.at < before ? { ...one, method: 'GET' } : one)) },
    { books, money: { currency: 'USD' } },
  );
  return { register: 'a register', day, findings };
}

/** A register on our client, in a dozen lines. */
function ourRegister(place: Place): RegisterUnderTest {
  const client = createClient({ url: counter.line.url, token: counter.api.tokens.register });
  const outbox = createOutbox({ client, store: memoryStore() });
  const register = createRegister({ client, outbox, place, patienceMs: 4_000 });
  const sold = new Map<string, Sold>();
  const note = (email: string, made: Made<Sold>) => void (made.kind === 'done' && sold.set(email, made.value));
  return async ({ do: what, email, lines, deposit = 0, of = '' }) => {
    const sale = { lines, payment: cash, buyer: { email } };
    if (what === 'sell') note(email, await register.sell(sale));
    if (what === 'lay_away') note(email, await register.layaway({ ...sale, deposit }));
    if (what === 'catch_up') await outbox.send();
    if (what === 'take_back') {
      const { orderId, itemIds } = sold.get(of)!;
      await register.takeBack({ orderId, method: 'cash', lines: itemIds.map((itemId) => ({ itemId, qty: 1 })) });
    }
    if (what === 'read_settings') {
      const path = { terminalId: place.terminalId };
      const body = { deviceIdentifier: counter.deviceIdentifier };
      const beat = await client.post('/V1/pos/terminals/{terminalId}/heartbeat', { path, body });
      if (beat.kind === 'done') await client.get('/V1/pos/terminals/{terminalId}/config', { path });
    }
  };
}

const brokenBy = (findings: readonly Finding[]) => [...new Set(findings.map(({ check }) => check))];

test('a register on our client keeps every rule through a disturbed day', async () => {
  const { findings } = await dayOf(ourRegister(counter.place));
  expect(findings).toEqual([]);
  await counter.books.booksHold();
});

describe('a register that was written by hand', () => {
  const naive = (mistake?: Mistake) => {
    const { line, api, place, deviceIdentifier } = counter;
    return dayOf(naiveRegister({ url: line.url, token: api.tokens.register, place, deviceIdentifier }, mistake));
  };

  test('without a mistake keeps every rule, too: the kit finds nothing that is not there', async () => {
    expect((await naive()).findings).toEqual([]);
  });

  const caught: readonly [Mistake, Check][] = [
    ['gives_up', 'lost_sale'],
    ['new_sale_id', 'double_sale'],
    ['new_key', 'forbidden_new_id'],
    ['sums_by_floats', 'wrong_sum'],
    ['takes_busy_for_no', 'not_handed_over'],
    ['no_receipt', 'no_receipt'],
    ['newest_first', 'out_of_order'],
    ['pays_again', 'double_payment'],
    ['forgets_the_doubt', 'unanswered_doubt'],
    ['keeps_old_settings', 'stale_settings'],
    ['writes_the_time', 'changed_content'],
    ['asks_at_once', 'too_soon'],
  ];
  test.each(caught)('with the mistake %s is caught by the rule %s', async (mistake, check) => {
    const verdict = await naive(mistake);
    expect(brokenBy(verdict.findings)).toContain(check);
    expect(junitOf(verdict)).toContain(`type="${check}"`);
    expect(pageOf(verdict)).toContain('It breaks rules');
    expect(summaryOf(verdict)).toContain('NO ');
  });
});

describe('a register that does not do what a rule is about', () => {
  const notSeen = ({ findings }: Verdict) =>
    findings.filter(({ verdict }) => verdict === 'not_observed').map(({ check }) => check);

  test('passes no rule by sending nothing: sales are lost, and everything else was not observed', async () => {
    const verdict = await dayOf(async () => undefined);
    expect([...brokenBy(verdict.findings)].toSorted()).toEqual(Object.keys(checks).toSorted());
    expect(notSeen(verdict)).toHaveLength(Object.keys(checks).length - 1);
    expect(summaryOf(verdict)).not.toContain('yes');
    expect(summaryOf(verdict)).toContain('?    No sale is in the books twice.');
    expect(junitOf(verdict)).toContain(`failures="${Object.keys(checks).length}"`);
    expect(pageOf(verdict)).toContain('not observed');
  });

  test('passes the rules of its sales, and not those of returns and layaways that it has not', async () => {
    const register = ourRegister(counter.place);
    const verdict = await dayOf(async (task) => {
      if (task.do === 'sell' || task.do === 'catch_up') await register(task);
    });
    expect(notSeen(verdict)).toEqual(
      expect.arrayContaining(['double_payment', 'double_return', 'unanswered_doubt', 'stale_settings']),
    );
    expect(notSeen(verdict)).not.toEqual(expect.arrayContaining(['double_sale']));
    expect(brokenBy(verdict.findings)).not.toContain('wrong_sum');
  });
});

test('a report of a good day says so, and takes no words of the register for its own', () => {
  const verdict: Verdict = { register: '<till> & "co"', day: { tasks: [], exchanges: [] }, findings: [] };
  expect(junitOf(verdict)).toContain('failures="0"');
  expect(pageOf(verdict)).toContain('It keeps the rules.');
  expect(pageOf(verdict)).toContain('Conformance of &lt;till&gt; &amp; &quot;co&quot;');
  expect(summaryOf(verdict)).toContain('The register keeps the rules.');
});

describe('the kit as a command', () => {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const kit = (options: readonly string[], env: Record<string, string> = {}) => {
    const report = ['--page', join(folder, 'report.html'), '--junit', join(folder, 'report.xml')];
    const command = [new URL('../../client/conformance/main.ts', import.meta.url).pathname, ...options, ...report];
    return new Promise<{ code: number; says: string }>((done) => {
      execFile(process.execPath, command, { env: { ...process.env, ...env } }, (error, stdout) =>
        done({ code: error ? Number(error.code) : 0, says: stdout }),
      );
    });
  };
  const service = () => ['--service', `${counter.api.url}/rest`, '--token', counter.api.tokens.admin, '--sku', 'MUG'];

  test('plays the day with a register that is a command, and starts anew for each task', async () => {
    const home = join(folder, 'home.json');
    const { place, deviceIdentifier } = counter;
    writeFileSync(home, JSON.stringify({ folder, place, deviceIdentifier }));
    const register = `"${process.execPath}" "${new URL('command-register.ts', import.meta.url).pathname}"`;
    const { code, says } = await kit([...service(), '--register', register], { REGISTER_HOME: home });
    expect(says).toContain('The register keeps the rules.');
    expect(code).toBe(0);
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('It keeps the rules.');
    expect(readFileSync(join(folder, 'report.xml'), 'utf8')).toContain('failures="0"');
  });

  test('plays it with a register at an address, and ends with 1 where a rule is broken', async () => {
    const { place, deviceIdentifier, api } = counter;
    let register: RegisterUnderTest | undefined;
    const server = createServer((request, response) => {
      void (async () => {
        const task = await json(request);
        await register?.(task as Parameters<RegisterUnderTest>[0]);
        response.end();
      })();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    // The register asks the line, whose address is chosen before.
    const own = await openLine(`${api.url}/rest`);
    const linePort = new URL(own.url).port;
    await own.close();
    const url = `http://127.0.0.1:${linePort}/rest`;
    register = naiveRegister({ url, token: api.tokens.register, place, deviceIdentifier }, 'no_receipt');
    const options = ['--register', `http://127.0.0.1:${port}/task`, '--port', linePort];
    const { code, says } = await kit([...service(), ...options]);
    server.closeAllConnections();
    server.close();
    expect(says).toContain('NO   Every order has its receipt');
    expect(code).toBe(1);
  });

  test('says what it needs where something is missing', async () => {
    expect(await kit([])).toMatchObject({ code: 2, says: expect.stringContaining('--register <command or address>') });
    expect(await kit(['--help'])).toMatchObject({ code: 0 });
  });
});
