import { setTimeout as pause } from 'node:timers/promises';
import { publishedContent } from '../../support/builders/published-content.ts';
import { anAdminToken } from '../../support/builders/admin-token.ts';
import { unlessEqual, type CrashFlow } from '../crash-flow.ts';
import type { Lane } from '../lane.ts';
import { countOf } from './count-of.ts';

const both = ['api', 'worker'] as const;
/** What nobody follows is looked for each minute, once it is a minute old. */
const longestWaitMs = 180_000;
/** More than are rendered at once, and more than one batch. */
const places = 22;

/** What of an answer is waited for. */
interface Content {
  state?: string;
  extension_attributes?: { renewal?: { finished_at?: string } };
}

/** An editor, who is an administrator. */
async function anEditor(lane: Lane) {
  const headers = { authorization: `Bearer ${await anAdminToken(lane.orm.em.fork())}` };
  const press = (method: string, path: string, body?: unknown) => lane.teller.press(method, path, body, headers);
  return {
    press,
    waitFor: async (path: string, isThere: (body: Content) => boolean): Promise<void> => {
      for (const until = Date.now() + longestWaitMs; Date.now() < until; await pause(100))
        if (isThere((await press('GET', path)).body)) return;
    },
  };
}

let names = Date.now();

export const publishBlock: CrashFlow = {
  id: 'F31',
  title: 'publish a block that many pages have within',
  processes: both,
  async prepare(lane) {
    const { press, waitFor } = await anEditor(lane);
    const em = lane.orm.em.fork();
    const identifier = `crash-${++names}`;
    const block = await publishedContent(em, { identifier, content: 'old' });
    for (let n = 1; n <= places; n++)
      await publishedContent(em, {
        kind: 'page',
        identifier: `${identifier}-${n}`,
        content: `{{block id="${identifier}"}}`,
      });
    const texts = 'from content_publication where uses @> array[?]';
    const followed: string[] = [];
    const answers: number[] = [];
    return {
      async go() {
        const saved = await press('PUT', `/V1/cmsBlock/${block}`, { block: { content: 'new' } });
        const shown = await press('POST', `/V1/cmsBlock/${block}/publish`, {});
        answers.push(saved.status, shown.status);
        const sql = 'select renewal_id from content_renewal where identifier = ?';
        const [row] = await em.execute<{ renewal_id: number }[]>(sql, [identifier]);
        followed.push(`content-renewal-${row?.renewal_id}`);
        await waitFor(`/V1/cmsBlock/${block}`, (body) => body.extension_attributes?.renewal?.finished_at !== undefined);
      },
      faults: async () => [
        ...unlessEqual('the answers', answers, [200, 200]),
        ...unlessEqual('pages with the new text', await countOf(lane, `${texts} and html = 'new'`, identifier), places),
        ...unlessEqual('versions', await countOf(lane, 'from content_version where content_id = ?', block), 2),
        ...unlessEqual(
          'changes of the block',
          await countOf(lane, 'from content_item where content_id = ? and revision = 3', block),
          1,
        ),
        ...unlessEqual(
          'places rendered, all of them',
          await countOf(
            lane,
            'from content_renewal where identifier = ? and rendered = ? and finished_at is not null',
            identifier,
            places,
          ),
          1,
        ),
      ],
      workflows: () => followed,
    };
  },
};

export const planPublication: CrashFlow = {
  id: 'F32',
  title: 'plan a publication, move it to now; call another off',
  processes: both,
  async prepare(lane) {
    const { press, waitFor } = await anEditor(lane);
    const block = { identifier: `plan-${++names}`, title: 'Plan', content: 'x' };
    const { body } = await press('POST', '/V1/cmsBlock', { block });
    const schedules = '/V1/vendorCms/schedule';
    const ids: number[] = [];
    const plan = async (due_at: string, action: string) => {
      const made = await press('POST', schedules, { schedule: { content_id: body.id, action, due_at } });
      ids.push(Number(made.body.id));
      return `${schedules}/${made.body.id}`;
    };
    return {
      async go() {
        const show = await plan('2040-01-01 06:00:00', 'publish');
        const hide = await plan('2040-02-01 06:00:00', 'unpublish');
        await press('PUT', show, { schedule: { due_at: '2020-01-01 06:00:00' } });
        await press('POST', `${hide}/cancel`, {});
        await waitFor(show, ({ state }) => state !== 'pending');
      },
      faults: async () => [
        ...unlessEqual(
          'plans, one done and one called off',
          await lane.orm.em
            .fork()
            .execute('select state from content_schedule where content_id = ? order by schedule_id', [body.id]),
          [{ state: 'done' }, { state: 'cancelled' }],
        ),
        ...unlessEqual(
          'content that was published once',
          await countOf(
            lane,
            'from content_item where content_id = ? and published_number = 1 and revision = 2',
            body.id,
          ),
          1,
        ),
      ],
      workflows: () => ids.map((id) => `content-schedule-${id}`),
    };
  },
};

export const contentFlows = [publishBlock, planPublication];
