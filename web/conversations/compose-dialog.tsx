import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import IconButton from '@mui/material/IconButton';
import MenuItem from '@mui/material/MenuItem';
import OutlinedInput from '@mui/material/OutlinedInput';
import Select from '@mui/material/Select';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { Send, X } from 'lucide-react';
import { useState } from 'react';
import { composeMessages } from '../../contract/forms/compose-text.ts';
import type { TextNumber } from '../../contract/numbers.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { messageTooLong } from '../../contract/text/text-length.ts';
import { useAccount, useTimeZone } from '../queries/current-user.ts';
import { Field } from '../ui/field.tsx';
import { formatCount, formatTime } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
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
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down('sm'));
  return (
    <Dialog
      open={isOpen}
      onClose={onClose}
      fullScreen={isPhone}
      maxWidth={false}
      aria-labelledby="compose-title"
      slotProps={{ paper: { sx: { width: { xs: '100%', sm: 576, md: 904 } } } }}
    >
      <ComposeForm onClose={onClose} {...rest} />
    </Dialog>
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
        <Box
          sx={{
            display: 'flex',
            alignItems: 'center',
            pl: { xs: 2, sm: 4 },
            pr: { xs: 1, sm: 3 },
            pt: { xs: 1, sm: 2.5 },
          }}
        >
          <Typography id="compose-title" variant="h1" component="h2" sx={{ flex: 1 }}>
            New conversation
          </Typography>
          <IconButton aria-label="Close" onClick={onClose}>
            <X />
          </IconButton>
        </Box>
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
          <Box
            sx={{
              flex: 1,
              minHeight: 0,
              overflowY: 'auto',
              display: 'flex',
              flexDirection: 'column',
              gap: 2.5,
              px: { xs: 2, sm: 4 },
              py: 2.5,
            }}
          >
            {errors.form && <Notice kind="error">{errors.form}</Notice>}
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
          </Box>
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
        <Box
          sx={{
            display: 'flex',
            justifyContent: 'flex-end',
            gap: 1,
            px: { xs: 2, sm: 4 },
            py: { xs: 1.5, sm: 2 },
            borderTop: '1px solid',
            borderColor: 'line.hair',
          }}
        >
          <Button variant="text" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            variant="contained"
            color="primary"
            disabled={compose.isSending || attachment.uploading > 0}
            startIcon={<Send aria-hidden />}
          >
            {compose.isSending ? 'Sending' : 'Send'}
          </Button>
        </Box>
      </Box>
      {!isNarrow && (
        <Box
          sx={{
            width: 328,
            flex: 'none',
            display: 'grid',
            placeItems: 'center',
            py: 3.5,
            bgcolor: 'surface.sunken',
            borderLeft: '1px solid',
            borderColor: 'line.hair',
            overflowY: 'auto',
          }}
        >
          <Preview compose={compose} />
        </Box>
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
