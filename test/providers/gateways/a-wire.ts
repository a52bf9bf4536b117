import { createServer, type Socket } from 'node:net';

/** One request as it came over the wire. */
export interface SeenRequest {
  head: string;
  body: string;
}

/** What a gateway says: in full, or in raw bytes where it is no proper answer. */
export interface Reply {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

export interface Wire {
  url: string;
  seen: SeenRequest[];
  /** How the next calls go; asked anew for each. */
  onRequest: (socket: Socket, request: SeenRequest) => void;
  stop(): Promise<void>;
}

/** A gateway's end of the wire, byte by byte: nothing between it and the test makes an answer better than it is. */
export async function aWire(): Promise<Wire> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    let text = '';
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
    socket.on('data', (chunk) => {
      text += String(chunk);
      const request = whole(text);
      if (!request) return;
      text = '';
      wire.seen.push(request);
      wire.onRequest(socket, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const wire: Wire = {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    seen: [],
    onRequest: (socket) => socket.destroy(),
    stop: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy();
        server.close(() => resolve());
      }),
  };
  return wire;
}

/** Sends a whole answer. */
export function answer(socket: Socket, { status, body, headers = {} }: Reply): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  socket.write(headOf(status, { 'content-length': String(Buffer.byteLength(text)), ...headers }));
  socket.end(text);
}

export const headOf = (status: number, headers: Record<string, string>) =>
  [`HTTP/1.1 ${status} Said`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), '', ''].join(
    '\r\n',
  );

/** Undefined until the request is there to its last byte. */
function whole(text: string): SeenRequest | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [head, body] = [text.slice(0, end), text.slice(end + 4)];
  if (/^transfer-encoding: chunked/im.test(head)) {
    return body.endsWith('0\r\n\r\n') ? { head, body: unchunked(body) } : undefined;
  }
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
  return Buffer.byteLength(body) >= length ? { head, body } : undefined;
}

const unchunked = (body: string) =>
  body
    .split('\r\n')
    .filter((_, line) => line % 2 === 1)
    .join('');
