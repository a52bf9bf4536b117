import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { connect as connectPlainly, isIP, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { cardDataIn } from '../../domain/card-data.ts';
import { inMinorUnits, minorText } from '../../domain/currency-texts.ts';
import { repeatedRefusal, type RefundFinding } from '../../domain/refunds/refund-finding.ts';
import type { Deadline } from '../deadline.ts';
import { inSpan, traceHeaders } from '../observe/tracing.ts';
import type { RequestedRefund } from './payment-gateway.ts';

/** The evidence of a gateway's answer, in outcomes that every gateway shares: the table of `payment-gateway.ts`. */

/** Only with the gateway's own reference: a yes without one is a doubt. */
export const refunded = (gatewayReference: string): RefundFinding => ({
  evidence: 'refunded',
  gatewayOutcome: 'approved',
  gatewayReference,
});

/** A documented no: this call refunded nothing and never will. Its key cannot be used again. */
export const refused = (gatewayOutcome: string, message: string | undefined): RefundFinding => ({
  evidence: 'not_refunded',
  isFinal: true,
  endsIntent: true,
  gatewayOutcome: gatewayOutcome.slice(0, longestOutcome).toWellFormed(),
  message: message ?? 'The gateway refused the refund.',
});

/**
 * The gateway documents that it did not process the request: too many calls, or closed for the moment. The refund was
 * not refused, so the next call has the same intent and the same key: an earlier call that arrives late is not a
 * second refund.
 */
export const notProcessed = (message: string | undefined): RefundFinding => ({
  evidence: 'not_refunded',
  isFinal: true,
  gatewayOutcome: 'not_processed',
  message: message ?? 'The gateway did not take the refund. Try it again in a moment.',
});

/** Nothing left this machine; the intent stays, as above. */
const notSent = (message: string): RefundFinding => ({
  evidence: 'not_refunded',
  isFinal: true,
  gatewayOutcome: 'not_sent',
  message,
});

/**
 * The stored answer to an earlier call with the same key. An old no says nothing about money that moved since, so it
 * is a doubt. The next "not refunded" ends the intent, and the refund after it gets a new key.
 */
export const repeatedNo = (message: string | undefined): RefundFinding => ({
  evidence: 'unknown',
  gatewayOutcome: repeatedRefusal,
  message: message ?? 'The gateway repeated the refusal of an earlier call.',
});

const timedOut: RefundFinding = {
  evidence: 'unknown',
  gatewayOutcome: 'timeout',
  message: 'The gateway did not answer in time.',
};

/** The connection broke after the request may have been sent. */
const lost = (code: string): RefundFinding => ({
  evidence: 'unknown',
  gatewayOutcome: 'connection_lost',
  message: `The connection to the gateway was lost (${code}).`,
});

/** For undocumented answers: an unknown answer is never a no. */
export const unrecognised = ({ status }: { status: number }): RefundFinding => ({
  evidence: 'unknown',
  gatewayOutcome: `http_${status}`,
  message: `The gateway answered ${status} with something unreadable.`,
});

export const pending: RefundFinding = {
  evidence: 'unknown',
  gatewayOutcome: 'pending',
  message: 'The gateway is still working on the refund.',
};

/** A look-up that finds nothing; believed only when a second one confirms it after the call is over for certain. */
export const notFound: RefundFinding = {
  evidence: 'not_refunded',
  gatewayOutcome: 'not_found',
  message: 'The gateway knows of no such refund.',
};

/** A look-up without a usable answer. */
export const cannotSay: RefundFinding = {
  evidence: 'unknown',
  message: 'The gateway cannot say what became of the refund.',
};

/** The length of the columns, and short enough for an operator. */
const longestOutcome = 64;
const longestMessage = 500;

/**
 * A gateway's own sentence, cleaned for storing and showing: short, without control characters, our keys or anything
 * like a card number.
 */
export function wordsOf(text: string | null | undefined, secrets: readonly string[]): string | undefined {
  if (text === null || text === undefined) return undefined;
  const hidden = secrets
    .filter((secret) => secret !== '')
    .reduce((rest, secret) => rest.replaceAll(secret, '(hidden)'), text);
  const words = hidden
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, longestMessage)
    // A cut within a character would leave half of it, which the database refuses.
    .toWellFormed();
  return words === '' || cardDataIn(words) ? undefined : words;
}

