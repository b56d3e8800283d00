import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import OutlinedInput from '@mui/material/OutlinedInput';
import Select from '@mui/material/Select';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import useMediaQuery from '@mui/material/useMediaQuery';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { composeMessages } from '../../contract/forms/compose-text.ts';
import type { TextNumber } from '../../contract/numbers.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { messageTooLong } from '../../contract/text/text-length.ts';
import { useAccount, useTimeZone } from '../queries/current-user.ts';
import { DialogBody, DialogFoot, DialogHead, DialogSide } from '../ui/dialog-parts.tsx';
import { Field } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { formatCount, formatTime } from '../ui/format.ts';
import { useNow } from '../ui/now.ts';
import {
  AttachButton,
  AttachedPictures,
  PictureProblemDialog,
  useAttachPictures,
} from './attach-pictures.tsx';
import { Handset, HandsetBubble, HandsetPicture } from './handset.tsx';
import { textNumberLine } from './names.ts';
import { RecipientField } from './recipient-field.tsx';
import { characterLimit, costLabel, isTooLong } from './text-rules.ts';
import { useCompose } from './use-compose.ts';

interface ComposeDialogProps {
  isOpen: boolean;
  numbers: readonly TextNumber[];
  /** Chosen at first: the number whose conversations are shown, otherwise the default one. */
  textNumberId: number | undefined;
  /** A phone that stands in To at first. */
  to: string | undefined;
  onClose: () => void;
  onSent: (conversationId: number) => void;
}

export function ComposeDialog({ isOpen, onClose, ...rest }: ComposeDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} width={576} hasSide isFullOnPhone>
      <ComposeForm onClose={onClose} {...rest} />
    </FormDialog>
  );
}

