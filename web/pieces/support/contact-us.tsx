import Link from '@mui/material/Link';
import { getInstallation } from '../../../contract/addresses/onboarding.gen.ts';
import type { Reply } from '../../../contract/call.ts';
import { useCallQuery } from '../../queries/calls.ts';

export type Installation = Reply<typeof getInstallation>;

/** The installation's description of itself; it doesn't change while a page is open. */
export function useInstallation(): Installation | undefined {
  return useCallQuery(getInstallation, {}, { staleTime: Number.POSITIVE_INFINITY }).data;
}

/** The ways to reach support, where a sentence says "contact us". Nothing where the operator has set none. */
export function ContactUs({ isInternational = false }: { isInternational?: boolean }) {
  const installation = useInstallation();
  if (!installation) return null;
  const { SupportEmail, SupportPhone, InfoEmail, InternationalEmail } = installation;
  const email = (isInternational && InternationalEmail) || SupportEmail || InfoEmail;
  if (!email && !SupportPhone) return null;
  return (
    <span>
      Contact us: {email && <Link href={`mailto:${email}`}>{email}</Link>}
      {email && SupportPhone && ', '}
      {SupportPhone && <Link href={`tel:${SupportPhone.replace(/[^\d+]/g, '')}`}>{SupportPhone}</Link>}
    </span>
  );
}
