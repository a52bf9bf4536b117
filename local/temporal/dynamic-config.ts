/**
 * A task hop costs 50 ms and a timer a second under the server's own limits, which are for big clusters.
 * `deploy/temporal/dynamic-config.yaml` has the same for a server of one's own.
 */
export const dynamicConfig = {
  'history.transferProcessorMaxPollRPS': 2000,
  'history.timerProcessorMaxPollRPS': 2000,
  'history.visibilityProcessorMaxPollRPS': 500,
  'history.timerProcessorMaxTimeShift': '1ms',
  'system.enableActivityEagerExecution': true,
} as const;
