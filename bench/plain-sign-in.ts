import bcrypt from 'bcryptjs';
import Koa from 'koa';
import { passcode } from './shop.ts';

/** A sign-in that only compares a passcode, on the event loop, as most servers do. */
const hash = bcrypt.hashSync(passcode, 10);
const app = new Koa();
app.silent = true;
app.use(async (ctx) => {
  ctx.body = ctx.path === '/sign-in' ? { fits: await bcrypt.compare(passcode, hash) } : 'ok';
});
app.listen(Number(process.env['PORT']), '127.0.0.1');
