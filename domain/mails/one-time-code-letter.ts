import type { Letter } from './letter.ts';

export interface CodeToWrite {
  shopName: string;
  code: string;
  /** Lifetime, from the request on. */
  ttlSeconds: number;
}

/**
 * The mail for a customer at a kiosk: the code, and what to do if the customer did not ask for it. It names no
 * person.
 */
export const oneTimeCodeLetter = ({ shopName, code, ttlSeconds }: CodeToWrite): Letter => ({
  subject: `Your sign-in code for ${shopName}`,
  text: [
    'Hello,',
    '',
    'somebody wants to sign in with your e-mail at one of our kiosks. The code is',
    '',
    `    ${code}`,
    '',
    `It works once, at that kiosk, within ${durationText(ttlSeconds)} of asking for it.`,
    '',
    'If that was not you, you need not do anything: without the code nobody can sign in.',
    'Nobody of our staff will ever ask you for it.',
    '',
    shopName,
    '',
  ].join('\n'),
});

function durationText(seconds: number): string {
  if (seconds < 120) return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  return `${Math.floor(seconds / 60)} minutes`;
}
