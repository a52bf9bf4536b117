import type { LockedReturn } from './lock-return.ts';

/** Approves every line of a locked return in the requested quantity, which the refund follows (spec 4.8). */
export function approveInFull(rma: LockedReturn): void {
  for (const item of rma.items) {
    item.qtyAuthorized = item.qtyRequested;
    item.qtyApproved = item.qtyRequested;
    item.status = 'approved';
  }
  rma.status = 'approved';
}
