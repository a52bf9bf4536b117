import type { Context } from 'koa';
import { hangUp, refusal, send, staySilent, textIn, unknownPath, type SimulatedAnswer } from './service.ts';

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

/** The records of a license service outside, and how it answers. */
export interface LicenseRecords {
  /** By license key. */
  licenses: Map<string, SimulatedLicense>;
  mood: Mood;
  /** The requested paths, in order. */
  asked: string[];
}

export const licenseRecords = (): LicenseRecords => ({ licenses: new Map(), mood: 'answers', asked: [] });

/** @param path below the service's address */
export function serveLicense(records: LicenseRecords, context: Context, path: string): void {
  if (path === '/control') return serveControl(records, context);
  records.asked.push(path);
  if (records.mood === 'drops') return hangUp(context);
  if (records.mood === 'hangs') return staySilent(context);
  send(context, records.mood === 'babbles' ? babble : answerTo(records, path, context.request.body));
}

/** `GET /control` shows its records without the tokens, `POST /control {"mood": "drops"}` changes how it answers. */
function serveControl(records: LicenseRecords, context: Context): void {
  const requested = context.method === 'POST' ? textIn(context.request.body, 'mood') : records.mood;
  const mood = moods.find((known) => known === requested);
  if (mood !== undefined) records.mood = mood;
  const licenses = [...records.licenses].map(([license_key, { status, type, boundTo }]) => {
    return { license_key, status, type, bound_to: boundTo ?? null };
  });
  send(context, { status: mood === undefined ? 400 : 200, body: { mood: records.mood, moods, licenses } });
}

const babble = { status: 200, body: { hello: 'world' } };

function answerTo({ licenses }: LicenseRecords, path: string, body: unknown): SimulatedAnswer {
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
