import Router from '@koa/router';
import { pagePolicy } from '../little-server/little-headers.ts';
import { escapeHtml, readPage } from '../read-page.ts';
import { centsTable, type CentsRow } from './cents.ts';

/** A page for people: the outcome of each amount, and what the simulator really did, live. */
export function page(): Router {
  const html = readPage(new URL('page.html', import.meta.url), { cents: centsTable.map(row).join('\n') });
  const policy = pagePolicy(html);
  const router = new Router();
  router.get('/', (context) => {
    context.type = 'html';
    context.set('Content-Security-Policy', policy);
    context.body = html;
  });
  return router;
}

const row = ({ cents, outcome, description }: CentsRow) =>
  `<tr>
    <td class="code"><b>.${cents}</b></td>
    <td class="code">${outcome}</td>
    <td>${escapeHtml(description)}</td>
    <td><button type="button" data-next="${outcome}">Next call</button></td>
  </tr>`;
