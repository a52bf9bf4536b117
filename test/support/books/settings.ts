import type { booksOf } from '../books.ts';

/** Forgets what is set below this path, everywhere: the defaults of the shop apply again. */
export async function forgetSettings(
  { find, remove }: Pick<ReturnType<typeof booksOf>, 'find' | 'remove'>,
  below: string,
): Promise<void> {
  for (const { path } of await find('config_value', {}, 'path'))
    if (path.startsWith(below)) await remove('config_value', { path });
}
