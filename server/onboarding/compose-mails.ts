import { type ComposedMail, composeMail } from '../mails/compose-mail.ts';

interface Person {
  firstName: string;
  userName: string;
}

/** The first mail: it verifies the address, and says how to sign in. */
export function welcomeMail(
  { firstName, userName }: Person,
  { company, url }: { company: string; url: string },
): ComposedMail {
  return composeMail({
    subject: 'Verify your email',
    from: company,
    title: 'Verify your email',
    paragraphs: [
      `Hello ${firstName}, welcome to Muster. Open the link to verify your email; it works once, for a week.`,
      `Your username is ${userName}. Sign in with it and the password you chose.`,
    ],
    action: { label: 'Verify your email', url },
    foot: 'If you didn’t sign up, ignore this email: without the link nothing happens.',
  });
}

/** To a person who signs up with an address that already has a user. */
export function knownMail({ firstName, userName }: Person, publicUrl: string): ComposedMail {
  return composeMail({
    subject: 'You already have an account',
    title: 'You already have an account',
    paragraphs: [
      `Hello ${firstName}, somebody signed up for Muster with your email. You have an account already: your username is ${userName}.`,
      `If you don’t know your password, choose a new one: ${publicUrl}/forgot-password`,
    ],
    action: { label: 'Sign in', url: `${publicUrl}/login` },
    foot: 'If it wasn’t you, ignore this email: nothing was changed.',
  });
}
