import type { Mailer } from "@cardvault/core";
import { createTransport } from "nodemailer";

export interface MailerOptions {
  /** `smtp://user:password@host:587`, `smtps://…` */
  smtpUrl: string;
  /** The sender; else no-reply at the host of `publicUrl`. */
  from: string | undefined;
  publicUrl: string;
}

const timeoutMs = 15_000;

/** Mail by SMTP: a connection for each, since an installation sends a few a day. */
export function createMailer({ smtpUrl, from, publicUrl }: MailerOptions): Mailer {
  const sender = from ?? `Card Vault <no-reply@${new URL(publicUrl).hostname}>`;
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  return {
    async send(mail) {
      await transport.sendMail({ from: sender, ...mail });
    },
  };
}
