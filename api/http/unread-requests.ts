import { STATUS_CODES, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { jsonHeaders } from './security-headers.ts';

/** Anything that is not HTTP is 400, and so is every error not listed here. */
const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Answers requests that never reach a handler, in the same form as all others: too slow, too large, or not HTTP.
 * Node's own answers lack our headers, and a receipt's address must not be passed on, even with an invalid request
 * (spec 4.9).
 */
export function answersUnread(server: Server, handler: RequestListener): Server {
  const underWay = new WeakMap<Socket, ServerResponse[]>();
  const answer: RequestListener = (request, response) => {
    // Requests may be pipelined before the first is answered.
    const open = underWay.get(request.socket) ?? [];
    if (open.push(response) === 1) underWay.set(request.socket, open);
    response.once('close', () => void open.splice(open.indexOf(response), 1));
    if (request.httpVersion === '1.1' && request.headers.host === undefined) refuse(response);
    else handler(request, response);
  };
  server.on('request', answer);
  // An unknown `Expect` header is not a reason to refuse.
  server.on('checkExpectation', answer);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const isAnswering = [...(underWay.get(socket) ?? [])].some((one) => one.headersSent && !one.writableFinished);
    if (!socket.writable || isAnswering || error.code === 'ECONNRESET') socket.destroy(error);
    else socket.end(written(statuses[error.code ?? ''] ?? 400), () => socket.destroy());
  });
  return server;
}

function refuse(response: ServerResponse): void {
  response.writeHead(400, [...headers.flat(), 'Content-Length', '0']).end();
}

const headers = [...jsonHeaders, ['Cache-Control', 'no-store'], ['Connection', 'close']] as const;

const written = (status: number) =>
  [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n');
