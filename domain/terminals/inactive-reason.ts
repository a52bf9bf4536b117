import type { LicenseStatus } from './license.ts';

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
