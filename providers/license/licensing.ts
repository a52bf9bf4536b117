import type { LicenseStatus, LicenseType } from '../../domain/terminals/license.ts';

/** The license, and the device that uses it. */
export interface LicenseQuestion {
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

const notAsked: LicenseFinding = {
  outcome: 'not_asked',
  message: 'No license service is configured: licenses are granted by an administrator.',
};

/**
 * Licenses granted by an administrator alone (`pos license grant`): no service is configured, so none is asked and
 * none can be away.
 */
export const grantedByHand: Licensing = {
  isConnected: false,
  refresh: async () => notAsked,
  activate: async () => notAsked,
};
