import { createSecretBox, type SecretBox } from '../../../db/support/secret-box.ts';
import { required, type Settings } from '../../../providers/settings.ts';

/** The box that opens what is sealed in the database. Made when first used: most answers need no secret. */
export function secretBoxOf(settings: Settings): SecretBox {
  let box: SecretBox | undefined;
  const opened = () => (box ??= createSecretBox(required(settings, 'POS_SECRET_KEY')));
  return {
    seal: (clear, purpose) => opened().seal(clear, purpose),
    open: (sealed, purpose) => opened().open(sealed, purpose),
    digest: (clear, purpose) => opened().digest(clear, purpose),
  };
}
