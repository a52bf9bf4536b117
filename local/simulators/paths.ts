/** The service behind each path of the simulators; the card processors are behind the address itself. */
export const simulatorPaths = {
  license: '/license',
  returns: '/returns',
  credit: '/credit',
  webhooks: '/webhooks',
} as const;
