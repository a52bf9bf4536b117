import { invalid } from '../../domain/errors.ts';
import type { Outcome } from '../http/route.ts';

/** Refusals of both routes of a kiosk's sign-in, checked before the e-mail (our choice). */
export const terminalDisabled = () => invalid('The terminal is disabled.');

export const disabledOutcome: Outcome = {
  status: 400,
  message: 'The terminal is disabled.',
  when: 'The terminal was switched off by an administrator.',
  then: 'Show that the kiosk is closed; ask the heartbeat why.',
};
