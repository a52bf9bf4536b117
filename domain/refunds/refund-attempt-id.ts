/**
 * The id of the workflow that follows an uncertain refund. The workflow starts when the attempt becomes uncertain,
 * never earlier.
 */
export const refundAttemptId = (attemptId: number) => `refund-attempt-${attemptId}`;
