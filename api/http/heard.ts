import type { IncomingMessage } from 'node:http';

/** What a handler hears of the request it is carried out for. */
export interface Heard {
  incoming: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } };
  requestId: string;
  setHeader: (name: string, value: string) => void;
}

/** Reads a request's headers by name, however it is spelled. */
export const headersOf = (incoming: Pick<IncomingMessage, 'headers'>) => (name: string) => {
  const value = incoming.headers[name.toLowerCase()];
  return Array.isArray(value) ? value.join(', ') : value;
};
