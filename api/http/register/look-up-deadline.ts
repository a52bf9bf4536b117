/** A cashier waits for it with a customer at the counter. */
const lookUpMs = 3_000;

/** Until when a provider is waited for that is only asked what it has. */
export const lookUpDeadline = (now: Date) => new Date(Math.max(now.getTime(), Date.now()) + lookUpMs);
