import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  readJson,
  refusal,
  sendJson,
  serveSimulator,
  textIn,
  unknownPath,
  type SimulatedAnswer,
  type SimulatedServer,
} from '../service-simulator.ts';

/** A license in the service's records. */
export interface SimulatedLicense {
  status: 'active' | 'expired' | 'revoked';
  type: 'free' | 'pro';
  token: string;
  /** ISO 8601. */
  expiresAt?: string;
  fiscal?: { tssId: string; apiKey: string };
  /** The device that uses it; absent while it is free. */
  boundTo?: string;
}

/** How the service answers: as documented, never, by hanging up, or with unreadable text. */
const moods = ['answers', 'hangs', 'drops', 'babbles'] as const;
export type Mood = (typeof moods)[number];

export interface LicenseSimulator extends SimulatedServer {
  /** By license key. */
  licenses: Map<string, SimulatedLicense>;
  mood: Mood;
  /** The requested paths, in order. */
  asked: string[];
}

/** Starts a separate license service on the loopback; the exported map is its records. */
export async function startLicenseSimulator({ port = 0 }: { port?: number } = {}): Promise<LicenseSimulator> {
  const server = await serveSimulator(port, (request, response) => serve(simulator, request, response));
  const simulator: LicenseSimulator = { ...server, licenses: new Map(), mood: 'answers', asked: [] };
  return simulator;
}

async function serve(simulator: LicenseSimulator, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? '';
  if (path === '/control') return serveControl(simulator, request, response);
  simulator.asked.push(path);
  if (simulator.mood === 'drops') {
    request.socket.destroy();
    return;
  }
  if (simulator.mood === 'hangs') return;
  sendJson(response, simulator.mood === 'babbles' ? babble : answerTo(simulator, path, await readJson(request)));
}

/** `GET /control` shows its records without the tokens, `POST /control {"mood": "drops"}` changes how it answers. */
async function serveControl(
  simulator: LicenseSimulator,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const requested = request.method === 'POST' ? textIn(await readJson(request), 'mood') : simulator.mood;
  const mood = moods.find((known) => known === requested);
  if (mood !== undefined) simulator.mood = mood;
  const licenses = [...simulator.licenses].map(([license_key, { status, type, boundTo }]) => {
    return { license_key, status, type, bound_to: boundTo ?? null };
  });
  sendJson(response, { status: mood === undefined ? 400 : 200, body: { mood: simulator.mood, moods, licenses } });
}

const babble = { status: 200, body: { hello: 'world' } };

function answerTo({ licenses }: LicenseSimulator, path: string, body: unknown): SimulatedAnswer {
  const license = licenses.get(textIn(body, 'license_key'));
  const device = textIn(body, 'device_identifier');
  if (!license) return refusal(404, 'unknown_license', 'This license does not exist.');
  if (path === '/v1/licenses/release') {
    delete license.boundTo;
    return { status: 200, body: {} };
  }
  if (path !== '/v1/licenses/activate' && path !== '/v1/licenses/validate') return unknownPath;
  if (license.boundTo !== undefined && license.boundTo !== device)
    return refusal(409, 'bound_elsewhere', 'This license is used on another device.');
  if (path === '/v1/licenses/activate') {
    if (license.status !== 'active') return refusal(403, 'not_active', `This license is ${license.status}.`);
    license.boundTo = device;
  }
  const { status, type, token, expiresAt, fiscal } = license;
  return {
    status: 200,
    body: {
      status,
      type,
      token,
      expires_at: expiresAt ?? null,
      fiscal: fiscal ? { tss_id: fiscal.tssId, api_key: fiscal.apiKey } : null,
    },
  };
}
