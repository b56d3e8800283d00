import { lazy, Suspense, useState } from 'react';
import { untilOnline } from '../../ui/until-online.ts';
import type { TagsDialogProps } from './tags-form.tsx';

const TagsForm = lazy(untilOnline(async () => ({ default: (await import('./tags-form.tsx')).TagsForm })));

/** All tags: its code is fetched when it is opened for the first time. */
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
