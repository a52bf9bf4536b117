import type { SecretBox } from '../../db/support/secret-box.ts';
import type { CommandContext } from './command-context.ts';

/** The secret box, opened when the first value is sealed: a command that seals nothing needs no key. */
export const lateSecrets = ({ secrets }: Pick<CommandContext, 'secrets'>): SecretBox => ({
  seal: (...given) => secrets().seal(...given),
  open: (...given) => secrets().open(...given),
  digest: (...given) => secrets().digest(...given),
});
