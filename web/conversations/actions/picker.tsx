import { lazy, Suspense, useState } from 'react';
import type { PickerPopover, PickerProps } from '../../ui/picker-popover.tsx';
import { untilOnline } from '../../ui/until-online.ts';

// Autocomplete is large, so its code loads when the first one opens. lazy() loses the type
// parameter.
const LazyPopover = lazy(
  untilOnline(async () => ({
    default: (await import('../../ui/picker-popover.tsx')).PickerPopover,
  })),
) as unknown as typeof PickerPopover;

/** A search box above a list of choices. */
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
