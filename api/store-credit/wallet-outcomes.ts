import { finerThanCoins } from '../../domain/store-credit.ts';
import type { Outcome } from '../http/route.ts';
import { unknownEntity } from '../wire/outcomes.ts';

/** Refusals of the routes of wallets. */

export const unknownCustomerOrWebsite: Outcome = unknownEntity('No customer, or no website, has this id.');

export const finerThanACoin: Outcome = {
  status: 400,
  message: finerThanCoins,
  when: 'The amount has more decimals than the currency of the website.',
  then: 'Round it to whole coins.',
};
