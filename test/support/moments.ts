const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const fromNow = (ms: number) => new Date(Date.now() + ms);

/** Moments for a cell. The database of the tests runs on this machine, so its `now()` is the same clock. */
export const inSeconds = (seconds: number) => fromNow(seconds * second);
export const inMinutes = (minutes: number) => fromNow(minutes * minute);
export const minutesAgo = (minutes: number) => fromNow(-minutes * minute);
export const hoursAgo = (hours: number) => fromNow(-hours * hour);
export const daysAgo = (days: number) => fromNow(-days * day);

/** A moment of the books so much earlier. */
export const earlier = (moment: string, ms: number) => new Date(Date.parse(moment) - ms);
