import { credentials } from '../demo-shop/credentials.ts';
import type { Json, Teller } from './teller.ts';

interface Text {
  identifier: string;
  title: string;
  content: string;
}

/** A block that is part of the two others. */
const openingHours: Text = {
  identifier: 'opening_hours',
  title: 'Opening hours',
  content: '<p>Open from 9 to 18, on Sunday closed.</p>',
};
const idleScreen: Text = {
  identifier: 'idle_screen',
  title: 'Idle screen',
  content: '<h1>Welcome to {{config path="general/store_information/name"}}</h1>{{block id="opening_hours"}}',
};
const display: Text = {
  identifier: 'customer_display',
  title: 'Customer display',
  content: '<p>Fresh coffee at the counter.</p>{{block id="opening_hours"}}',
};

/**
 * Texts for the customer display and the idle screen, as an editor at the office handles them: drafted, published,
 * read.
 */
export async function customerDisplay(teller: Teller): Promise<void> {
  teller.chapter('At the office: blocks for the customer display and the idle screen');
  const { username, password } = credentials.admin;
  const token: string = await teller.ask({
    method: 'POST',
    path: '/V1/integration/admin/token',
    body: { username, password },
    means: () => 'An editor signs in: content is for people, an integration’s token does not open it.',
  });
  for (const text of [openingHours, idleScreen]) await show(teller, token, text);
  const block = await show(teller, token, display);
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
  await readOnScreens(teller);
}

/** Drafts a block and publishes it. */
async function show(teller: Teller, token: string, text: Text): Promise<Json> {
  const block = await draft(teller, token, text);
  return teller.ask({
    method: 'POST',
    path: `/V1/cmsBlock/${block.id}/publish`,
    token,
    body: {},
    means: ({ extension_attributes: { published_version: version } }: Json) =>
      `Version ${version} is shown from now on; HTML and CSS were made safe once, now.`,
  });
}

/** Reads as any screen of the shop, without a token: one request for everything it shows. */
async function readOnScreens(teller: Teller): Promise<void> {
  const query = '{vendorCmsBlocks(identifiers:["customer_display","idle_screen"]){items{identifier html css}}}';
  const { text } = await teller.visit({
    path: `/graphql?query=${encodeURIComponent(query)}`,
    means: () => 'The customer display and the idle screen ask for their blocks by name, as anybody may.',
  });
  const { items = [] }: Json = JSON.parse(text).data?.vendorCmsBlocks ?? {};
  for (const { identifier, html } of items) teller.say(`${identifier}: ${html}`);
  teller.must(items.length === 2, `The screens show ${items.length} blocks of 2: ${text}`);
}

/** On the second day the block exists already. */
async function draft(teller: Teller, token: string, { identifier, title, content }: Text): Promise<Json> {
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
        title,
        content,
        extension_attributes: { css: 'p { color: teal }', liveview: true },
      },
    },
    means: ({ id, extension_attributes: { version } }: Json) =>
      `Block ${id}, version ${version}: a draft nobody else sees.`,
  });
}
