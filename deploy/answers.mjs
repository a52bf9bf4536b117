/** For health checks: exits with 0 when the address answers with success. `node deploy/answers.mjs URL` */
const [, , address] = process.argv;
const answer = await fetch(address).catch(() => undefined);
process.exit(answer?.ok ? 0 : 1);
