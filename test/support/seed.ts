/** What chance is drawn from in every property: a failure prints it. Put it into POS_SEED to see the failure again. */
export const seed = Number(process.env['POS_SEED'] ?? Date.now() % 2 ** 31);
