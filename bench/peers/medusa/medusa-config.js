// Medusa with its own defaults: everything in one process, caches and queues in memory, no dashboard.
const { defineConfig } = require('@medusajs/framework/utils');

module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseDriverOptions: { connection: { ssl: false }, pool: { max: 10 } },
    http: { jwtSecret: 'bench', cookieSecret: 'bench', storeCors: '*', adminCors: '*', authCors: '*' },
  },
});
