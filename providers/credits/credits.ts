import type { MikroORM } from '@mikro-orm/postgresql';
import type { CreditKind } from '../../domain/credits/applied-credit.ts';
import type { ShopSettings } from '../../domain/configuration/shop-settings.ts';
import type { CreditProvider } from './credit-provider.ts';
import { createGiftCards } from './gift-cards.ts';
import { createPoints } from './points.ts';
import { createCreditService, type CreditServiceSettings } from './credit-service.ts';
import { createWallet } from './wallet.ts';

/** Who keeps credit, in order of registration. */
export interface Credits {
  readonly all: readonly CreditProvider[];
  /** Those the merchant has switched on. */
  enabled(settings: ShopSettings): CreditProvider[];
  /** The active one of a kind is the first that is switched on (spec 4.6). */
  active(kind: CreditKind, settings: ShopSettings): CreditProvider | undefined;
  /** By its code, switched on or not: what it holds still has to be given back. */
  named(code: string): CreditProvider | undefined;
}

export interface CreditParts {
  orm: MikroORM;
  /** A service outside that keeps credit too; undefined: there is none. */
  service: CreditServiceSettings | undefined;
}

/** The built-in providers, then the one outside. */
export const createCredits = ({ orm, service }: CreditParts): Credits => {
  const em = () => orm.em.fork();
  return creditsOf([
    createWallet(em),
    createGiftCards(em),
    createPoints(em),
    ...(service === undefined ? [] : [createCreditService(service)]),
  ]);
};

/** For tests and whoever wires other providers. Throws for two with one code: that is a mistake in the list. */
export function creditsOf(all: readonly CreditProvider[]): Credits {
  const byCode = new Map(all.map((provider) => [provider.code, provider]));
  if (byCode.size < all.length) throw new Error('two credit providers have one code');
  const enabled = (settings: ShopSettings) => all.filter((provider) => provider.isEnabled(settings));
  return {
    all,
    enabled,
    active: (kind, settings) => enabled(settings).find((provider) => provider.kind === kind),
    named: (code) => byCode.get(code),
  };
}
