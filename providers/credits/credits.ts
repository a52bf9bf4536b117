import type { MikroORM } from '@mikro-orm/postgresql';
import type { CreditKind } from '../../domain/credits/applied-credit.ts';
import type { ShopSettings } from '../../domain/configuration/shop-settings.ts';
import type { CreditProvider } from './credit-provider.ts';
import { createGiftCards } from './gift-cards.ts';
import { createPoints } from './points.ts';
import { createCreditService, type CreditServiceSettings } from './credit-service.ts';
import { createWallet } from './wallet.ts';

/** The credit providers, in order of registration. */
export interface Credits {
  readonly all: readonly CreditProvider[];
  /** The providers that the merchant enabled. */
  enabled(settings: ShopSettings): CreditProvider[];
  /** The active one of a kind is the first enabled one (spec 4.6). */
  active(kind: CreditKind, settings: ShopSettings): CreditProvider | undefined;
  /** By its code, enabled or not: the credit it holds must still be given back. */
  named(code: string): CreditProvider | undefined;
}

export interface CreditParts {
  orm: MikroORM;
  /** An outside service that also keeps credit; undefined: none. */
  service: CreditServiceSettings | undefined;
}

/** The built-in providers, then the outside service. */
export const createCredits = ({ orm, service }: CreditParts): Credits => {
  const em = () => orm.em.fork();
  return creditsOf([
    createWallet(em),
    createGiftCards(em),
    createPoints(em),
    ...(service === undefined ? [] : [createCreditService(service)]),
  ]);
};

/** For tests and for other providers. Throws when two have the same code, which is a programming error. */
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
