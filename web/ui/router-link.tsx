import MuiLink, { type LinkProps as MuiLinkProps } from '@mui/material/Link';
import { createLink } from '@tanstack/react-router';
import type { Ref } from 'react';

/** A link to one of our pages, in the theme's style. */
export const RouterLink = createLink(function ThemedLink(
  props: MuiLinkProps & { ref?: Ref<HTMLAnchorElement> },
) {
  return <MuiLink {...props} />;
});
