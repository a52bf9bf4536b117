/** What is running or waiting, by key; the last of each line. */
const lines = new Map<string, Promise<unknown>>();

/**
 * Runs tasks with the same key one after the other, in this process.
 *
 * Sign-ins count as failed until the password is known to be right; standing in line keeps a person's own two
 * sign-ins at once from counting against each other.
 */
export async function inTurn<Answer>(key: string, task: () => Promise<Answer>): Promise<Answer> {
  const before = lines.get(key) ?? Promise.resolve();
  const mine = before.then(task, task);
  lines.set(key, mine);
  try {
    return await mine;
  } finally {
    if (lines.get(key) === mine) lines.delete(key);
  }
}
