/** Neither the group nor anybody else. */
const ownerOnlyMask = 0o077;

/** What `work` writes, and every process it starts, makes files and folders for their owner only. Not for promises. */
export function privately<Result>(work: () => Result): Result {
  const before = process.umask(ownerOnlyMask);
  try {
    return work();
  } finally {
    process.umask(before);
  }
}
