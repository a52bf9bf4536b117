import { setTimeout as pause } from 'node:timers/promises';

export interface TellersAnswer {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

export interface Pressing {
  patienceMs?: number;
  headers?: Record<string, string>;
}

/**
 * Somebody at a register who presses again, with the same keys, until there is an answer. After `unready` presses "the
 * return is not ready" is one: what keeps it from that may stay.
 */
export interface Teller {
  press(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
    patience?: { unready?: number },
  ): Promise<TellersAnswer>;
  /** One press by somebody who waits so long for an answer; undefined when none came. */
  pressOnce(method: string, path: string, body?: unknown, how?: Pressing): Promise<TellersAnswer | undefined>;
  /** Every answer so far that no register should ever see. */
  readonly faults: string[];
  /** Is told of each press. */
  watch: ((press: Pressed) => void) | undefined;
}

export interface Pressed {
  method: string;
  path: string;
  /** Undefined when none came. */
  answer: TellersAnswer | undefined;
  seconds: number;
}

const presses = 600;
const pauseMs = 100;
const answerWithinMs = 40_000;
const notYet = new Set(['sale_return_being_created', 'return_not_ready', 'idempotency_key_in_use']);

/** "Not now" in its documented forms: everything else is an answer. */
const isNotYet = ({ status, body }: TellersAnswer) =>
  status === 503 || status === 504 || (status === 409 && notYet.has(body?.parameters?.outcome));

/** A proxy before several APIs is an address that is asked for anew with each press. */
export function aTeller({ url, token }: { url: string | (() => string); token: string }): Teller {
  const faults: string[] = [];
  const press: Teller['pressOnce'] = async (method, path, body, how = {}) => {
    const { patienceMs = answerWithinMs, headers = {} } = how;
    try {
      const response = await fetch(`${typeof url === 'string' ? url : url()}/rest${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          connection: 'close',
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(patienceMs),
      });
      const text = await response.text();
      const answer = { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
      if (answer.status === 500) faults.push(`${method} ${path} answered 500: ${text}`);
      return answer;
    } catch (error) {
      if (error instanceof SyntaxError) throw error;
      return undefined;
    }
  };
  const pressOnce: Teller['pressOnce'] = async (method, path, body, how) => {
    const began = performance.now();
    const answer = await press(method, path, body, how);
    teller.watch?.({ method, path, answer, seconds: (performance.now() - began) / 1_000 });
    return answer;
  };
  const teller: Teller = {
    faults,
    watch: undefined,
    pressOnce,
    async press(method, path, body, headers = {}, { unready = presses } = {}) {
      let answer: TellersAnswer | undefined;
      for (let times = 0; times < presses; times++, await pause(pauseMs)) {
        answer = await pressOnce(method, path, body, { headers });
        const isTiredOf = answer?.body?.parameters?.outcome === 'return_not_ready' && times >= unready;
        if (answer && answer.status !== 500 && (isTiredOf || !isNotYet(answer))) return answer;
      }
      throw new Error(`${method} ${path} was pressed ${presses} times and never answered: ${JSON.stringify(answer)}`);
    },
  };
  return teller;
}
