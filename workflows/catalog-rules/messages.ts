/** One run at a time of an installation, however many save something; several installations may share a namespace. */
export const reindexId = (installationKey: string) => `reindex-catalog-rules-${installationKey}`;
