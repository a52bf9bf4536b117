import { createPasswordHasher } from '../../providers/password-hasher.ts';

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
