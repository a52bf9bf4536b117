import Router from '@koa/router';
import { centsTable } from './cents.ts';

/** A page for people: what each amount calls up, and what the simulator really did, live. */
export function page(): Router {
  const router = new Router();
  router.get('/', (context) => {
    context.type = 'html';
    context.body = `<!doctype html><pre>${JSON.stringify(centsTable, null, 2)}</pre>`;
  });
  return router;
}
