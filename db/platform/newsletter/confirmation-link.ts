import { isSameSecret } from '../access/token-digest.ts';
import type { SecretBox } from '../../support/secret-box.ts';
import type { AskedSubscriber } from './confirm-subscription.ts';

type Asked = Pick<AskedSubscriber, 'subscriberId' | 'confirmNonce'>;

/** The proof in a mail's link. Only the mail has it: it is made with the shop's key and not stored. */
const proofOf = (box: SecretBox, { subscriberId, confirmNonce }: Asked) =>
  box.digest(`${subscriberId} ${confirmNonce}`, 'newsletter link');

/** The path below the shop's public address. */
export const confirmationPath = (box: SecretBox, asked: Asked): string =>
  `/newsletter/confirm/${asked.subscriberId}/${proofOf(box, asked)}`;

export const isProofOf = (box: SecretBox, asked: Asked, given: string): boolean =>
  isSameSecret(proofOf(box, asked), given);
