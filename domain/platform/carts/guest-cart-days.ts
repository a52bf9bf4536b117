/** How long a guest's cart that is never paid stays (the platform's setting). */
export const guestCartPath = 'checkout/cart/delete_quote_after';

export const guestCartDefaults = {
  /** Days since a guest last touched the cart. */
  [guestCartPath]: '30',
} as const;

/** A day at least, so that a guest does not lose a cart while looking at it; ten years at most. */
const [least, most] = [1, 3_650];

/** The setting in days, brought within its bounds; text that is not a number gives the default. */
export const guestCartDaysOf = (setting: string | undefined): number => {
  const days = /^\s*\d{1,9}\s*$/.test(setting ?? '') ? setting : guestCartDefaults[guestCartPath];
  return Math.min(Math.max(Number(days), least), most);
};
