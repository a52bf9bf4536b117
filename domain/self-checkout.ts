/** The rules of a kiosk's one-time codes (spec 3.5, 8). Pure: the database counts attempts and keeps the time. */

export const oneTimeCodeDefaults = {
  'vendor_pos_advanced/self_checkout/otp_length': '6',
  'vendor_pos_advanced/self_checkout/otp_ttl_seconds': '180',
  'vendor_pos_advanced/self_checkout/otp_max_attempts': '5',
  'vendor_pos_advanced/self_checkout/otp_resend_cooldown_seconds': '30',
  'vendor_pos_advanced/self_checkout/otp_rate_limit_per_email_hour': '5',
  'vendor_pos_advanced/self_checkout/otp_rate_limit_per_terminal_hour': '20',
} as const;

export type OneTimeCodePath = keyof typeof oneTimeCodeDefaults;
export const oneTimeCodePaths = Object.keys(oneTimeCodeDefaults);

export interface OneTimeCodeTerms {
  /** Number of digits. */
  length: number;
  ttlSeconds: number;
  /** The most guesses at one code. */
  mostGuesses: number;
  /** Between two requests for one e-mail; 0: none. */
  cooldownSeconds: number;
  perEmailHour: number;
  perTerminalHour: number;
}

/** The bounds of each setting; the first two are the interface's, the others our choice. */
const bounds: Record<keyof OneTimeCodeTerms, { path: OneTimeCodePath; least: number; most: number }> = {
  length: { path: 'vendor_pos_advanced/self_checkout/otp_length', least: 4, most: 10 },
  cooldownSeconds: { path: 'vendor_pos_advanced/self_checkout/otp_resend_cooldown_seconds', least: 0, most: 300 },
  ttlSeconds: { path: 'vendor_pos_advanced/self_checkout/otp_ttl_seconds', least: 1, most: 3_600 },
  mostGuesses: { path: 'vendor_pos_advanced/self_checkout/otp_max_attempts', least: 1, most: 100 },
  perEmailHour: { path: 'vendor_pos_advanced/self_checkout/otp_rate_limit_per_email_hour', least: 1, most: 1_000 },
  perTerminalHour: {
    path: 'vendor_pos_advanced/self_checkout/otp_rate_limit_per_terminal_hour',
    least: 1,
    most: 10_000,
  },
};

/** The rules in force: text that is not a number gives the default, a number out of bounds the nearest bound. */
export function oneTimeCodeTerms(setting: (path: OneTimeCodePath) => string): OneTimeCodeTerms {
  const term = (name: keyof OneTimeCodeTerms) => {
    const { path, least, most } = bounds[name];
    const text = setting(path).trim();
    const number = Math.trunc(Number(text === '' ? oneTimeCodeDefaults[path] : text));
    return Math.min(most, Math.max(least, Number.isNaN(number) ? Number(oneTimeCodeDefaults[path]) : number));
  };
  return {
    length: term('length'),
    ttlSeconds: term('ttlSeconds'),
    mostGuesses: term('mostGuesses'),
    cooldownSeconds: term('cooldownSeconds'),
    perEmailHour: term('perEmailHour'),
    perTerminalHour: term('perTerminalHour'),
  };
}

/** Makes a code from random digits; it is text, so that leading zeros stay. */
export const oneTimeCodeFrom = (digit: () => number, { length }: Pick<OneTimeCodeTerms, 'length'>): string =>
  Array.from({ length }, digit).join('');
