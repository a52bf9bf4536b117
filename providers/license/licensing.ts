/** Where licenses come from (spec 4.2). */
export interface Licensing {
  /** Whether the shop is connected to it, for `license.connected` of the config (spec 2.1). */
  readonly isConnected: boolean;
}

/** Licenses by an administrator's word alone (`pos license grant`): there is no service that could be away. */
export const grantedByHand: Licensing = { isConnected: true };
