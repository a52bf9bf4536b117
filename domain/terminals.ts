/** Formats of spec 8. Both look at the whole text: in JavaScript `$` without the flag `m` is the very end. */

export const isActivationCode = (text: string) => /^[A-Za-z0-9]{4,12}$/.test(text);
export const isDeviceIdentifier = (text: string) => /^[a-zA-Z0-9-]{1,100}$/.test(text);

/** The permitted form of a license key: printable, so that a form field cannot change it. */
export const isLicenseKey = (text: string) => /^[\x21-\x7e]{1,128}$/.test(text);

/** Codes are kept and compared in capitals: people read them off a screen and type them. */
export const canonicalCode = (code: string) => code.toUpperCase();

/** Letters and digits that are hard to mistake for one another, and the length of a generated code (40 bits). */
export const codeAlphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
export const codeLength = 8;

/** Why a terminal is not active (spec 3.4), in the order of the interface. */
export const inactiveReasons = ['code_regenerated', 'license_revoked', 'deactivated'] as const;
export type InactiveReason = (typeof inactiveReasons)[number];

export interface TerminalFacts {
  /** The administrator's switch. */
  isActive: boolean;
  /** False for the last bound device after it was unbound. */
  isBound: boolean;
  /** A code was generated and not used yet. */
  hasUnusedCode: boolean;
  licenseStatus: LicenseStatus | null;
}

/** Null while the terminal is active. Otherwise the first reason that holds; `deactivated` when no other does. */
export function inactiveReason({
  isActive,
  isBound,
  hasUnusedCode,
  licenseStatus,
}: TerminalFacts): InactiveReason | null {
  if (!isBound && hasUnusedCode) return 'code_regenerated';
  if (licenseStatus === 'revoked') return 'license_revoked';
  return isBound && isActive ? null : 'deactivated';
}

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
