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

export const terminalNotSaved: Outcome = {
  status: 400,
  message: 'Could not save the terminal: %1',
  when: 'The name is missing, the location or license does not exist, or a key of `config_overrides` is no setting. The parameter says which.',
  then: 'Correct what the parameter names.',
};
