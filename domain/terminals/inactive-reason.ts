import type { LicenseStatus } from './license.ts';

/** Why a terminal is told that it is not active (spec 3.4), in the order of the interface. */
export const inactiveReasons = ['code_regenerated', 'license_revoked', 'deactivated'] as const;
export type InactiveReason = (typeof inactiveReasons)[number];

export interface TerminalFacts {
  /** The administrator's switch. */
  isActive: boolean;
  /** False for the device that was bound last and no longer is. */
  isBound: boolean;
  /** A code waits for its first use. */
  hasUnusedCode: boolean;
  licenseStatus: LicenseStatus | null;
}

/** Null while the terminal is active. The first reason that holds: `deactivated` is what is left when nothing says more. */
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
