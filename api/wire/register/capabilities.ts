import type { Credits } from '../../../providers/credits/credits.ts';
import type { Providers } from '../../../providers/index.ts';

/** What is installed, for the capability keys of the config (spec 2.1). Says no for what is not there yet. */
export interface Capabilities {
  /** In order; the settings say which of them are switched on. */
  credits: Credits;
  /** In the order they are asked; a setting says with which of them a store works. */
  rmaProviders: readonly { code: string; label: string }[];
  isLicenseConnected: boolean;
  hasWishlist: boolean;
  hasMsi: boolean;
}

/** What the registries hold; the embedded platform brings inventory by source, and wishlists. */
export const capabilitiesOf = (providers: Pick<Providers, 'credits' | 'license' | 'returns'>): Capabilities => ({
  credits: providers.credits,
  rmaProviders: providers.returns.all.map(({ code, label }) => ({ code, label })),
  isLicenseConnected: providers.license.isConnected,
  hasWishlist: true,
  hasMsi: true,
});

/** The same as a text, which is another one when a deployment brings a service or takes it away. */
export const installed = (capabilities: Capabilities) => JSON.stringify(capabilities);
