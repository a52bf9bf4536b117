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

/** What came of it. A call that ends without a whole answer may have been taken: it is sent again under the same id. */
export interface Sent {
  isTaken: boolean;
  /** Null: no answer came. */
  status: number | null;
  tookMs: number;
  failure: string | null;
  /** The first kilobyte. */
  answer: string | null;
}

export interface WebhookSender {
  send(letter: Letter): Promise<Sent>;
}

export interface SenderSettings {
  /** Addresses of the shop's own network may be called, and plain HTTP. */
  mayCallPrivate: boolean;
  timeoutMs?: number;
}

/** Below the lease of a delivery. */
const usualTimeoutMs = 10_000;

/** What is read of an answer; the rest is cut off. */
const mostAnswerBytes = 1_024;

/**
 * Sends signed events by POST (Standard Webhooks). Only public addresses are called, unless a setting allows others:
 * the name is looked up once, every address it has is checked, and the checked one is called. Redirects are not
 * followed. One absolute time bounds the name, the call and the answer. Never throws.
 */
export function createWebhookSender({ mayCallPrivate, timeoutMs = usualTimeoutMs }: SenderSettings): WebhookSender {
  return {
    async send(letter) {
      const began = performance.now();
      const tookMs = () => Math.round(performance.now() - began);
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        const url = new URL(letter.url);
        const fault = urlFault(letter.url, mayCallPrivate);
        if (fault !== undefined) throw new Refused(fault);
        const address = await within(signal, addressOf(url.hostname, mayCallPrivate));
        const { status, answer } = await post(url, { address, letter, signal });
        const isTaken = status >= 200 && status < 300;
        const failure = isTaken ? null : status >= 300 && status < 400 ? 'a redirect, which is not followed' : null;
        return { isTaken, status, tookMs: tookMs(), failure, answer };
      } catch (error) {
        return { isTaken: false, status: null, tookMs: tookMs(), failure: wordsFor(error), answer: null };
      }
    },
  };
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
  return isIP(host) !== 0 && !mayCallPrivate && !isPublic(host) ? notPublic : undefined;
}

const notPublic = 'its address is not a public one';

/** Of an IPv6 address in a URL. */
const bare = (host: string) => host.replace(/^\[|\]$/g, '');

/** Private, loopback, link-local and all reserved ranges are not; nor is such an address inside an IPv6 one. */
export function isPublic(address: string): boolean {
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast);
}

/** All that is given out of IPv6 so far: outside it stand old ways to write an IPv4 address. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/** The address that will be called: looked up once, and every one it has is fit. */
async function addressOf(host: string, mayCallPrivate: boolean): Promise<{ address: string; family: number }> {
  const name = bare(host);
  const found = isIP(name) === 0 ? await lookup(name, { all: true }) : [{ address: name, family: isIP(name) }];
  const [first] = found;
  if (!first) throw new Refused('its name has no address');
  if (!mayCallPrivate && !found.every(({ address }) => isPublic(address))) throw new Refused(notPublic);
  return first;
}

interface Call {
  address: { address: string; family: number };
  letter: Letter;
  signal: AbortSignal;
}

function post(url: URL, { address, letter, signal }: Call): Promise<{ status: number; answer: string }> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const call = send(
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
        firstOf(response).then((answer) => resolve({ status: response.statusCode ?? 0, answer }), reject);
      },
    );
    call.on('error', reject);
    call.end(letter.body);
  });
}

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

async function firstOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    // Its status is known: the rest of a long answer is not waited for.
    if (length >= mostAnswerBytes) break;
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
  return `the connection broke off (${typeof code === 'string' ? code : 'no reason given'})`;
}
