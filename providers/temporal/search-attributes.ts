/** The fields by which the operator's list of workflows can be filtered. Registered before the first worker starts. */
export const searchAttributes = {
  PosStatus: 'Keyword',
  PosRefundState: 'Keyword',
  PosLocationId: 'Keyword',
  PosMethod: 'Keyword',
  PosReturnId: 'Int',
  PosOrderId: 'Int',
  PosExpiresAt: 'Datetime',
} as const;
