// Starts Vendure's server, with its job queue in the same process, on the database and port it is given.
import 'reflect-metadata';
import {
  bootstrap,
  JobQueueService,
  dummyPaymentHandler,
  manualFulfillmentHandler,
  DefaultLogger,
  LogLevel,
  DefaultJobQueuePlugin,
} from '@vendure/core';

// What it leaves behind belongs into its own folder.
process.chdir(import.meta.dirname);

const database = new URL(process.env.DATABASE_URL);
const app = await bootstrap({
  apiOptions: {
    cors: false,
    port: Number(process.env.PORT),
    hostname: '127.0.0.1',
    adminApiPath: 'admin-api',
    shopApiPath: 'shop-api',
  },
  authOptions: {
    tokenMethod: ['bearer'],
    superadminCredentials: { identifier: 'superadmin', password: 'bench-only' },
    cookieOptions: { secret: 'bench' },
  },
  dbConnectionOptions: {
    type: 'postgres',
    host: database.hostname,
    port: Number(database.port),
    username: database.username,
    password: database.password,
    database: database.pathname.slice(1),
    synchronize: process.env.SYNCHRONIZE === '1',
    logging: false,
    poolSize: 10,
  },
  paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
  shippingOptions: { fulfillmentHandlers: [manualFulfillmentHandler] },
  plugins: [DefaultJobQueuePlugin.init({ pollInterval: 500 })],
  logger: new DefaultLogger({ level: LogLevel.Warn }),
});
await app.get(JobQueueService).start();
