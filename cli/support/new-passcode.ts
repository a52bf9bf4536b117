import { randomInt } from 'node:crypto';
import { createPasswordHasher } from '../../providers/password-hasher.ts';

const digits = 6;

/** A passcode for the keys of a register. Waits that grow with each wrong guess protect it. */
export const newPasscode = (): string => String(randomInt(10 ** digits)).padStart(digits, '0');

/** The hashes of passcodes, made beside the main thread and before any transaction. */
export async function hashPasscodes(passcodes: readonly string[]): Promise<string[]> {
  const hasher = createPasswordHasher();
  try {
    const hashes: string[] = [];
    for (const passcode of passcodes) hashes.push(await hasher.hash(passcode));
    return hashes;
  } finally {
    await hasher.close();
  }
}
