/** Used by the server alone. */
export const contentDefaults = {
  /** How many of the newest versions of a text are kept; published versions are always kept. */
  'vendor_cms/versions/kept': '100',
} as const;

/** Bounds of the setting: at least the newest version, at most as many as a list can show. */
const minimumKept = 1;
const most = 10_000;

/** The setting `versions/kept`, brought within its bounds; text that is not a number gives the default. */
export function versionsKeptOf(setting: string | undefined): number {
  const kept =
    setting !== undefined && /^\s*\d{1,9}\s*$/.test(setting)
      ? Number(setting)
      : Number(contentDefaults['vendor_cms/versions/kept']);
  return Math.min(Math.max(kept, minimumKept), most);
}
