import Button, { type ButtonProps } from '@mui/material/Button';
import { createLink } from '@tanstack/react-router';
import type { Ref } from 'react';

/** A button that leads to a page of ours. */
export const RouterButton = createLink(function ThemedButton(
  props: Omit<ButtonProps<'a'>, 'component'> & { ref?: Ref<HTMLAnchorElement> },
) {
  return <Button component="a" {...props} />;
});
