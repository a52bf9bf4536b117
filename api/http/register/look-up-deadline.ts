/** Short, because a customer waits at the counter. */
const lookUpMs = 3_000;

/** The deadline of a provider that is only asked for data. */
export const lookUpDeadline = (now: Date) => new Date(Math.max(now.getTime(), Date.now()) + lookUpMs);
