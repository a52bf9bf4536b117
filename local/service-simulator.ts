import type { IncomingMessage, ServerResponse } from 'node:http';
import { startLittleServer, type LittleServer } from './little-server.ts';

/** What the simulated services share: a server on the loopback that reads and writes JSON. */

export type SimulatedServer = LittleServer;

/** Listens on the loopback; port 0 takes a free one. Rejects when the port is taken. */
export const serveSimulator = (
  port: number,
  serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<SimulatedServer> => startLittleServer({ port, serve });

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

/** Undefined for a body with more letters than that. */
export async function readText(request: IncomingMessage, most: number): Promise<string | undefined> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > most) return undefined;
  }
  return text;
}

/** Undefined for text that is too long or not JSON. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const text = await readText(request, longestBody);
  if (text === undefined) return undefined;
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
