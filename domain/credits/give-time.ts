/** How long a provider of credit may take to give some: long enough for a slow service, short enough for a cashier. */
export const giveSeconds = 8;
