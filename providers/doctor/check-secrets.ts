import { surely, text } from '../../db/support/kinds.ts';
import type { SecretBox } from '../../db/support/secret-box.ts';
import { statement, type RowFrom } from '../../db/support/statement.ts';
import { broken, ok, reasonOf, warning, type Check, type DoctorContext } from './check.ts';

const name = 'secret key';

/** The secret key: it exists, and it opens the sealed values. */
export async function checkSecrets({ em: connect, secrets }: DoctorContext): Promise<Check[]> {
  let box: SecretBox;
  try {
    box = secrets();
  } catch (error) {
    const fix = 'set POS_SECRET_KEY to 32 bytes in base64: openssl rand -base64 32';
    return [broken(name, reasonOf(error).split(';')[0] ?? '', fix)];
  }
  try {
    return [opens(box, await readSealed.all(await connect()))];
  } catch {
    // A new key would make every sealed setting unreadable. The fault is the database, and its own line says so.
    return [warning(name, 'not checked: the database is away, or is not ours', 'fix the database first')];
  }
}

const readSealed = statement({
  takes: {},
  gives: { path: text, value: surely(text) },
  text: 'select path, value from config_value where is_encrypted and value is not null',
});

type SealedRow = RowFrom<typeof readSealed>;

function opens(box: SecretBox, rows: readonly SealedRow[]): Check {
  const closed = rows.find((row) => !isOpenedBy(box, row));
  if (closed === undefined)
    return ok(name, rows.length === 0 ? 'set; nothing is sealed yet' : `opens all ${rows.length} sealed settings`);
  const fix = 'set POS_SECRET_KEY to the key it was sealed with, or set the setting again';
  return broken(name, `does not open ${closed.path}`, fix);
}

function isOpenedBy(box: SecretBox, { path, value }: SealedRow): boolean {
  try {
    box.open(value, path);
    return true;
  } catch {
    return false;
  }
}
