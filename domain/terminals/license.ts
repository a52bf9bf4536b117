/** Licenses of terminals (spec 2.2, 4.2). The spec names `active` and PRO; the other words are our choice. */
export const licenseStatuses = ['active', 'expired', 'revoked'] as const;
export type LicenseStatus = (typeof licenseStatuses)[number];

export const licenseTypes = ['free', 'pro'] as const;
export type LicenseType = (typeof licenseTypes)[number];

/** The facts that decide whether a terminal may sync receipts (spec 4.9). */
export interface LicenseFacts {
  status: LicenseStatus;
  type: LicenseType;
  expiresAt: Date | null;
}

/** A PRO license that is active and has not expired. */
export const isActivePro = (license: LicenseFacts | undefined, now: Date): boolean =>
  license?.type === 'pro' && effectiveStatus(license, now) === 'active';

/** A license past its expiry day is expired, whatever the last check recorded. */
export const effectiveStatus = (
  { status, expiresAt }: Pick<LicenseFacts, 'status' | 'expiresAt'>,
  now: Date,
): LicenseStatus => (status === 'active' && expiresAt !== null && expiresAt <= now ? 'expired' : status);
