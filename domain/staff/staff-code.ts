/** A staff code has five characters that are hard to mistake for one another (spec 2.5). */
export const staffCodeAlphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
export const staffCodeLength = 5;
