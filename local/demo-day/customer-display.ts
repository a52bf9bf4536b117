import { credentials } from '../demo-shop/credentials.ts';
import type { Json, Teller } from './teller.ts';

/** What the customer display shows, as an editor at the office writes it: a block, drafted, published, read. */
export async function customerDisplay(teller: Teller): Promise<void> {
  teller.chapter('At the office: a block for the customer display');
  const { username, password } = credentials.admin;
  const token: string = await teller.ask({
    method: 'POST',
    path: '/V1/integration/admin/token',
    body: { username, password },
    means: () => 'An editor signs in: content is for people, an integration’s token does not open it.',
  });
  const block = await draft(teller, token);
  await teller.ask({
    method: 'POST',
    path: `/V1/cmsBlock/${block.id}/publish`,
    token,
    body: {},
    means: ({ extension_attributes: { published_version: version } }: Json) =>
      `Version ${version} is shown from now on; HTML and CSS were made safe once, now.`,
  });
  await teller.ask({
    method: 'PUT',
    path: `/V1/cmsBlock/${block.id}`,
    token,
    body: { block: { content: '<p>Closed on Sunday?</p>', extension_attributes: { revision: 0 } } },
    expect: 409,
    means: ({ parameters }: Json) =>
      `A second editor who read it earlier is told: changed by ${parameters.changed_by}.`,
  });
  await teller.ask({
    method: 'GET',
    path: `/V1/cmsBlock/${block.id}/versions`,
    token,
    means: (versions: Json[]) => `${versions.length} version(s), the newest by ${versions[0]?.author}.`,
  });
}

/** On the second day the block is there. */
async function draft(teller: Teller, token: string): Promise<Json> {
  const identifier = 'customer_display';
  const filter = 'searchCriteria[filter_groups][0][filters][0]';
  const { items } = await teller.ask({
    method: 'GET',
    path: `/V1/cmsBlock/search?${filter}[field]=identifier&${filter}[value]=${identifier}`,
    token,
    means: ({ total_count: count }: Json) => `${count} block(s) of this name.`,
  });
  return teller.ask({
    method: 'POST',
    path: '/V1/cmsBlock',
    token,
    body: {
      block: {
        ...(items[0] === undefined ? { identifier } : { id: items[0].id }),
        title: 'Customer display',
        content: '<p>Fresh coffee at the counter.</p>',
        extension_attributes: { css: 'p { color: teal }', liveview: true },
      },
    },
    means: ({ id, extension_attributes: { version } }: Json) =>
      `Block ${id}, version ${version}: a draft nobody else sees.`,
  });
}
