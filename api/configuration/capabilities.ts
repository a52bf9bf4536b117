import type { Providers } from '../../providers/index.ts';

/** One provider of a pool, as registers are told of it (spec 2.1). */
export interface ProviderEntry {
  key: string;
  code: string;
  enabled: boolean;
  label: string;
}

/** What is installed, for the capability keys of the config (spec 2.1). Says no for what is not there yet. */
export interface Capabilities {
  creditProviders: readonly ProviderEntry[];
  rmaProviders: readonly ProviderEntry[];
  isLicenseConnected: boolean;
  hasWishlist: boolean;
  hasCustomerBalance: boolean;
  hasGiftCard: boolean;
  hasRewardPoints: boolean;
  hasRmaModule: boolean;
  hasMsi: boolean;
  /** What the active store-credit provider says; false without one. */
  refundsToStoreCredit: boolean;
}

/** The embedded platform brings inventory by source and the built-in returns; no credit provider is installed. */
export const capabilitiesOf = (providers: Pick<Providers, 'license'>): Capabilities => ({
  creditProviders: [],
  rmaProviders: [{ key: 'builtin', code: 'builtin', enabled: true, label: 'Built-in returns' }],
  isLicenseConnected: providers.license.isConnected,
  hasWishlist: false,
  hasCustomerBalance: false,
  hasGiftCard: false,
  hasRewardPoints: false,
  hasRmaModule: true,
  hasMsi: true,
  refundsToStoreCredit: false,
});
