import type { SecretBox } from '../../db/support/secret-box.ts';

/** What people wrote with a request about a return. */
export interface Words {
  comment?: string | null;
  /** Of each line of a creation, in their order: a reason may be a sentence of the customer. */
  goods?: { reason: string | null; condition: string | null }[];
}

const purpose = 'words of a return';

/** Seals words for their way through Temporal, which shows and keeps what it carries. Null where there are none. */
export function sealWords(box: SecretBox, words: Words): string | null {
  const isSomething =
    Boolean(words.comment) || words.goods?.some(({ reason, condition }) => reason !== null || condition !== null);
  return isSomething ? box.seal(JSON.stringify(words), purpose) : null;
}

/** Opens them again, in a worker with the same key. */
export function openWords(box: SecretBox, sealed: string | null): Words {
  if (sealed === null) return {};
  const words: Words = JSON.parse(box.open(sealed, purpose));
  return words;
}

/** The goods of a creation with what was written of each, and what was written of all. */
export function withWords<Item extends object>(box: SecretBox, sealed: string | null, items: readonly Item[]) {
  const { comment = null, goods = [] } = openWords(box, sealed);
  return { comment, items: items.map((item, at) => ({ ...item, reason: null, condition: null, ...goods[at] })) };
}
