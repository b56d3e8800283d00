import { lazy, Suspense, useState } from 'react';
import type { PickerPopover, PickerProps } from '../../ui/picker-popover.tsx';
import { untilOnline } from '../../ui/until-online.ts';

// An autocomplete is large: its code is fetched when the first one is opened. lazy() knows nothing of the type
// parameter.
const LazyPopover = lazy(
  untilOnline(async () => ({
    default: (await import('../../ui/picker-popover.tsx')).PickerPopover,
  })),
) as unknown as typeof PickerPopover;

/** A search box with what can be chosen under it. */
export function Picker<Option extends object>(props: PickerProps<Option>) {
  const [wasOpen, setWasOpen] = useState(false);
  if (props.anchor !== null && !wasOpen) setWasOpen(true);
  if (!wasOpen) return null;
  return (
    <Suspense>
      <LazyPopover {...props} />
    </Suspense>
  );
}
