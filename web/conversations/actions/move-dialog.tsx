import { lazy, Suspense } from 'react';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { untilOnline } from '../../ui/until-online.ts';
import type { MoveFormProps } from './move-form.tsx';

const MoveForm = lazy(untilOnline(async () => ({ default: (await import('./move-form.tsx')).MoveForm })));

/** Moves conversations to another text number. */
export function MoveDialog({ isOpen, ...rest }: MoveFormProps & { isOpen: boolean }) {
  return (
    <FormDialog isOpen={isOpen} onClose={rest.onClose} width={460}>
      <Suspense>
        <MoveForm {...rest} />
      </Suspense>
    </FormDialog>
  );
}
