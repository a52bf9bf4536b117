/** The last running or waiting task of each key. */
const lines = new Map<string, Promise<unknown>>();

/**
 * Runs tasks with the same key one after the other, in this process.
 *
 * A sign-in counts as failed until the password proves right, so a person's two concurrent sign-ins would count
 * against each other.
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
