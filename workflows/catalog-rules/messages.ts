/**
 * Each installation has at most one run, however many saves ask for it; several installations may share a namespace.
 */
export const reindexId = (installationKey: string) => `reindex-catalog-rules-${installationKey}`;
