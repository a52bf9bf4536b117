import { z } from 'zod';
import { licenseStatuses, licenseTypes, type LicenseStatus, type LicenseType } from '../domain/terminals.ts';
import { postJson, type JsonAnswer } from './post-json.ts';

export interface LicenseServiceSettings {
  baseUrl: string;
  apiKey: string | undefined;
  timeoutMs: number;
}

/** The longest answer that is read. */
const longestAnswer = 64 * 1024;
/** How much of the service's message a register shows. */
const longestMessage = 500;

const report = z.object({
  status: z.enum(licenseStatuses),
  type: z.enum(licenseTypes),
  token: z.string().min(1).max(4_096),
  expires_at: z.iso.datetime({ offset: true }).nullish(),
  fiscal: z.object({ tss_id: z.string().min(1).max(128), api_key: z.string().min(1).max(4_096) }).nullish(),
});
const refusal = z.object({ code: z.string().optional(), message: z.string() });

type Verb = 'validate' | 'activate' | 'release';

/** The license service over HTTP (the protocol is our choice; the interface has none). */
export function createLicenseService(settings: LicenseServiceSettings): Licensing {
  const ask = (verb: Verb, question: LicenseQuestion) => call(settings, verb, question);
  return {
    isConnected: true,
    refresh: async (question) => readFinding(await ask('validate', question)),

    async activate(question) {
      const first = await ask('activate', question);
      if (!isBoundElsewhere(first)) return readFinding(first);
      await ask('release', question);
      return readFinding(await ask('activate', question));
    },
  };
}

const call = (settings: LicenseServiceSettings, verb: Verb, { licenseKey, deviceIdentifier }: LicenseQuestion) =>
  postJson({
    ...settings,
    path: `/v1/licenses/${verb}`,
    body: { license_key: licenseKey, device_identifier: deviceIdentifier },
    longestAnswer,
  });

function isBoundElsewhere(response: JsonAnswer): boolean {
  const no = 'status' in response && response.status === 409 ? refusal.safeParse(response.body) : undefined;
  return no?.success === true && no.data.code === 'bound_elsewhere';
}

/** Only a documented answer counts; a 4xx with a message is a no, anything else is unknown. */
function readFinding(response: JsonAnswer): LicenseFinding {
  if ('failure' in response) return unreachable(response.failure);
  const { status, body } = response;
  const found = report.safeParse(body);
  if (status === 200 && found.success) {
    const { expires_at: expiresAt, fiscal, ...rest } = found.data;
    return {
      outcome: 'found',
      report: {
        ...rest,
        expiresAt: expiresAt ? new Date(expiresAt) : null,
        fiscal: fiscal ? { tssId: fiscal.tss_id, apiKey: fiscal.api_key } : null,
      },
    };
  }
  const no = refusal.safeParse(body);
  if (status >= 400 && status < 500 && no.success)
    return { outcome: 'rejected', message: no.data.message.slice(0, longestMessage) };
  return unreachable(`answered ${status} with something unreadable`);
}

const unreachable = (what: string): LicenseFinding => ({
  outcome: 'unreachable',
  message: `The license service ${what}.`,
});

/** The license, and the device that uses it. */
interface LicenseQuestion {
  licenseKey: string;
  deviceIdentifier: string;
}

/** The service's data about a license. Token and key are in clear text, only for the device. */
export interface LicenseReport {
  status: LicenseStatus;
  type: LicenseType;
  token: string;
  expiresAt: Date | null;
  fiscal: { tssId: string; apiKey: string } | null;
}

/**
 * A report; or the service refused, gave no usable answer, or was not asked. The last two say nothing about the
 * license.
 */
export type LicenseFinding =
  | { outcome: 'found'; report: LicenseReport }
  | { outcome: 'rejected' | 'unreachable' | 'not_asked'; message: string };

/** The source of licenses (spec 4.2). */
export interface Licensing {
  /** Whether a service is configured, for `license.connected` of the config (spec 2.1). */
  readonly isConnected: boolean;
  /** Asks for the present state; ends by its own deadline and never throws. A repeat only asks again. */
  refresh(question: LicenseQuestion): Promise<LicenseFinding>;
  /**
   * Binds the license to this device. A license used on another device is released there and requested once more
   * (spec 4.2). Ends by its own deadlines and never throws. A repeat by the same device finds the license bound
   * already.
   */
  activate(question: LicenseQuestion): Promise<LicenseFinding>;
}

const notRequested: LicenseFinding = {
  outcome: 'not_asked',
  message: 'No license service is configured: licenses are granted by an administrator.',
};

/**
 * Licenses granted by an administrator alone (`pos license grant`): no service is configured, so none is asked and
 * none can be away.
 */
export const grantedByHand: Licensing = {
  isConnected: false,
  refresh: async () => notRequested,
  activate: async () => notRequested,
};
