import Link from '@mui/material/Link';

/** Where the operator says what happens to people's data. Nothing without an address. */
export function PrivacyLink({ url }: { url: string }) {
  if (url === '') return null;
  return (
    <Link href={url} target="_blank" rel="noreferrer">
      Privacy policy
    </Link>
  );
}
