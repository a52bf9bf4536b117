import type { Letter } from './letter.ts';

/** The mail that asks a subscriber to confirm, with the one link that does so. */
export const newsletterLetter = ({
  shopName,
  link,
  days,
}: {
  shopName: string;
  link: string;
  days: number;
}): Letter => ({
  subject: `Please confirm your newsletter from ${shopName}`,
  text: [
    'Hello,',
    '',
    `somebody asked us to send the newsletter of ${shopName} to this address. If you want it, say so here:`,
    '',
    link,
    '',
    `The link works for ${days} days. If you do not want it, you need not do anything: you will not get it.`,
    '',
    shopName,
    '',
  ].join('\n'),
});
