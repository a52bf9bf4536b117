/** Short, because a customer waits at the counter. */
const lookUpMs = 3_000;

/** The deadline of a provider that is only asked for data: by this machine's clock, which measures the wait. */
export const lookUpDeadline = () => new Date(Date.now() + lookUpMs);
