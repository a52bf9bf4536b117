import type { Client } from './client.ts';
import type { Refused, SignedOut } from './results.ts';
import type { Shape } from './shapes.ts';

/** Something that happened, as the feed and webhooks tell it. */
export type PosEvent = Shape<'Event'>;

export type EventName = PosEvent['type'];

/** What the feed told. `refused` and `signed_out` end it. */
export type News =
  | { kind: 'events'; events: readonly PosEvent[]; next: number }
  /**
   * The register was away for more than 30 days: read the lists that it keeps copies of. The feed goes on by itself.
   */
  | { kind: 'gone'; next: number; sentence: string }
  | Refused
  | SignedOut;

export interface Following {
  /** Where the register stopped: the last `next` that it kept. 0 is the oldest event; absent, it begins now. */
  after?: number;
  /** Absent: every type that the token may see. */
  types?: readonly EventName[];
  signal: AbortSignal;
}

/** The service answers at once when something happens. It waits no longer than this. */
const waitSeconds = 25;
const gone = 410;

/**
 * What happens in the shop, as it happens, in one order and without a gap. Keep `next` together with what you did about
 * the events: after a restart the feed goes on there. A lost line is no end: it is asked again until the signal.
 */
export async function* follow(client: Client, { after, types, signal }: Following): AsyncGenerator<News, void> {
  for (let place = after; !signal.aborted;) {
    const query = {
      ...(place === undefined ? {} : { after: place }),
      ...(types === undefined ? {} : { types: types.join(',') }),
      wait: waitSeconds,
    };
    const heard = await client.get('/V1/pos/events', { query, signal });
    if (signal.aborted) return;
    if (heard.kind === 'done') {
      const { events, next } = heard.value;
      place = next;
      if (events.length > 0) yield { kind: 'events', events, next };
    } else if (heard.kind === 'refused' && heard.status === gone) {
      place = Number(Object.values(heard.parameters ?? {})[0] ?? 0);
      yield { kind: 'gone', next: place, sentence: heard.sentence };
    } else if (heard.kind !== 'unanswered') {
      yield heard;
      return;
    }
  }
}

/** The headers of an event that the shop sends, as Standard Webhooks names them. */
export interface WebhookHeaders {
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
}

/** An older event is somebody's copy. The same holds for one from the future. */
const mostSeconds = 300;
const prefix = 'whsec_';

/**
 * Whether an event comes from the shop, and is not an old copy. `webhook-id` is the same for a repeat: keep the ids,
 * and do nothing twice.
 *
 * @param body the text as it came, before it is parsed
 */
export async function isFromShop(
  { headers, body, secret }: { headers: WebhookHeaders; body: string; secret: string },
  now: Date = new Date(),
): Promise<boolean> {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures } = headers;
  if (!/^\d{1,12}$/.test(at) || Math.abs(now.getTime() / 1_000 - Number(at)) > mostSeconds) return false;
  const bytes = bytesOf(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret);
  if (!bytes) return false;
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  const signed = new TextEncoder().encode(`${id}.${at}.${body}`);
  for (const signature of signatures.split(' ')) {
    const [version, text = ''] = signature.split(',');
    const given = version === 'v1' ? bytesOf(text) : undefined;
    // The browser's own comparison, which takes the same time for every wrong signature.
    if (given && (await crypto.subtle.verify('HMAC', key, given, signed))) return true;
  }
  return false;
}

/** Of base64; undefined where it is none. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
