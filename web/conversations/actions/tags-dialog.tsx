import { lazy, Suspense, useState } from 'react';
import { untilOnline } from '../../ui/until-online.ts';
import type { TagsDialogProps } from './tags-form.tsx';

const TagsForm = lazy(untilOnline(async () => ({ default: (await import('./tags-form.tsx')).TagsForm })));

/** Manages all tags. Its code loads when it first opens. */
export function TagsDialog(props: TagsDialogProps) {
  const [wasOpen, setWasOpen] = useState(false);
  if (props.isOpen && !wasOpen) setWasOpen(true);
  if (!wasOpen) return null;
  return (
    <Suspense>
      <TagsForm {...props} />
    </Suspense>
  );
}
