/** The id of the workflow that follows a return. */
export const returnId = (rmaId: number) => `return-${rmaId}`;
