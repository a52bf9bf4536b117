/** Rounded to cents. */
export const inCents = (amount: number) => Math.round(amount * 100) / 100;
