import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** What the simulated services of one machine share: a server on the loopback, JSON in and out. */

export interface SimulatedServer {
  url: string;
  /** Hangs up on whoever is still waiting. */
  stop(): Promise<void>;
}

/** Listens on the loopback; port 0 takes a free one. Rejects when the port is taken. */
export async function serveSimulator(
  port: number,
  serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<SimulatedServer> {
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export interface SimulatedAnswer {
  status: number;
  body: unknown;
}

export const sendJson = (response: ServerResponse, { status, body }: SimulatedAnswer): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

export const refusal = (status: number, code: string, message: string): SimulatedAnswer => ({
  status,
  body: { code, message },
});

export const unknownPath = refusal(404, 'unknown_path', 'There is no such path.');

const longestBody = 256 * 1024;

/** Undefined where it is no JSON, or too long. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > longestBody) return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Empty where there is no such text. */
export function textIn(body: unknown, key: string): string {
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, key) : undefined;
  return typeof value === 'string' ? value : '';
}
