import { expect, test, vi } from 'vitest';
import { followRenewals } from '../../../api/content/follow-renewals.ts';
import { contentTypes } from '../../../api/content/content-type.ts';

const block = contentTypes.find(({ kind }) => kind === 'block')!;

test('a change that is committed is answered as done, though the database went away since', async () => {
  const warn = vi.fn();
  const gone = {
    getKysely() {
      throw new Error('the connection broke');
    },
  };
  const around = { em: gone, workflows: {}, log: { warn } } as unknown as Parameters<typeof followRenewals>[1];
  await expect(followRenewals(block, around)).resolves.toBeUndefined();
  expect(warn).toHaveBeenCalledTimes(1);
});
