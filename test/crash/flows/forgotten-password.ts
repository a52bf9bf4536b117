import { unlessEqual, type CrashFlow } from '../crash-flow.ts';
import { countOf } from './count-of.ts';
import { aCustomer, keyed, mailTo, untilNoMailWaits } from './mailed-customer.ts';

const password = 'Roll-in-2027';
const tokenIn = (text = '') => /\/account\/password\/\d+\/(\S+)/.exec(text)?.[1] ?? '';

/** A mail whose sender died goes out once more with the same token. Whichever process dies, the token works once. */
export const forgottenPassword: CrashFlow = {
  id: 'F36',
  title: 'ask for a new password, set it by the mail',
  processes: ['api', 'worker'],
  async prepare(lane) {
    const { email, customerId } = await aCustomer(lane);
    const [asking, setting] = [keyed(), keyed()];
    const answers: number[] = [];
    return {
      async go() {
        const wish = { email, template: 'email_reset', websiteId: 1 };
        const asked = await lane.teller.press('PUT', '/V1/customers/password', wish, asking);
        const resetToken = tokenIn((await mailTo(lane, email))?.text);
        const given = { email, resetToken, newPassword: password };
        const set = await lane.teller.press('POST', '/V1/customers/resetPassword', given, setting);
        const again = await lane.teller.press('POST', '/V1/customers/resetPassword', given, keyed());
        const signIn = { username: email, password };
        const { status } = await lane.teller.press('POST', '/V1/integration/customer/token', signIn);
        answers.push(asked.status, set.status, again.status, status);
        await untilNoMailWaits(lane, customerId);
      },
      faults: async () => [
        ...unlessEqual('the answers', answers, [200, 200, 400, 200]),
        ...unlessEqual(
          'tokens that are left',
          await countOf(lane, 'from customer_password_reset where customer_id = ?', customerId),
          0,
        ),
        ...unlessEqual(
          'mails, none of which still holds the token',
          await countOf(lane, 'from mail_outbox where customer_id = ? and sealed is null', customerId),
          1,
        ),
      ],
      workflows: () => [],
    };
  },
};
