/** Waits until the deadline and no longer; then throws. The work itself is not stopped: it has a deadline of its own. */
export async function inTime<Answer>(work: Promise<Answer>, deadline: Date): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), Math.max(0, deadline.getTime() - Date.now()));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
