import Link from '@mui/material/Link';

/** A link to the operator's privacy policy. Renders nothing without an address. */
export function PrivacyLink({ url }: { url: string }) {
  if (url === '') return null;
  return (
    <Link href={url} target="_blank" rel="noreferrer">
      Privacy policy
    </Link>
  );
}