function ComposeForm({ numbers, textNumberId, to, onClose, onSent }: Omit<ComposeDialogProps, 'isOpen'>) {
  const account = useAccount();
  const compose = useCompose({ numbers, textNumberId, to, onSent });
  const { draft, errors, number } = compose;
  const isNarrow = useMediaQuery((theme) => theme.breakpoints.down('md'));
  const [tab, setTab] = useState<'write' | 'preview'>('write');
  const limit = characterLimit(account);
  const attachment = useAttachPictures({
    count: draft.pictures.length,
    onAdd: (picture) =>
      compose.changeDraft((before) => ({ ...before, pictures: [...before.pictures, picture] })),
  });
  const isWriting = !isNarrow || tab === 'write';
  return (
    <Box
      component="form"
      noValidate
      aria-label="New conversation"
      onSubmit={(event) => {
        event.preventDefault();
        setTab('write');
        if (attachment.uploading === 0) void compose.send();
      }}
      sx={{ display: 'flex', minHeight: 0, flex: 1 }}
    >
      <Box sx={{ flex: 1, minWidth: 0, display: 'flex', flexDirection: 'column' }}>
        <DialogHead title="New conversation" onClose={onClose} />
        {isNarrow && (
          <Tabs
            value={tab}
            onChange={(_, next) => setTab(next)}
            aria-label="Write or preview"
            sx={{ px: { xs: 1, sm: 3 } }}
          >
            <Tab value="write" label="Write" />
            <Tab value="preview" label="Preview" />
          </Tabs>
        )}
        {isWriting ? (
          <DialogBody gap={2.5} problem={errors.form}>
            <RecipientField
              value={compose.recipient}
              typed={compose.typed}
              error={errors.to}
              countryId={account?.CountryID ?? 1}
              onChange={compose.setRecipient}
              onType={compose.setTyped}
            />
            <Field label="From" error={errors.number}>
              {({ id, ...aria }) => (
                <Select
                  id={id}
                  displayEmpty
                  value={number?.TextNumberID ?? ''}
                  error={errors.number !== undefined}
                  onChange={(event) => compose.setTextNumberId(Number(event.target.value))}
                  SelectDisplayProps={{ ...aria, 'aria-label': 'From' }}
                  renderValue={() => (number ? textNumberLine(number) : composeMessages.noTextNumber)}
                >
                  {numbers.map((one) => (
                    <MenuItem key={one.TextNumberID} value={one.TextNumberID}>
                      {textNumberLine(one)}
                    </MenuItem>
                  ))}
                </Select>
              )}
            </Field>
            <Field label="Text" error={isTooLong(draft.text, limit) ? messageTooLong(limit) : errors.text}>
              {({ id, ...aria }) => (
                <Box
                  sx={{
                    borderRadius: '8px',
                    '& .MuiOutlinedInput-root': { borderRadius: '8px' },
                  }}
                >
                  <OutlinedInput
                    id={id}
                    multiline
                    fullWidth
                    minRows={5}
                    maxRows={10}
                    value={draft.text}
                    error={errors.text !== undefined || isTooLong(draft.text, limit)}
                    onPaste={attachment.onPaste}
                    onChange={(event) => {
                      const text = event.target.value;
                      compose.changeDraft((before) => ({ ...before, text }));
                    }}
                    slotProps={{ input: aria }}
                  />
                  <AttachedPictures
                    pictures={draft.pictures}
                    uploading={attachment.uploading}
                    onRemove={({ mediaId }) =>
                      compose.changeDraft((before) => ({
                        ...before,
                        pictures: before.pictures.filter((one) => one.mediaId !== mediaId),
                      }))
                    }
                  />
                  <Box
                    sx={{
                      display: 'flex',
                      alignItems: 'center',
                      gap: 1,
                      mt: '4px',
                      ml: '-6px',
                      typography: 'caption',
                      color: 'text.secondary',
                    }}
                  >
                    <AttachButton onChoose={(files) => void attachment.attach(files)} />
                    <Box sx={{ flex: 1, fontVariantNumeric: 'tabular-nums' }}>
                      {costLabel(draft.text, draft.pictures.length, account, number)}
                    </Box>
                    <Box
                      component="span"
                      sx={{
                        fontVariantNumeric: 'tabular-nums',
                        color: isTooLong(draft.text, limit) ? 'error.main' : 'inherit',
                      }}
                    >
                      Characters: {formatCount(draft.text.length)}/{formatCount(limit)}
                    </Box>
                  </Box>
                </Box>
              )}
            </Field>
          </DialogBody>
        ) : (
          <Box
            sx={{
              flex: 1,
              minHeight: 0,
              overflowY: 'auto',
              display: 'grid',
              placeItems: 'center',
              py: 3,
              bgcolor: 'surface.sunken',
            }}
          >
            <Preview compose={compose} />
          </Box>
        )}
        <DialogFoot
          action={compose.isSending ? 'Sending' : 'Send'}
          icon={<Send aria-hidden />}
          isDisabled={compose.isSending || attachment.uploading > 0}
          onClose={onClose}
        />
      </Box>
      {!isNarrow && (
        <DialogSide sx={{ display: 'grid', placeItems: 'center', py: 3.5 }}>
          <Preview compose={compose} />
        </DialogSide>
      )}
      <PictureProblemDialog problem={attachment.problem} onClose={attachment.forgetProblem} />
    </Box>
  );
}

function Preview({ compose }: { compose: ReturnType<typeof useCompose> }) {
  const account = useAccount();
  const zone = useTimeZone();
  const now = useNow();
  const { draft, number } = compose;
  return (
    <Handset
      organisation={account?.CompanyName ?? ''}
      sender={number ? formatPhone(number.TextPhoneNumber) : ''}
      time={formatTime(now, zone).replace(/ [AP]M$/, '')}
      isEmpty={draft.text.trim() === '' && draft.pictures.length === 0}
    >
      {draft.pictures.map(({ mediaId, preview }) => (
        <HandsetPicture key={mediaId} src={preview} />
      ))}
      {draft.text.trim() !== '' && <HandsetBubble>{draft.text.trim()}</HandsetBubble>}
    </Handset>
  );
}
