#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createClient } from '../client.ts';
import { valueOf } from '../results.ts';
import { playDay, type RegisterUnderTest, type Task } from './day.ts';
import { judge } from './judge.ts';
import { openLine } from './line.ts';
import { junitOf, pageOf, summaryOf } from './report.ts';

const help = `conformance: plays a disturbed day with a register, and tells from the books what it did wrong.

  --service <address>   the service with /rest, for instance http://127.0.0.1:8080/rest
  --token <token>       a token that may sell, and read orders, receipts and returns
  --register <command or address>
                        a command gets each task as JSON on its standard input, and ends when it is done;
                        an address gets it as the body of a POST, and answers 2xx when it is done.
                        POS_URL (the disturbed line) and POS_TOKEN are in the command's environment.
  --sku <sku>           goods in stock (MUG-WHITE)
  --currency <code>     of the store view (USD)
  --port <port>         of the line (a free one)
  --page <file>         the report as a page (conformance.html)
  --junit <file>        the report as JUnit XML (conformance.xml)

It ends with 1 where a rule is broken, or was not observed.`;

/** A task may wait for the waits of the guide; a register that hangs is no register. */
const longestTaskMs = 300_000;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      ...{ service: { type: 'string' }, token: { type: 'string' }, register: { type: 'string' } },
      ...{ sku: { type: 'string', default: 'MUG-WHITE' }, currency: { type: 'string', default: 'USD' } },
      ...{ port: { type: 'string', default: '0' }, page: { type: 'string', default: 'conformance.html' } },
      ...{ junit: { type: 'string', default: 'conformance.xml' }, help: { type: 'boolean', default: false } },
    },
  });
  const { service, token, register } = values;
  if (values.help || service === undefined || token === undefined || register === undefined) {
    console.log(help);
    return values.help ? 0 : 2;
  }
  const books = createClient({ url: service, token });
  const product = valueOf(await books.get('/V1/products/{sku}', { path: { sku: values.sku } }));
  const line = await openLine(service, { port: Number(values.port) });
  console.log(`The line is at ${line.url}.`);
  try {
    const day = await playDay({
      line,
      register: /^https?:\/\//.test(register) ? byAddress(register) : byCommand(register, { url: line.url, token }),
      goods: { sku: values.sku, name: String(product.name), productId: Number(product.id) },
      run: crypto.randomUUID().slice(0, 8),
      say: console.log,
    });
    const findings = await judge(day, { books, money: { currency: values.currency } });
    const verdict = { register, day, findings };
    writeFileSync(values.page, pageOf(verdict));
    writeFileSync(values.junit, junitOf(verdict));
    console.log(`\n${summaryOf(verdict)}\n\n${values.page}, ${values.junit}`);
    return findings.length === 0 ? 0 : 1;
  } finally {
    await line.close();
  }
}

const byAddress =
  (address: string): RegisterUnderTest =>
  async (task) => {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(task),
      signal: AbortSignal.timeout(longestTaskMs),
    });
    if (!response.ok) throw new Error(`It answered ${response.status}.`);
  };

const byCommand =
  (command: string, { url, token }: { url: string; token: string }): RegisterUnderTest =>
  (task: Task) =>
    new Promise((resolve, reject) => {
      const child = spawn(command, {
        ...{ shell: true, stdio: ['pipe', 'inherit', 'inherit'], timeout: longestTaskMs },
        env: { ...process.env, POS_URL: url, POS_TOKEN: token },
      });
      child.once('error', reject);
      child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`It ended with ${code}.`))));
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(`${JSON.stringify(task)}\n`);
    });

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
