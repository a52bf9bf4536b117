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
 * Whether an event comes from the shop, and is not an old copy. `webhook-id` is the same for a repeat: keep the ids, and do
 * nothing twice.
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
