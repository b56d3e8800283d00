import Button, { type ButtonProps } from '@mui/material/Button';
import { createLink } from '@tanstack/react-router';
import type { Ref } from 'react';

/** A button that links to one of our pages. */
export const RouterButton = createLink(function ThemedButton(
  props: Omit<ButtonProps<'a'>, 'component'> & { ref?: Ref<HTMLAnchorElement> },
) {
  return <Button component="a" {...props} />;
});
