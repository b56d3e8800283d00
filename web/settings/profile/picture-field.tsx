import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormHelperText from '@mui/material/FormHelperText';
import { useRef, useState } from 'react';
import type { User } from '../../../contract/accounts.ts';
import { deleteProfilePicture, setProfilePicture } from '../../../contract/addresses/accounts.gen.ts';
import { checkImageFile } from '../../../contract/uploads/image.ts';
import { shownMessage } from '../../api.ts';
import { useCall } from '../../queries/calls.ts';
import { fullName } from '../../queries/current-user.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { useSaveSettings } from '../use-save-settings.ts';

/** The user's picture: saved as soon as it is chosen. */
export function PictureField({ user }: { user: User }) {
  const { refresh } = useSaveSettings();
  const set = useCall(setProfilePicture);
  const remove = useCall(deleteProfilePicture);
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string>();
  const isBusy = set.isPending || remove.isPending;
  const run = async (act: () => Promise<unknown>, done: string, failed: string) => {
    setProblem(undefined);
    try {
      await act();
      await refresh();
      showSnackbar(done);
    } catch (error) {
      setProblem(shownMessage(error, failed));
    }
  };
  const choose = (file: File) => {
    const wrong = checkImageFile(file.name, file.size, 'conversation');
    if (wrong !== undefined) setProblem(wrong);
    else {
      void run(() => set.mutateAsync({ file }), 'Picture saved.', 'There was an error saving your image.');
    }
  };
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, flexWrap: 'wrap' }}>
      <Avatar name={fullName(user)} size={64} src={user.PictureUrl} />
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg"
        hidden
        aria-label="Choose a picture"
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file) choose(file);
        }}
      />
      <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
        <Button disabled={isBusy} onClick={() => input.current?.click()}>
          {user.PictureUrl ? 'Change picture' : 'Add a picture'}
        </Button>
        {user.PictureUrl && (
          <Button
            variant="text"
            disabled={isBusy}
            onClick={() =>
              void run(
                () => remove.mutateAsync({}),
                'Picture removed.',
                'There was an error deleting your image.',
              )
            }
          >
            Remove
          </Button>
        )}
      </Box>
      <Box sx={{ flex: '1 1 160px' }}>
        <FormHelperText error={problem !== undefined} {...(problem ? { role: 'alert' } : {})}>
          {problem ?? 'A .png or .jpg, shown to your team.'}
        </FormHelperText>
      </Box>
    </Box>
  );
}