/** The length of the column; a longer text is not a valid reference. */
export const longestReference = 255;

/** Our own check before anything is sent. */
export const tooFine = notSent(
  'The amount is finer than the smallest coin of its currency; no gateway can pay it out.',
);

/** A refund as the gateway describes it. Undefined: the field is absent or unreadable. */
export interface ReportedRefund {
  /** In the currency's smallest coin. */
  minor: number | undefined;
  currencyCode: string | undefined;
  /** Null or undefined: it does not name the payment. */
  paymentReference: string | null | undefined;
  merchantReference: string | undefined;
}

/** As much of the other refund's name as an operator needs to find it. */
const longestName = 80;

/**
 * A doubt, in words, where the gateway describes another refund than ours; undefined where it is ours.
 *
 * Ours has our amount and currency, one of the references of its intent, and the payment where the gateway names one.
 * A restored backup or another installation may have used the name before at the same account. Its refund says
 * nothing about ours, neither yes nor no.
 */
export function otherRefund(request: RequestedRefund, reported: ReportedRefund): RefundFinding | undefined {
  const differences = [...moneyDifference(request, reported), ...nameDifferences(request, reported)];
  if (differences.length === 0) return undefined;
  return {
    evidence: 'unknown',
    gatewayOutcome: 'other_refund',
    message: `The gateway told of another refund than this one: ${differences.join(', ')}. Look for it in the portal of the gateway.`,
  };
}

function moneyDifference(request: RequestedRefund, reported: ReportedRefund): string[] {
  const minor = inMinorUnits(request.amount, request.currencyCode);
  if (reported.minor === minor && reported.currencyCode === request.currencyCode) return [];
  const ours = minor === undefined ? 'our amount' : moneyIn(minor, request.currencyCode);
  const theirs =
    reported.minor === undefined || reported.currencyCode === undefined
      ? 'no amount'
      : moneyIn(reported.minor, reported.currencyCode);
  return [`${theirs} instead of ${ours}`];
}

const moneyIn = (minor: number, currencyCode: string) => `${minorText(minor, currencyCode)} ${currencyCode}`;

function nameDifferences(
  { merchantReference, ownReferences, paymentReference }: RequestedRefund,
  reported: ReportedRefund,
) {
  const isOurs =
    reported.merchantReference === merchantReference || ownReferences.includes(reported.merchantReference ?? '');
  const isOurPayment = reported.paymentReference == null || reported.paymentReference === paymentReference;
  return [
    ...(isOurs ? [] : [`${named('reference', reported.merchantReference)} instead of "${merchantReference}"`]),
    ...(isOurPayment ? [] : [`${named('payment', reported.paymentReference)} instead of "${paymentReference ?? ''}"`]),
  ];
}

function named(what: string, name: string | null | undefined): string {
  const words = wordsOf(name, [])?.slice(0, longestName).toWellFormed();
  return words === undefined ? `no ${what}` : `${what} "${words}"`;
}

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
export const callGateway = (call: GatewayCall): Promise<GatewayResponse | RefundFinding> =>
  inSpan({ name: `gateway ${call.method}`, kind: 'client' }, async (tell) => {
    const answer = await callOnce(call);
    tell(
      isResponse(answer)
        ? { facts: { 'http.response.status_code': answer.status } }
        : { facts: { 'pos.evidence': answer.evidence }, hasFailed: true },
    );
    return answer;
  });

function callOnce(call: GatewayCall): Promise<GatewayResponse | RefundFinding> {
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
      request.once('response', (response) => readResponse(response, end, fail));
      if (call.deadline.remainingMs() <= 0) return end(tooLate);
      isSent = true;
      request.end(bodyOf(call));
    });
  });
}

export const isResponse = (input: GatewayResponse | RefundFinding): input is GatewayResponse => 'status' in input;

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
        ...traceHeaders(),
        ...call.headers,
      },
    });
  } catch {
    return undefined;
  }
}

const bodyOf = ({ body }: GatewayCall) => (body === undefined ? undefined : JSON.stringify(body));

function readResponse(
  response: IncomingMessage,
  end: (answer: GatewayResponse) => void,
  fail: (error: unknown) => void,
): void {
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
