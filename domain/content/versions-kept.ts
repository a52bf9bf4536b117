/** The server's own setting. */
export const contentDefaults = {
  /** So many newest versions of each text are kept, beside all that were ever published. */
  'vendor_cms/versions/kept': '100',
} as const;

/** Versions of one text: at least the newest, at most what a list of them is good for. */
const fewest = 1;
const most = 10_000;

/** The setting `versions/kept` as it is meant; what is no number is the default. */
export function versionsKeptOf(setting: string | undefined): number {
  const kept =
    setting !== undefined && /^\s*\d{1,9}\s*$/.test(setting)
      ? Number(setting)
      : Number(contentDefaults['vendor_cms/versions/kept']);
  return Math.min(Math.max(kept, fewest), most);
}
