import type { Surroundings } from '../support/surroundings.ts';
import { broken, ok, reasonOf, type Check } from './check.ts';

interface SealedRow {
  path: string;
  value: string;
}

/** The secret key: it is there, and it opens what is sealed. */
export async function checkSecrets({ em: connect, secrets }: Surroundings): Promise<Check[]> {
  const name = 'secret key';
  let path = '';
  try {
    const box = secrets();
    const em = await connect();
    const rows = await em.execute<SealedRow[]>(
      'select path, value from config_value where is_encrypted and value is not null',
    );
    for (const row of rows) {
      path = row.path;
      box.open(row.value, row.path);
    }
    return [ok(name, rows.length === 0 ? 'set; nothing is sealed yet' : `opens all ${rows.length} sealed settings`)];
  } catch (error) {
    return path === ''
      ? [
          broken(
            name,
            reasonOf(error).split(';')[0] ?? '',
            'set POS_SECRET_KEY to 32 bytes in base64: openssl rand -base64 32',
          ),
        ]
      : [
          broken(
            name,
            `does not open ${path}`,
            'set POS_SECRET_KEY to the key it was sealed with, or set the setting anew',
          ),
        ];
  }
}
