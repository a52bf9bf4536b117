/** What register sessions and their closings are refused with. */
import { refusal } from './refusal.ts';

export const registerSessionNotFound = refusal(404, 'Register session %1 does not exist', {
  when: 'No session has this UUID.',
  then: 'Open it first.',
});

export const closingNotFound = refusal(404, 'Closing with id %1 does not exist', { when: 'No closing has this id.' });

export const drawerNotFound = refusal(404, 'Drawer with id %1 does not exist', { when: 'No drawer has this id.' });

export const uuidReused = refusal(422, 'The UUID %1 was sent before with another body. Nothing was done.', {
  code: 'uuid_reused',
  when: 'The UUID belongs to a request with another body, or of another session.',
  then: 'Use a new UUID for a new request.',
});

export const drawerAlreadyOpen = refusal(409, 'The drawer is open already, in session %1.', {
  code: 'drawer_already_open',
  when: 'Another session of this drawer is not closed. `register_session_uuid` names it.',
  then: 'Close that session, or continue with it.',
});

export const drawerOfOtherLocation = refusal(400, 'Drawer %1 belongs to location %2.', {
  when: 'The drawer is of another location than the session.',
});

export const terminalOfOtherLocation = refusal(400, 'Terminal %1 belongs to location %2.', {
  when: 'The terminal is of another location than the session.',
});

export const currencyOpenedTwice = refusal(400, 'The currency %1 is listed twice.', {
  when: 'A list has two lines of one currency, or of one currency and tender.',
});

export const currencyNotOpened = refusal(400, 'The currency %1 was not opened in this session.', {
  when: 'The session was opened without this currency.',
});

export const tenderUnknown = refusal(400, 'The tender %1 is unknown.', {
  when: 'A count names a tender that the shop does not have.',
  then: 'Send `cash`, `card`, or the code of a payment method.',
});

export const cashNotCounted = refusal(400, 'The cash of currency %1 was not counted.', {
  when: 'A count leaves out the cash of a currency that was opened.',
});

export const cashAmountNotPositive = refusal(400, 'The amount of a cash movement must be greater than zero.', {
  when: 'The amount is missing, zero or below.',
});

export const noSaleHasNoAmount = refusal(400, 'A no_sale has no amount and no currency.', {
  when: 'A drawer that was opened without a sale names an amount.',
});

export const sessionIsClosed = refusal(409, 'Register session %1 is closed.', {
  code: 'session_closed',
  when: 'The session is closed.',
  then: 'Open a new session, or let an administrator open this one again.',
});

export const sessionIsCounted = refusal(409, 'Register session %1 is counted already.', {
  code: 'session_counted',
  when: 'A count was accepted, and no movement followed it.',
  then: 'Close the session.',
});

export const sessionNotCounted = refusal(409, 'Register session %1 was not counted.', {
  code: 'session_not_counted',
  when: 'No count of the session was accepted.',
  then: 'Count the drawer.',
});

export const recountRequired = refusal(409, 'Cash moved after the count of register session %1.', {
  code: 'recount_required',
  when: 'A movement followed the count. The session is open again, and one more count is permitted.',
  then: 'Count the drawer again, then close.',
});

export const closingApprovalRequired = refusal(409, 'The difference of register session %1 needs a second person.', {
  code: 'approval_required',
  when: 'The difference is above `vendor_pos/closing/approve_above`. `approval_id` names the pending approval.',
  then: 'Send `approval` with the credentials of a second person, or let one approve it on `/ops`, and close again.',
});

export const notASecondPerson = refusal(409, 'The person who approves must be a second person.', {
  code: 'not_a_second_person',
  when:
    'The approval is by the person who closes, or one of both gave the other credentials within 24 hours, or the ' +
    'person may not close registers.',
  then: 'Let another person approve.',
});

export const sessionStaffUnknown = refusal(400, 'The member of staff %1 does not exist.', {
  when: 'A member of staff that the body names does not exist.',
});

export const sessionNotClosed = refusal(409, 'Register session %1 is not closed.', {
  code: 'session_not_closed',
  when: 'The session is open, so it cannot be opened again.',
});

export const laterSessionExists = refusal(409, 'The drawer was opened again after register session %1.', {
  code: 'later_session',
  when: 'Only the latest session of a drawer can be opened again.',
});
