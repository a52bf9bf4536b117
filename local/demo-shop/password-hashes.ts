import type { credentials } from './credentials.ts';

type Secret =
  | typeof credentials.admin.password
  | (typeof credentials.staff)[number]['passcode']
  | (typeof credentials.customers)[number]['password'];

/**
 * The bcrypt hash of each password and passcode of the demo shop. Ten hashes take 1.4 s of processor at every first
 * start, and protect nothing here: `credentials` is public.
 */
export const passwordHashes: Readonly<Record<Secret, string>> = {
  'Paper-Lantern-7': '$2b$10$ElL7OeSrQ1JXHdrkAGSB.eivdo5zZr/XwV.U8otcZ3l4cCRpJu3pa',
  '135790': '$2b$10$PW5uVbqJnE310.pj9mHqBuQ/4rEK90.aX2v1ErCqEN.IfZ/vnSCRa',
  '246801': '$2b$10$6wHvqQgBp2vwNAHmMztObOI7gO5YTVAaPG1MHSNkqQAaoKESjJwXq',
  '975310': '$2b$10$FBTlhZZ/9elVsDFA69t.7eneQzc3Ihda7VhMkhVh4wb3kaK/uVZFe',
  '864209': '$2b$10$wPt9W1xQG6jq/FPZy3nVG.0bx3X0csKvw4PadM35LAZF1Uo9yKjbW',
  'Grace-Shops-1': '$2b$10$d3RBQBfwoymvDQyuwoidnOQK7KOJm3QQ.3C7KvKWlJE6GgkF21s1O',
  'Walter-Buys-2': '$2b$10$x8CRVHGUisI95wzn6e73eeiLfNisi3vCrUpvTrsHnb7rxtFjBOE3q',
  'Chloe-Shops-3': '$2b$10$S7DrB1/t2NtBQhE/wtYcsOitXbWVDRF05uJMTk9QPCWFtl2pPQH.W',
  'Dora-Kauft-4': '$2b$10$jv/BwZAgrDNhBtxMzLMBy.r/PXuMtHsdY7ZeA7mcERxWmV1ahG07G',
  'Gustav-Kauft-5': '$2b$10$.BRomJhfaYv4pca0lywCDuGXH78X5FTn86ldJCDYB6gqzu.b7jSZC',
};
