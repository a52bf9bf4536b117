/** No rights for the group or others. */
const ownerOnlyMask = 0o077;

/** Files and folders that `work` and its processes create are only for their owner. Not for promises. */
export function privately<Result>(work: () => Result): Result {
  const before = process.umask(ownerOnlyMask);
  try {
    return work();
  } finally {
    process.umask(before);
  }
}
