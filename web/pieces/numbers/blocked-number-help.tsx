import { RouterLink } from '../../ui/router-link.tsx';
import { ContactUs } from '../support/contact-us.tsx';

/** Beside the sentence that a text number is blocked: where to see it, and whom to ask. */
export function BlockedNumberHelp() {
  return (
    <>
      <RouterLink to="/settings/text">See your text numbers</RouterLink> <ContactUs />
    </>
  );
}
