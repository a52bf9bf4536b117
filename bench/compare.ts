import { fireChains, type Hits } from './fire-chains.ts';
import { fire } from './fire.ts';
import type { BenchProcess } from './processes.ts';
import { pathOf, send } from './send.ts';
import { sendChain } from './send-chain.ts';
import type { Load, Scenario } from './scenario.ts';

export interface Comparison {
  scenario: Scenario;
  /** The recording that the baseline replays. */
  index: number;
  load: Load;
  rounds: number;
  seconds: number;
  token: string;
  api: BenchProcess;
  plain: BenchProcess;
  /** How many statements the API sent for one request. */
  statements: number;
  say: (line: string) => void;
}

export interface Compared {
  name: string;
  load: Load;
  statements: number;
  rounds: { api: Hits; plain: Hits }[];
}

const warmUpSeconds = 1;

/** Counts the requests of a scenario over all loads and both sides, so that unique subjects are used once. */
const counts = new WeakMap<Scenario, number>();

function nextSubject(scenario: Scenario): number {
  const count = (counts.get(scenario) ?? 1) + 1;
  counts.set(scenario, count);
  return scenario.subjectOf(count);
}

/** One path under one load: API and baseline alternate, so that both run under the same conditions. */
export async function compare(comparison: Comparison): Promise<Compared> {
  const { scenario, load, rounds, seconds, statements, say } = comparison;
  const name = `${scenario.name}, ${load.connections} connections`;
  const [api, plain] = [toApi(comparison), toPlain(comparison)];
  await api(warmUpSeconds);
  await plain(warmUpSeconds);
  const done: Compared['rounds'] = [];
  for (let round = 1; round <= rounds; round++) {
    const hits = { api: await api(seconds), plain: await plain(seconds) };
    done.push(hits);
    say(
      `  ${name}, round ${round}: ${Math.round(hits.api.perSecond)} beside ${Math.round(hits.plain.perSecond)} a second`,
    );
  }
  return { name: scenario.name, load, statements, rounds: done };
}

function toApi({ scenario, load, token, api }: Comparison) {
  const chain = () => sendChain(scenario, nextSubject(scenario), (request) => send(api.url, token, request));
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  if (scenario.next)
    return (seconds: number) =>
      fireChains({ ...api, seconds, lanes: Array.from({ length: load.connections }, () => chain) });
  const next = () => {
    const request = scenario.request(nextSubject(scenario));
    const { method, body, headers: more } = request;
    return {
      method,
      path: pathOf(request),
      headers: { ...headers, ...more },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
  };
  return (seconds: number) => fire({ ...api, connections: load.connections, seconds, next });
}

function toPlain({ scenario, load, index, plain }: Comparison) {
  const headers = { 'content-type': 'application/json' };
  const next = () => {
    const subject = nextSubject(scenario);
    const { method, body } = scenario.request(subject);
    return {
      method,
      path: `/${index}/${subject}`,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
  };
  const { connections } = load;
  const one = () => sendTo(plain, next());
  if (scenario.next)
    return (seconds: number) =>
      fireChains({ ...plain, seconds, lanes: Array.from({ length: connections }, () => one) });
  return (seconds: number) => fire({ ...plain, connections, seconds, next });
}

async function sendTo({ url }: BenchProcess, { path, ...request }: { path: string; method: string; body?: string }) {
  const response = await fetch(url + path, request);
  await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`);
}
