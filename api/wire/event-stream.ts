import { JsonStream } from './json-stream.ts';

/** Server-sent events: text that is sent as it comes, as long as somebody listens. */
export class EventStream extends JsonStream {}

export const eventStreamType = 'text/event-stream; charset=utf-8';

/** Whether the caller wants events as they come. Only the feed of events has them. */
export const wantsEvents = (path: string, accept: string | undefined): boolean =>
  path.endsWith('/pos/events') && /text\/event-stream/i.test(accept ?? '');
