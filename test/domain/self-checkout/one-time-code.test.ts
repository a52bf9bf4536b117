import { expect, test } from '@jest/globals';
import {
  oneTimeCodeDefaults,
  oneTimeCodeFrom,
  oneTimeCodeTerms,
  type OneTimeCodePath,
  type OneTimeCodeTerms,
} from '../../../domain/self-checkout.ts';

const termsWith = (name: string, value: string) =>
  oneTimeCodeTerms((path: OneTimeCodePath) => (path.endsWith(`/${name}`) ? value : oneTimeCodeDefaults[path]));

test('by default the terms are the interface’s', () => {
  expect(termsWith('none', '')).toEqual({
    length: 6,
    ttlSeconds: 180,
    mostGuesses: 5,
    cooldownSeconds: 30,
    perEmailHour: 5,
    perTerminalHour: 20,
  });
});

test.each<[string, keyof OneTimeCodeTerms, string, number]>([
  ['otp_length', 'length', '3', 4],
  ['otp_length', 'length', '4', 4],
  ['otp_length', 'length', '10', 10],
  ['otp_length', 'length', '11', 10],
  ['otp_length', 'length', '', 6],
  ['otp_length', 'length', 'six', 6],
  ['otp_length', 'length', '7.9', 7],
  ['otp_resend_cooldown_seconds', 'cooldownSeconds', '0', 0],
  ['otp_resend_cooldown_seconds', 'cooldownSeconds', '-1', 0],
  ['otp_resend_cooldown_seconds', 'cooldownSeconds', '301', 300],
  ['otp_ttl_seconds', 'ttlSeconds', '0', 1],
  ['otp_max_attempts', 'mostGuesses', '0', 1],
  ['otp_rate_limit_per_email_hour', 'perEmailHour', '0', 1],
  ['otp_rate_limit_per_terminal_hour', 'perTerminalHour', 'Infinity', 10_000],
])('%s makes %s of "%s" %i', (name, term, value, expected) => {
  expect(termsWith(name, value)[term]).toBe(expected);
});

test('a code is as many digits as it is to have, zeros in front included', () => {
  expect(oneTimeCodeFrom(() => 0, { length: 4 })).toBe('0000');
});
