import { createSecretBox, type SecretBox } from '../../db/support/secret-box.ts';
import { required, type Settings } from '../../providers/settings.ts';

/** Opens and seals secrets of the database. Made at first use, because most answers need none. */
export function secretBoxOf(settings: Settings): SecretBox {
  let box: SecretBox | undefined;
  const opened = () => (box ??= createSecretBox(required(settings, 'POS_SECRET_KEY'), settings.POS_SECRET_KEY_OLD));
  return {
    seal: (clear, purpose) => opened().seal(clear, purpose),
    open: (sealed, purpose) => opened().open(sealed, purpose),
    digest: (clear, purpose) => opened().digest(clear, purpose),
    digests: (clear, purpose) => opened().digests(clear, purpose),
  };
}
