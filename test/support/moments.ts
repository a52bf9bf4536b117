/** So many seconds from now; before now where they are negative. */
export const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000);
export const minutesAgo = (minutes: number) => inSeconds(-minutes * 60);
export const daysAgo = (days: number) => minutesAgo(days * 24 * 60);
