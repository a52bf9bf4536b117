import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** A license as the service keeps it. */
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

/** How the service answers: as documented, not at all, by hanging up, or with something nobody can read. */
const moods = ['answers', 'hangs', 'drops', 'babbles'] as const;
export type Mood = (typeof moods)[number];

export interface LicenseSimulator {
  url: string;
  /** By license key. */
  licenses: Map<string, SimulatedLicense>;
  mood: Mood;
  /** Paths that were asked for, in their order. */
  asked: string[];
  stop(): Promise<void>;
}

const longestBody = 16 * 1024;

/** Starts a license service of its own on the loopback: its truth is the map it shows. */
export async function startLicenseSimulator({ port = 0 }: { port?: number } = {}): Promise<LicenseSimulator> {
  const server = createServer((request, response) => void serve(simulator, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const simulator: LicenseSimulator = {
    url: urlOf(server),
    licenses: new Map(),
    mood: 'answers',
    asked: [],
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return simulator;
}

function urlOf(server: Server): string {
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
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
  const { status, body } = simulator.mood === 'babbles' ? babble : answerTo(simulator, path, await readBody(request));
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** `GET /control` shows its truth without the tokens, `POST /control {"mood": "drops"}` changes how it answers. */
async function serveControl(
  simulator: LicenseSimulator,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const wanted = request.method === 'POST' ? textIn(await readBody(request), 'mood') : simulator.mood;
  const mood = moods.find((known) => known === wanted);
  if (mood !== undefined) simulator.mood = mood;
  const licenses = [...simulator.licenses].map(([license_key, { status, type, boundTo }]) => {
    return { license_key, status, type, bound_to: boundTo ?? null };
  });
  response
    .writeHead(mood === undefined ? 400 : 200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ mood: simulator.mood, moods, licenses }));
}

const babble = { status: 200, body: { hello: 'world' } };

interface Answer {
  status: number;
  body: unknown;
}

const no = (status: number, code: string, message: string): Answer => ({ status, body: { code, message } });

function answerTo({ licenses }: LicenseSimulator, path: string, body: unknown): Answer {
  const license = licenses.get(textIn(body, 'license_key'));
  const device = textIn(body, 'device_identifier');
  if (!license) return no(404, 'unknown_license', 'This license does not exist.');
  if (path === '/v1/licenses/release') {
    delete license.boundTo;
    return { status: 200, body: {} };
  }
  if (path !== '/v1/licenses/activate' && path !== '/v1/licenses/validate')
    return no(404, 'unknown_path', 'There is no such path.');
  if (license.boundTo !== undefined && license.boundTo !== device)
    return no(409, 'bound_elsewhere', 'This license is used on another device.');
  if (path === '/v1/licenses/activate') {
    if (license.status !== 'active') return no(403, 'not_active', `This license is ${license.status}.`);
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

function textIn(body: unknown, key: string): string {
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, key) : undefined;
  return typeof value === 'string' ? value : '';
}

async function readBody(request: IncomingMessage): Promise<unknown> {
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
