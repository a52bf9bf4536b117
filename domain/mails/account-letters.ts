import type { Letter } from './letter.ts';

interface AccountToWrite {
  shopName: string;
  link: string;
}

/** The mail with the link to a new password. It names no person. */
export const passwordResetLetter = ({ shopName, link, hours }: AccountToWrite & { hours: number }): Letter =>
  letterOf(shopName, `A new password for ${shopName}`, [
    'somebody asked for a new password for your account. You can set one here:',
    '',
    link,
    '',
    `The link works once, for ${hours} hours. If you did not ask for it, you need not do anything: your password stays.`,
  ]);

/** The mail with the link that confirms the e-mail of a new account. */
export const accountConfirmationLetter = ({ shopName, link }: AccountToWrite): Letter =>
  letterOf(shopName, `Please confirm your account at ${shopName}`, [
    'somebody opened an account with this e-mail. If that was you, say so here; then you can sign in:',
    '',
    link,
    '',
    'If it was not you, you need not do anything: nobody can sign in.',
  ]);

const letterOf = (shopName: string, subject: string, lines: readonly string[]): Letter => ({
  subject,
  text: ['Hello,', '', ...lines, '', shopName, ''].join('\n'),
});
