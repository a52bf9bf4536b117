import type { Outcome } from '../http/route.ts';

/** Refusals that several routes of this folder share. */

export const locationNotSaved: Outcome = {
  status: 400,
  message: 'Could not save the location: %1',
  when: 'A field is wrong; the parameter names it. The name or the code is missing or taken. A website, store view, source or country does not exist. A number is out of its limits. A key of `config_overrides` is no setting.',
  then: 'Correct what the parameter names.',
};
