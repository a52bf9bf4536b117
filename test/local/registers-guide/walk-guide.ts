import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Ready } from '../../../local/ready-file.ts';
import { samplesOf, type Command, type Exchange, type Header } from './guide-samples.ts';
import { differencesOf, fillBody, fillText, type Values } from './sample-values.ts';
import { bareEnvironment } from '../../support/bare-environment.ts';

/**
 * Sends every sample of the pages in order, as a reader does. Stops after the first that differs from what is shown.
 */
export async function walkGuide(pages: readonly string[], { ready, dataDir }: { ready: Ready; dataDir: string }) {
  const values: Values = new Map<string, unknown>([
    ['REGISTER_TOKEN', ready.registerToken],
    ['SETUP_TOKEN', ready.setUpToken],
    ['ADMIN_TOKEN', ready.adminToken],
    ['GATEWAY', ready.gateway],
  ]);
  let seen = 0;
  for (const sample of pages.flatMap(samplesOf)) {
    seen += 1;
    const found =
      'command' in sample ? await type(sample, { dataDir, values }) : await exchange(sample, { ready, values });
    if (found.length > 0) return { seen, found: [`${sample.at}:`, ...found] };
  }
  return { seen, found: [] };
}

async function exchange(sample: Exchange, { ready, values }: { ready: Ready; values: Values }): Promise<string[]> {
  const target = fillText(sample.target, values);
  const isOurs = target.startsWith('/');
  const headers = new Headers(isOurs ? { authorization: `Bearer ${ready.registerToken}` } : {});
  if (sample.body !== undefined) headers.set('content-type', 'application/json');
  for (const [name, value] of sample.headers) headers.set(name, fillText(value, values));
  const response = await fetch(isOurs ? ready.api + target : target, {
    method: sample.method,
    headers,
    ...(sample.body === undefined ? {} : { body: fillBody(sample.body, values) }),
  });
  const text = await response.text();
  const { status, headers: shownHeaders, body } = sample.answer;
  const found = [
    ...(response.status === status ? [] : [`status ${response.status}, not ${status}`]),
    ...shownHeaders.flatMap((header) => compareHeader(header, response.headers, values)),
    ...(body === undefined ? differencesOf('""', text, values) : differencesOf(body, JSON.parse(text), values)),
  ];
  return found.length === 0 ? [] : [...found, text];
}

const compareHeader = ([name, shown]: Header, headers: Headers, values: Values) =>
  differencesOf(JSON.stringify(shown), headers.get(name), values).map((difference) => `${name}${difference}`);

/** In a shell, with the values as its variables. */
async function type(sample: Command, { dataDir, values }: { dataDir: string; values: Values }): Promise<string[]> {
  const own = Object.fromEntries([...values].map(([name, value]) => [name, String(value)]));
  const child = spawn('bash', ['-euc', sample.command], {
    env: { ...bareEnvironment(), HOME: dataDir, POS_DATA_DIR: dataDir, ...own },
  });
  let printed = '';
  let wrong = '';
  child.stdout.on('data', (chunk) => (printed += String(chunk)));
  child.stderr.on('data', (chunk) => (wrong += String(chunk)));
  const [code] = await once(child, 'close');
  if (code !== 0) return [`the command ended with ${code}: ${wrong}`];
  return sample.prints === undefined ? [] : differencesOf(JSON.stringify(sample.prints.trim()), printed.trim(), values);
}
