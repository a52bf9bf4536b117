import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createUser } from '../../cli/create-user.ts';
import { readPassword } from '../../cli/support/read-password.ts';
import type { CommandContext } from '../../cli/support/command-context.ts';
import { parseSettings } from '../../providers/settings.ts';

/** The two sides of a terminal, and what came out of it. */
function aTerminal(typed: string, { isTTY }: { isTTY: boolean }) {
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = new PassThrough();
  input.end(typed);
  return { input, output, shown: () => String(output.read() ?? '') };
}

test('a script sends the password as a line, and nothing is shown', async () => {
  const terminal = aTerminal('Lantern-2026\nmore\n', { isTTY: false });
  expect(await readPassword(terminal)).toBe('Lantern-2026');
  expect(terminal.shown()).toBe('');
});

test('a typed password is not shown', async () => {
  const terminal = aTerminal('Lantern-2026\n', { isTTY: true });
  expect(await readPassword(terminal)).toBe('Lantern-2026');
  expect(terminal.shown()).toBe('Password: \n');
});

test('an empty password is refused', async () => {
  await expect(readPassword(aTerminal('', { isTTY: false }))).rejects.toMatchObject({ status: 400 });
});

test.each(['short1', 'letters-only', '12345678', ''])(
  'an administrator gets no password such as "%s"',
  async (given) => {
    const shop: Pick<CommandContext, 'settings' | 'em'> = {
      settings: parseSettings({}),
      em: () => Promise.reject(new Error('nothing is asked')),
    };
    const user = {
      username: 'u',
      email: 'u@shop.example',
      firstName: 'U',
      lastName: 'V',
      acl: 'all',
      askPassword: true,
    };
    await expect(createUser(shop as CommandContext, user, async () => given)).rejects.toMatchObject({
      status: 400,
    });
  },
);
