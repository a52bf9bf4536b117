import { lookup } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Webhook } from 'standardwebhooks';

/** What is sent to an endpoint. */
export interface Letter {
  url: string;
  /** The event's name: a repeat has the same one. */
  id: string;
  body: string;
  /** The present secret first; each signs. Empty: a receiver that takes no signatures. */
  secrets: readonly string[];
}

/** What came of it. A call that ends without a status may have been taken: it is sent again under the same id. */
export interface Sent {
  isTaken: boolean;
  /** Null: no answer came. */
  status: number | null;
  tookMs: number;
  failure: string | null;
  /** The first kilobyte. */
  answer: string | null;
  /** How long the endpoint asked to be left alone (`Retry-After`); absent: it did not ask. */
  retryAfterSeconds?: number;
}

export interface WebhookSender {
  send(letter: Letter): Promise<Sent>;
}

export interface SenderSettings {
  /** Addresses of the shop's own network may be called, and plain HTTP. */
  mayCallPrivate: boolean;
  timeoutMs?: number;
  /** All addresses of a name; absent: as the system knows them. */
  lookUp?: (name: string) => Promise<readonly Address[]>;
}

/** Below the lease of a delivery. */
const usualTimeoutMs = 10_000;

/** What is read of an answer; the rest is cut off. */
const mostAnswerBytes = 1_024;

/**
 * Sends signed events by POST (Standard Webhooks). Only public addresses are called, unless a setting allows others:
 * the name is looked up once, every address it has is checked, and the checked ones are called, the next one where none
 * of the event was sent to the one before. Redirects are not followed. One absolute time bounds the name, the calls and
 * the answer. Every end of a connection is a result. Never throws.
 */
export function createWebhookSender({
  mayCallPrivate,
  timeoutMs = usualTimeoutMs,
  lookUp = (name) => lookup(name, { all: true }),
}: SenderSettings): WebhookSender {
  return {
    async send(letter) {
      const began = performance.now();
      const tookMs = () => Math.round(performance.now() - began);
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        const url = new URL(letter.url);
        const fault = urlFault(letter.url, mayCallPrivate);
        if (fault !== undefined) throw new Refused(fault);
        const addresses = await within(signal, addressesOf(url.hostname, { mayCallPrivate, lookUp }));
        const { status, answer, retryAfter } = await postToFirst(url, { addresses, letter, signal, timeoutMs });
        const isTaken = status >= 200 && status < 300;
        const wait = isTaken ? undefined : secondsOf(retryAfter, Date.now());
        return {
          ...{ isTaken, status, tookMs: tookMs(), failure: isTaken ? null : failureOf(status), answer },
          ...(wait === undefined ? {} : { retryAfterSeconds: wait }),
        };
      } catch (error) {
        return { isTaken: false, status: null, tookMs: tookMs(), failure: wordsFor(error), answer: null };
      }
    },
  };
}

function failureOf(status: number): string | null {
  if (status === switchingProtocols) return 'it changed the protocol, which is not followed';
  return status >= 300 && status < 400 ? 'a redirect, which is not followed' : null;
}

const switchingProtocols = 101;

/** Seconds, or a date of HTTP. Undefined: nothing that can be read. A moment that is over is 0. */
function secondsOf(retryAfter: string | undefined, now: number): number | undefined {
  const text = retryAfter?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = /[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1_000));
}

/** Not called: the endpoint itself is at fault. */
class Refused extends Error {}

/** Why an address may not be called; undefined: it may, as far as can be said before its name is looked up. */
export function urlFault(input: string, mayCallPrivate: boolean): string | undefined {
  if (!URL.canParse(input)) return 'it is no address such as https://shop.example/hooks';
  const url = new URL(input);
  if (url.protocol !== 'https:' && !(mayCallPrivate && url.protocol === 'http:')) return 'it must begin with https://';
  if (url.username !== '' || url.password !== '') return 'it must have no user name and no password';
  const host = bare(url.hostname);
  return isIP(host) === 0 || mayBeCalled(host, mayCallPrivate) ? undefined : notPublic;
}

const notPublic = 'its address is not a public one';

/** Of an IPv6 address in a URL. */
const bare = (host: string) => host.replace(/^\[|\]$/g, '');

/** Private, loopback, link-local and all reserved ranges are not; nor is such an address inside an IPv6 one. */
export function isPublic(address: string): boolean {
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast' || isOfCloudHost(address)) return false;
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast);
}

/** All that is given out of IPv6 so far: outside it stand old ways to write an IPv4 address. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/**
 * Where a machine in a cloud asks for its own secrets: Azure's wire server, a public address that leads into the host;
 * the metadata services of AWS, Google, Azure and others. No setting makes them receivers of events.
 */
function isOfCloudHost(address: string): boolean {
  const parsed = ipaddr.process(address);
  return parsed.range() === 'linkLocal' || cloudHosts.has(parsed.toNormalizedString());
}

const cloudHosts: ReadonlySet<string> = new Set(
  ['168.63.129.16', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254'].map((address) =>
    ipaddr.parse(address).toNormalizedString(),
  ),
);

const mayBeCalled = (address: string, mayCallPrivate: boolean) =>
  mayCallPrivate ? !isOfCloudHost(address) : isPublic(address);

