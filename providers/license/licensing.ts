import type { LicenseStatus, LicenseType } from '../../domain/terminals/license.ts';

/** Which license, and on which device it is used. */
export interface LicenseQuestion {
  licenseKey: string;
  deviceIdentifier: string;
}

/** What the license service knows of a license. Token and key are in clear, for the device alone. */
export interface LicenseReport {
  status: LicenseStatus;
  type: LicenseType;
  token: string;
  expiresAt: Date | null;
  fiscal: { tssId: string; apiKey: string } | null;
}

/** A report; or that the service said no, or nothing, or was not asked, which says nothing about the license. */
export type LicenseFinding =
  | { outcome: 'found'; report: LicenseReport }
  | { outcome: 'rejected' | 'unreachable' | 'not_asked'; message: string };

/** Where licenses come from (spec 4.2). */
export interface Licensing {
  /** Whether there is a service to ask at all, for `license.connected` of the config (spec 2.1). */
  readonly isConnected: boolean;
  /** Asks what holds now; ends by a deadline of its own and never throws. A repeat is one more look. */
  refresh(question: LicenseQuestion): Promise<LicenseFinding>;
  /**
   * Binds the license to this device; one that is used on another device is released there and asked for once more
   * (spec 4.2). Ends by deadlines of its own and never throws. A repeat by the same device finds the license its own.
   */
  activate(question: LicenseQuestion): Promise<LicenseFinding>;
}

const notAsked: LicenseFinding = {
  outcome: 'not_asked',
  message: 'No license service is configured: licenses are granted by an administrator.',
};

/**
 * Licenses by an administrator's word alone (`pos license grant`): the shop is connected to no service, so none can be
 * asked, and none can be away.
 */
export const grantedByHand: Licensing = {
  isConnected: false,
  refresh: async () => notAsked,
  activate: async () => notAsked,
};
