/** The seed of every property test; a failure prints it. Set POS_SEED to repeat the failure. */
export const seed = Number(process.env['POS_SEED'] ?? Date.now() % 2 ** 31);