/** A name with more is no receiver of events; the others are not tried. */
const mostAddresses = 8;

interface Address {
  address: string;
  family: number;
}

/** The addresses that may be called: looked up once, and every one of the name is fit. */
async function addressesOf(
  host: string,
  { mayCallPrivate, lookUp }: Required<Pick<SenderSettings, 'mayCallPrivate' | 'lookUp'>>,
): Promise<readonly Address[]> {
  const name = bare(host);
  const found = isIP(name) === 0 ? await lookUp(name) : [{ address: name, family: isIP(name) }];
  if (found.length === 0) throw new Refused('its name has no address');
  if (!found.every(({ address }) => mayBeCalled(address, mayCallPrivate))) throw new Refused(notPublic);
  return found.slice(0, mostAddresses);
}

interface Call {
  letter: Letter;
  signal: AbortSignal;
}

interface Answered {
  status: number;
  answer: string;
  retryAfter?: string | undefined;
}

/** Nothing of the event was sent: another address of the name may be called. */
class NotConnected extends Error {}

/** Calls the addresses one after another until one takes a connection, each for its part of the time that is left. */
async function postToFirst(
  url: URL,
  { addresses, letter, signal, timeoutMs }: Call & { addresses: readonly Address[]; timeoutMs: number },
): Promise<Answered> {
  const end = performance.now() + timeoutMs;
  for (const [index, address] of addresses.entries()) {
    const left = addresses.length - index;
    const connectMs = left === 1 ? undefined : Math.max(1, (end - performance.now()) / left / 2);
    try {
      return await post(url, { address, letter, signal, connectMs });
    } catch (error) {
      if (!(error instanceof NotConnected) || left === 1 || signal.aborted)
        throw error instanceof NotConnected ? error.cause : error;
    }
  }
  throw new Refused('its name has no address');
}

/** @param call.connectMs how long the connection may take; undefined: as long as the whole call */
function post(
  url: URL,
  { address, letter, signal, connectMs }: Call & { address: Address; connectMs: number | undefined },
): Promise<Answered> {
  const isSecure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    let isConnected = false;
    /** Once there is one, no end of the connection changes what it says. */
    let hasStatus = false;
    const call = (isSecure ? httpsRequest : httpRequest)(
      url,
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(letter.body),
          'user-agent': 'point-of-sale-backend',
          ...signed(letter),
        },
        // A connection of its own, which ends with the answer: none that was opened for another name is used again.
        agent: false,
        signal,
        // The name was looked up, and the address it had then is called, whatever it has now.
        lookup: (_name, options, done) =>
          options.all === true ? done(null, [address]) : done(null, address.address, address.family),
      },
      (response) => {
        const { statusCode: status = 0, headers } = response;
        hasStatus = true;
        void firstOf(response).then((answer) => resolve({ status, answer, retryAfter: headers['retry-after'] }));
      },
    );
    const timer = connectMs === undefined ? undefined : setTimeout(() => call.destroy(notInTime()), connectMs);
    const fail = (error: unknown) => {
      clearTimeout(timer);
      if (hasStatus) return;
      reject(isConnected ? error : new NotConnected('no connection', { cause: error }));
    };
    call.on('socket', (socket) =>
      socket.once(isSecure ? 'secureConnect' : 'connect', () => {
        isConnected = true;
        clearTimeout(timer);
      }),
    );
    // An answer that changes the protocol is none of HTTP: without a listener the call would have no end.
    call.on('upgrade', (response, socket) => {
      hasStatus = true;
      socket.destroy();
      resolve({ status: response.statusCode ?? switchingProtocols, answer: '' });
    });
    call.on('error', fail);
    call.on('close', () => fail(new Error('closed without an answer')));
    call.end(letter.body);
  });
}

const notInTime = () => Object.assign(new Error('not in time'), { name: 'TimeoutError' });

/** As Standard Webhooks has it: one signature for each secret, in one header. */
function signed({ id, body, secrets }: Letter): Record<string, string> {
  const now = new Date();
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, now, body));
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    ...(signatures.length === 0 ? {} : { 'webhook-signature': signatures.join(' ') }),
  };
}

/** The status says what became of the event: an answer that breaks off or never ends is cut off. */
async function firstOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= mostAnswerBytes) break;
    }
  } catch {
    // What came of it is kept.
  }
  return storable(Buffer.concat(chunks).subarray(0, mostAnswerBytes).toString('utf8'));
}

/** PostgreSQL keeps no NUL character. */
const storable = (text: string) => text.replaceAll('\0', '').slice(0, mostAnswerBytes);

const within = <Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
  ]);

/** Never a word of what was sent. */
function wordsFor(error: unknown): string {
  if (error instanceof Refused) return error.message;
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  const name: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'name') : undefined;
  if (name === 'TimeoutError' || name === 'AbortError' || code === 'ABORT_ERR') return 'no whole answer in time';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'its name is not known';
  if (code === 'ECONNREFUSED') return 'nobody listens there';
  if (code === 'ENETUNREACH' || code === 'EHOSTUNREACH') return 'there is no way to its address';
  return `the connection broke off (${typeof code === 'string' ? code : 'no reason given'})`;
}
