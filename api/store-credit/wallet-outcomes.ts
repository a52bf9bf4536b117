import { finerThanCoins } from '../../domain/store-credit.ts';
import type { Outcome } from '../http/route.ts';
import { unknownEntity } from '../wire/outcomes.ts';

/** Refusals of the routes of wallets. */

export const unknownCustomerOrWebsite: Outcome = unknownEntity('No customer, or no website, has this id.');

export const foreignWebsite: Outcome = {
  status: 400,
  message: 'The account of customer %1 belongs to website %2 and has no store credit on website %3.',
  when: 'Accounts are not shared between websites.',
  then: 'Name the website of the second parameter.',
};

export const notAboveZero: Outcome = {
  status: 400,
  message: 'The amount must be greater than zero.',
  when: 'The amount is zero or below.',
};

export const belowZero: Outcome = {
  status: 400,
  message: 'The balance cannot go below zero: it is %1 and would change by %2.',
  when: 'There is less in the wallet.',
  then: 'Take at most the first parameter.',
};

export const finerThanACoin: Outcome = {
  status: 400,
  message: finerThanCoins,
  when: 'The amount has more decimals than the currency of the website.',
  then: 'Round it to whole coins.',
};

export const tooMuchCredit: Outcome = {
  status: 400,
  message: 'The balance cannot go above %1: it is %2 and would change by %3.',
  when: 'The wallet would hold more than can be counted.',
};

export const noReason: Outcome = {
  status: 400,
  message: 'A reason is required for every adjustment.',
  when: 'The reason is missing or blank.',
};

export const otherCurrency: Outcome = {
  status: 400,
  message: 'Currency mismatch: the stored balance is in %1 and not in %2.',
  when: 'The base currency of the website was changed since.',
};
