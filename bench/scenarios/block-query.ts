import type { BenchRequest, Scenario } from '../scenario.ts';

const identifier = 'bench-idle-screen';
/** An idle screen's block with a few offers. */
const html = `<section>${'<p class="offer">A fine product for a fine price.</p>'.repeat(40)}</section>`;
const query = `query ($x: String!) { vendorCmsBlock(identifier: $x) { identifier title html css } }`;
const variables = { x: identifier };
const prepare: Scenario['prepare'] = async ({ execute }) => {
  await execute(
    `with item as (
       insert into content_item (kind, identifier, title, content, liveview, published_number, changed_by, created_at, updated_at)
       values ('block', '${identifier}', 'Idle screen', '', true, 1, 'bench', now(), now())
       on conflict do nothing returning content_id)
     insert into content_publication (content_id, number, title, content, html, css, published_by)
     select content_id, 1, 'Idle screen', '', '${html}', '', 'bench' from item`,
  );
};

/** A register's display asks for its block again, by GET, beside the same bytes without a database. */
export const blockQuery: Scenario = {
  name: 'block query, warm',
  loads: [{ connections: 16, atLeast: null, atMost: 1.3 }],
  prepare,
  request: (): BenchRequest => ({
    method: 'GET',
    path: `/graphql?query=${encodeURIComponent(query)}&variables=${encodeURIComponent(JSON.stringify(variables))}`,
    isOutside: true,
  }),
  subjectOf: () => 0,
  plain: 'static',
};

/** The same by POST: both sides read its body. */
export const postedBlockQuery: Scenario = {
  ...blockQuery,
  name: 'block query, warm, by POST',
  request: () => ({ method: 'POST', path: '/graphql', body: { query, variables }, isOutside: true }),
};
