export interface MailInput {
  mailId: number;
}

export const mailWorkflowId = (mailId: number) => `mail-${mailId}`;
