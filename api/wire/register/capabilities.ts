import type { Credits } from '../../../providers/credits/credits.ts';
import type { Providers } from '../../../providers/index.ts';

/** The installed parts, for the capability keys of the config (spec 2.1). False for parts that do not exist yet. */
export interface Capabilities {
  /** In order; settings decide which of them are enabled. */
  credits: Credits;
  /** In the order in which they are asked; a setting lists those of a store. */
  rmaProviders: readonly { code: string; label: string }[];
  isLicenseConnected: boolean;
  hasWishlist: boolean;
  hasMsi: boolean;
}

/** The contents of the registries; the embedded platform has inventory by source, and wishlists. */
export const capabilitiesOf = (providers: Pick<Providers, 'credits' | 'license' | 'returns'>): Capabilities => ({
  credits: providers.credits,
  rmaProviders: providers.returns.all.map(({ code, label }) => ({ code, label })),
  isLicenseConnected: providers.license.isConnected,
  hasWishlist: true,
  hasMsi: true,
});

/** The same as text, which differs when a deployment adds or removes a service. */
export const installed = (capabilities: Capabilities) => JSON.stringify(capabilities);
