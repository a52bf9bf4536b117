import { defineSearchAttributeKey } from '@temporalio/common';

/**
 * The fields by which the list of workflows can be filtered. Never a name, an e-mail or a card: they are not
 * encrypted.
 */
export const posStatus = defineSearchAttributeKey('PosStatus', 'KEYWORD');
export const posRefundState = defineSearchAttributeKey('PosRefundState', 'KEYWORD');
export const posReturnId = defineSearchAttributeKey('PosReturnId', 'INT');
export const posOrderId = defineSearchAttributeKey('PosOrderId', 'INT');
export const posExpiresAt = defineSearchAttributeKey('PosExpiresAt', 'DATETIME');
export const posLocationId = defineSearchAttributeKey('PosLocationId', 'KEYWORD');
export const posMethod = defineSearchAttributeKey('PosMethod', 'KEYWORD');
