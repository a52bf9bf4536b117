import type { booksOf } from '../books.ts';

/** What is shown of all texts that have this block within, each different one once. */
export async function shownWith(
  { find }: Pick<ReturnType<typeof booksOf>, 'find'>,
  identifier: string,
): Promise<string[]> {
  const published = await find('content_publication', {}, 'uses', 'html');
  return [...new Set<string>(published.filter(({ uses }) => uses.includes(identifier)).map(({ html }) => html))];
}
