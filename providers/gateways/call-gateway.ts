import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { connect as connectPlainly, isIP, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import type { RefundFinding } from '../../domain/refunds/refund-finding.ts';
import type { Deadline } from '../deadline.ts';
import { lost, notSent, timedOut } from './findings.ts';

/** The HTTP response. */
export interface GatewayResponse {
  status: number;
  /** Names in lower case. */
  headers: IncomingMessage['headers'];
  /** Parsed where it is JSON within the size limit, else undefined. Its content is not checked yet. */
  body: unknown;
}

export interface GatewayCall {
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: unknown;
  /** After it nothing is sent, and no answer is awaited. */
  deadline: Deadline;
}

/** The longest answer read; a longer body is not read to its end. */
const longestBody = 64 * 1024;

/**
 * One HTTP call over a separate connection, which ends by its deadline, and its classified outcome.
 *
 * The deadline is checked once more when the connection stands, before the first byte is sent: a process that was
 * frozen in between sends nothing late. So every failure before that moment is provably no refund, and every failure
 * after it is a doubt. (A kept-alive connection would blur that moment, and refunds are rare.) Redirects are not
 * followed.
 *
 * @returns the response, or a finding: final `not_refunded` when nothing can have been sent, else `unknown`
 */
export function callGateway(call: GatewayCall): Promise<GatewayResponse | RefundFinding> {
  return new Promise((resolve) => {
    const url = URL.parse(call.url);
    if (url === null) return resolve(noAddress);
    const remaining = call.deadline.remainingMs();
    if (remaining <= 0) return resolve(tooLate);
    let isSent = false;
    const socket = connectTo(url);
    const end = (outcome: GatewayResponse | RefundFinding) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(outcome);
    };
    const timer = setTimeout(() => end(isSent ? timedOut : tooLate), remaining);
    const fail = (error?: unknown) => end(isSent ? lost(codeOf(error)) : unreachable(codeOf(error)));
    const closed = () => fail();
    socket.on('error', fail);
    socket.once('close', closed);
    socket.once(isSecure(url) ? 'secureConnect' : 'connect', () => {
      // From here on the request itself reports how the connection ended: a close may follow a complete answer.
      socket.off('close', closed);
      const request = startRequest(socket, call, url);
      if (request === undefined) return end(unsendable);
      request.on('error', fail);
      request.once('response', (response) => read(response, end, fail));
      if (call.deadline.remainingMs() <= 0) return end(tooLate);
      isSent = true;
      request.end(bodyOf(call));
    });
  });
}

export const isResponse = (given: GatewayResponse | RefundFinding): given is GatewayResponse => 'status' in given;

const tooLate = notSent('The time for this call was over before it was sent.');
const noAddress = notSent('The configured address of the gateway is not valid.');
const unsendable = notSent('The configured key of the gateway cannot be sent.');
const unreachable = (code: string) => notSent(`The gateway could not be reached (${code}).`);

const isSecure = (url: URL) => url.protocol === 'https:';

function connectTo(url: URL): Socket {
  // Brackets mark an IPv6 address.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port || (isSecure(url) ? 443 : 80));
  if (!isSecure(url)) return connectPlainly({ host, port });
  return connectSecurely({ host, port, ...(isIP(host) === 0 ? { servername: host } : {}) });
}

/** Nothing is sent yet. Undefined for a key that a header cannot carry. */
function startRequest(socket: Socket, call: GatewayCall, url: URL): ClientRequest | undefined {
  try {
    return httpRequest({
      createConnection: () => socket,
      method: call.method,
      path: url.pathname + url.search,
      headers: {
        host: url.host,
        accept: 'application/json',
        connection: 'close',
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...call.headers,
      },
    });
  } catch {
    return undefined;
  }
}

const bodyOf = ({ body }: GatewayCall) => (body === undefined ? undefined : JSON.stringify(body));

function read(response: IncomingMessage, end: (answer: GatewayResponse) => void, fail: (error: unknown) => void): void {
  const status = response.statusCode ?? 0;
  const chunks: Buffer[] = [];
  let length = 0;
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > longestBody) end({ status, headers: response.headers, body: undefined });
  });
  response.once('end', () => end({ status, headers: response.headers, body: parse(Buffer.concat(chunks).toString()) }));
  response.on('error', fail);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The system's error code, never its message: that may repeat what was sent. */
const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'connection closed';
