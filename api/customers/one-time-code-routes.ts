import type { AnyRoute } from '../http/route.ts';
import { requestOneTimeCode } from './request-one-time-code.ts';
import { verifyOneTimeCode } from './verify-one-time-code.ts';

/** Sign-in at a kiosk (spec 3.5, 4.5), its part of the one list of every route. */
export const oneTimeCodeRoutes: readonly AnyRoute[] = [requestOneTimeCode, verifyOneTimeCode];
