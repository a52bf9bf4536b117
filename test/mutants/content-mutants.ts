import type { Mutant } from './mutant.ts';

const content = 'test/api/content/content.test.ts';
const schedules = 'test/api/content/content.test.ts';

/** What keeps drafts in the house, and editors from writing over each other. */
export const contentMutants: readonly Mutant[] = [
  {
    id: 'DR01',
    mistake: 'content is shown though its liveview is off',
    patches: [
      {
        file: 'db/content/read-published.ts',
        find: `case when i.liveview then p.content else '' end as content`,
        replace: 'p.content',
      },
    ],
    killedBy: [content],
  },
  {
    id: 'DR02',
    mistake: 'the draft is shown instead of what was published',
    patches: [
      {
        file: 'db/content/read-published.ts',
        find: `case when i.liveview then p.content else '' end as content`,
        replace: `case when i.liveview then i.content else '' end as content`,
      },
    ],
    killedBy: [content],
  },
  {
    id: 'DR03',
    mistake: 'a draft that was never published is shown',
    patches: [
      {
        file: 'db/content/read-published.ts',
        find: `const published = 'content_item i join content_publication p using (content_id)';`,
        replace: `const published =
  '(select *, draft_number as number, content as html, changed_by, updated_at as published_at from content_item) p join content_item i using (content_id)';`,
      },
    ],
    killedBy: [content],
  },
  {
    id: 'DR04',
    mistake: 'what is switched off is shown',
    patches: [
      {
        file: 'db/content/read-published.ts',
        find: `const shown = 'i.is_active and i.store_id in (0, $storeId)';`,
        replace: `const shown = 'i.store_id in (0, $storeId)';`,
      },
    ],
    killedBy: [content],
  },
  {
    id: 'DR05',
    mistake: 'the second of two editors writes over the first',
    patches: [
      {
        file: 'domain/content.ts',
        find: 'if (expected && !expected.revisions.includes(now.revision))',
        replace: 'if (expected && expected.revisions.length < 0)',
      },
    ],
    killedBy: [content],
  },
  {
    id: 'DR06',
    mistake: 'an integration’s token opens what is for administrators',
    patches: [
      {
        file: 'api/http/route-context.ts',
        find: `(!route.isForAdmins || caller.userType === 'admin')`,
        replace: 'true',
      },
    ],
    killedBy: [content],
  },
  {
    id: 'DR07',
    mistake: 'a schedule is carried out before its moment',
    patches: [{ file: 'db/content/renew-content.ts', find: 'if (msUntilDue > 0)', replace: 'if (msUntilDue < 0)' }],
    killedBy: [schedules],
  },
  {
    id: 'DR08',
    mistake: 'who may plan may publish anything',
    patches: [
      {
        file: 'api/content/schedules.ts',
        find: 'if (!caller.can(write))',
        replace: 'if (!caller.can(write) && kind === undefined)',
      },
    ],
    killedBy: [schedules],
  },
  {
    id: 'DR09',
    mistake: 'a schedule that is over is carried out again',
    patches: [
      {
        file: 'db/content/renew-content.ts',
        find: `if (state !== 'pending') return`,
        replace: `if (state === 'failed') return`,
      },
    ],
    killedBy: [schedules],
  },
];
