import type { Outcome } from '../http/route.ts';

/** Refusals that several routes of this folder share. */

export const badDeviceIdentifier: Outcome = {
  status: 400,
  message: 'Invalid device identifier format.',
  when: 'The identifier is not 1 to 100 letters, digits and hyphens.',
};

export const otherDevice: Outcome = {
  status: 401,
  message: 'Device identifier mismatch.',
  when: 'The terminal is bound to another device, or to none.',
  then: 'Activate this device again.',
};
