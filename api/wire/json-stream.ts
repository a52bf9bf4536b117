import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { z } from 'zod';

/**
 * An answer whose JSON text is made while it is sent, piece by piece, for lists of any length. Its first piece is
 * read before the status is sent, so an early refusal is answered normally. A later error ends the connection, which
 * the caller notices.
 */
export class JsonStream {
  readonly pieces: AsyncIterable<string>;

  constructor(pieces: AsyncIterable<string>) {
    this.pieces = pieces;
  }
}

/** One page of a list as JSON text; undefined after the last. */
export type ReadPage<After> = (after: After) => Promise<{ items: string; next: After } | undefined>;

/** `{…head, "items": [every page]}` as sent. No database connection is held between two pages. */
export async function* listInPages<After>(
  { head, list }: { head: object; list: string },
  first: After,
  read: ReadPage<After>,
): AsyncGenerator<string> {
  let page = await read(first);
  yield `${JSON.stringify(head).slice(0, -1)},"${list}":[`;
  for (let isFirst = true; page !== undefined; isFirst = false) {
    yield isFirst ? page.items : `,${page.items}`;
    page = await read(page.next);
  }
  yield ']}';
}

/** Entries of a list written before other requests get their turn: a few milliseconds. */
const writtenAtOnce = 200;

/**
 * A value as `JSON.stringify` writes it. A long list in it, or as a key of it, is written in pieces; others go on
 * meanwhile.
 */
export async function jsonInPieces(value: unknown): Promise<string[]> {
  if (Array.isArray(value)) return value.length > writtenAtOnce ? listInPieces(value) : [JSON.stringify(value)];
  const entries = typeof value === 'object' && value !== null && !('toJSON' in value) ? Object.entries(value) : [];
  if (!entries.some(([, inner]) => Array.isArray(inner) && inner.length > writtenAtOnce))
    return [JSON.stringify(value)];
  const pieces: string[] = [];
  for (const [key, inner] of entries) {
    if (inner === undefined) continue;
    pieces.push(`${pieces.length === 0 ? '{' : ','}${JSON.stringify(key)}:`, ...(await jsonInPieces(inner)));
  }
  return [...pieces, '}'];
}

async function listInPieces(list: readonly unknown[]): Promise<string[]> {
  const pieces: string[] = [];
  for (let at = 0; at < list.length; at += writtenAtOnce) {
    const text = JSON.stringify(list.slice(at, at + writtenAtOnce)).slice(1, -1);
    pieces.push(at === 0 ? `[${text}` : `,${text}`);
    await setImmediate();
  }
  return [...pieces, ']'];
}

/** The whole answer, read and compared with the route's schema: for tests. */
export async function checkedStream({ pieces }: JsonStream, response: z.ZodType): Promise<JsonStream> {
  const read: string[] = [];
  for await (const piece of pieces) read.push(piece);
  response.parse(JSON.parse(read.join('')));
  return new JsonStream(Readable.from(read));
}

/** Server-sent events: text that is sent as it comes, as long as somebody listens. */
export class EventStream extends JsonStream {}

export const eventStreamType = 'text/event-stream; charset=utf-8';

/** Whether the caller wants events as they come. Only the feed of events has them. */
export const wantsEvents = (path: string, accept: string | undefined): boolean =>
  path.endsWith('/pos/events') && /text\/event-stream/i.test(accept ?? '');

/** An answer whose JSON text exists already: in pieces, so that cached ones are not copied. */
export class JsonText {
  readonly pieces: readonly (string | Buffer)[];

  constructor(...pieces: readonly (string | Buffer)[]) {
    this.pieces = pieces;
  }

  get text(): string {
    return this.pieces.map(String).join('');
  }
}
