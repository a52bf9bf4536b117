import type { RefundFinding } from '../../domain/refunds/refund-finding.ts';

/** What came back over HTTP: a body as text, never trusted to be JSON. */
export interface GatewayResponse {
  status: number;
  body: unknown;
}

export interface GatewayCall {
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: unknown;
  /** Absolute: nothing leaves, and nothing is waited for, after it. */
  deadline: Date;
}

/** No gateway answer is longer; a body beyond it is not read to its end. */
const longestBody = 64 * 1024;

/** Failures of a connection that was never made: not a byte of the request left this machine. */
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/**
 * One HTTP call that ends by its deadline, classified.
 *
 * @returns the response, or a finding: final `not_refunded` when nothing can have been sent, else `unknown`
 */
export async function callGateway(call: GatewayCall): Promise<GatewayResponse | RefundFinding> {
  const remaining = call.deadline.getTime() - Date.now();
  if (remaining <= 0) {
    return {
      evidence: 'not_refunded',
      isFinal: true,
      gatewayOutcome: 'not_sent',
      message: 'The time for this call was over before it was sent.',
    };
  }
  try {
    const response = await fetch(call.url, {
      method: call.method,
      headers: {
        accept: 'application/json',
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...call.headers,
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      signal: AbortSignal.timeout(remaining),
      redirect: 'error',
    });
    return { status: response.status, body: parse((await response.text()).slice(0, longestBody)) };
  } catch (error) {
    return failureOf(error);
  }
}

export const isResponse = (given: GatewayResponse | RefundFinding): given is GatewayResponse => 'status' in given;

/** For what nobody documented: an unlisted answer is never a no. */
export const unrecognised = ({ status }: GatewayResponse): RefundFinding => ({
  evidence: 'unknown',
  gatewayOutcome: `http_${status}`,
  message: `The gateway answered ${status} with something nobody can read.`,
});

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failureOf(error: unknown): RefundFinding {
  const code = codeOf(error);
  if (code !== undefined && neverSent.has(code)) {
    return {
      evidence: 'not_refunded',
      isFinal: true,
      gatewayOutcome: 'not_sent',
      message: `The gateway could not be reached (${code}).`,
    };
  }
  const timedOut = typeof error === 'object' && error !== null && Reflect.get(error, 'name') === 'TimeoutError';
  return timedOut
    ? { evidence: 'unknown', gatewayOutcome: 'timeout', message: 'The gateway did not answer in time.' }
    : {
        evidence: 'unknown',
        gatewayOutcome: 'connection_lost',
        message: `The connection to the gateway was lost (${code ?? 'no reason given'}).`,
      };
}

/** The system's own word, however deep it is wrapped. */
function codeOf(error: unknown): string | undefined {
  for (let cause = error; typeof cause === 'object' && cause !== null; cause = Reflect.get(cause, 'cause')) {
    const code: unknown = Reflect.get(cause, 'code');
    if (typeof code === 'string') return code;
  }
  return undefined;
}
