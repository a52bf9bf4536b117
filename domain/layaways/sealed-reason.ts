/** What the reason of a cancellation is sealed for, on its way through Temporal. */
export const reasonSealedFor = 'layaway reason';
