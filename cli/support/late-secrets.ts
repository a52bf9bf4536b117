import type { SecretBox } from '../../db/support/secret-box.ts';
import type { Surroundings } from './surroundings.ts';

/** The secret box, opened when something is first sealed: where nothing is, no key is needed. */
export const lateSecrets = ({ secrets }: Pick<Surroundings, 'secrets'>): SecretBox => ({
  seal: (...given) => secrets().seal(...given),
  open: (...given) => secrets().open(...given),
  digest: (...given) => secrets().digest(...given),
});
