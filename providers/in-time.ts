/** Waits at most until the deadline and then throws. It does not stop the work, which has its own deadline. */
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
