/** The id of the workflow that follows an uncertain refund: it has one from when it is uncertain, and never before. */
export const refundAttemptId = (attemptId: number) => `refund-attempt-${attemptId}`;
