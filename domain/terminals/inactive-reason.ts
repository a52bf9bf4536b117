/** Why a terminal is not active (spec 3.4). An active one has none. */
export const inactiveReasons = ['code_regenerated', 'license_revoked', 'deactivated'] as const;
export type InactiveReason = (typeof inactiveReasons)[number];
