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
  /** In the order they are asked; a setting says with which of them a store works. */
  rmaProviders: readonly { code: string; label: string }[];
  isLicenseConnected: boolean;
  hasWishlist: boolean;
  hasCustomerBalance: boolean;
  hasGiftCard: boolean;
  hasRewardPoints: boolean;
  hasMsi: boolean;
  /** What the active store-credit provider says; false without one. */
  refundsToStoreCredit: boolean;
}

/** What the registries hold; the embedded platform brings inventory by source. */
export const capabilitiesOf = (providers: Pick<Providers, 'license' | 'returns'>): Capabilities => ({
  creditProviders: [],
  rmaProviders: providers.returns.all.map(({ code, label }) => ({ code, label })),
  isLicenseConnected: providers.license.isConnected,
  hasWishlist: false,
  hasCustomerBalance: false,
  hasGiftCard: false,
  hasRewardPoints: false,
  hasMsi: true,
  refundsToStoreCredit: false,
});
