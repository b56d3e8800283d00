import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import Chip from '@mui/material/Chip';
import FormControlLabel from '@mui/material/FormControlLabel';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { CalendarClock, Megaphone, Send } from 'lucide-react';
import { useState } from 'react';
import { composeMessages } from '../../contract/forms/compose-text.ts';
import type { TextNumber } from '../../contract/numbers.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { textNumberLine } from '../pieces/numbers/text-number-names.ts';
import {
  TextNumberAdviceNotice,
  useCreditAdvice,
  useTextNumberAdvice,
} from '../pieces/numbers/texting-advice.tsx';
import { PictureProblemDialog, useAttachPictures } from '../pieces/texts/attach-pictures.tsx';
import { TextWarnings } from '../pieces/texts/text-warnings.tsx';
import { useAccount, useTimeZone } from '../queries/current-user.ts';
import type { Begun, NewConversation } from '../queries/new-conversation.ts';
import { DialogBody, DialogFoot, DialogHead, DialogSide } from '../ui/dialog-parts.tsx';
import { Field, TextField } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { formatCount, zoneName } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import { ComposeOutcome } from './compose-outcome.tsx';
import { ComposePreview } from './compose-preview.tsx';
import { ComposeText } from './compose-text.tsx';
import { RecipientsField } from './recipients-field.tsx';
import { type Compose, useCompose } from './use-compose.ts';

interface ComposeDialogProps {
  isOpen: boolean;
  numbers: readonly TextNumber[];
  /** The sending number at first: the one whose conversations are shown, otherwise the default. */
  textNumberId: number | undefined;
  /** A phone to start with in To. */
  to: string | undefined;
  /** Contacts to start with in To. */
  people: readonly number[];
  edited: NewConversation | undefined;
  onBegin: (written: NewConversation, closed: AbortSignal) => Promise<Begun>;
  onClose: () => void;
  onSent: (conversationId: number) => void;
}

export function ComposeDialog({ isOpen, onClose, ...rest }: ComposeDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} width={576} hasSide isFullOnPhone isKeptOnClickBeside>
      <ComposeForm onClose={onClose} {...rest} />
    </FormDialog>
  );
}

function ComposeForm({ onClose, ...options }: Omit<ComposeDialogProps, 'isOpen'>) {
  const compose = useCompose({ ...options, onClose });
  const isNarrow = useMediaQuery((theme) => theme.breakpoints.down('md'));
  const [tab, setTab] = useState<'write' | 'preview'>('write');
  const attachment = useAttachPictures({
    count: compose.draft.pictures.length,
    onAdd: (picture) =>
      compose.changeDraft((before) => ({ ...before, pictures: [...before.pictures, picture] })),
  });
  const numberAdvice = useTextNumberAdvice(options.numbers, 'texts');
  const creditAdvice = useCreditAdvice(compose.number);
  if (compose.outcome) return <ComposeOutcome outcome={compose.outcome} onClose={onClose} />;
  return (
    <Box
      component="form"
      noValidate
      aria-label="New conversation"
      onSubmit={(event) => {
        event.preventDefault();
        setTab('write');
        if (attachment.uploading > 0) return;
        void (compose.isBroadcast ? compose.startBroadcast() : compose.send());
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
        {!isNarrow || tab === 'write' ? (
          <DialogBody gap={2.5} problem={compose.errors.form}>
            <ToField compose={compose} />
            {numberAdvice ? (
              <TextNumberAdviceNotice advice={numberAdvice} />
            ) : (
              <FromField compose={compose} numbers={options.numbers} />
            )}
            {!numberAdvice && creditAdvice && <Notice kind="warning">{creditAdvice}</Notice>}
            <ComposeText compose={compose} attachment={attachment} />
            <TextWarnings
              text={compose.draft.text}
              keepsCharacters={compose.draft.keepsCharacters}
              onKeep={(keepsCharacters) => compose.changeDraft((before) => ({ ...before, keepsCharacters }))}
            />
            {compose.hasSignature && (
              <FormControlLabel
                control={
                  <Checkbox checked={compose.isSigned} onChange={(_, isOn) => compose.setSigned(isOn)} />
                }
                label="Add my signature"
              />
            )}
            {!compose.isBroadcast && <WhenField compose={compose} />}
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
            <ComposePreview compose={compose} />
          </Box>
        )}
        <DialogFoot
          {...mainAction(compose)}
          isDisabled={compose.isSending || compose.isStartingBroadcast || attachment.uploading > 0}
          onClose={onClose}
        />
      </Box>
      {!isNarrow && (
        <DialogSide sx={{ display: 'grid', placeItems: 'center', py: 3.5 }}>
          <ComposePreview compose={compose} />
        </DialogSide>
      )}
      <PictureProblemDialog problem={attachment.problem} onClose={attachment.forgetProblem} />
    </Box>
  );
}

/** The main button. Too many people for a conversation means a broadcast. */
function mainAction({ isBroadcast, startAt, isSending }: Compose) {
  if (isBroadcast) return { action: 'Start a broadcast', icon: <Megaphone aria-hidden /> };
  if (startAt !== undefined) return { action: 'Schedule', icon: <CalendarClock aria-hidden /> };
  return { action: isSending ? 'Sending' : 'Send', icon: <Send aria-hidden /> };
}

function ToField({ compose }: { compose: Compose }) {
  const account = useAccount();
  const { recipients, preview, isBroadcast } = compose;
  const said = recipients.map((recipient, index) => ({
    recipient,
    words: preview[index]?.Error ?? '',
    // They still get it, with missing data left empty.
    isSent: preview[index]?.TemplateMergeMessageStatus === 'MissingData',
  }));
  const shown = said.filter(({ words }) => words !== '');
  const problems = new Map(
    shown.filter(({ isSent }) => !isSent).map(({ recipient, words }) => [recipient, words]),
  );
  return (
    <Box>
      <RecipientsField
        value={recipients}
        typed={compose.typed}
        error={
          compose.errors.to ??
          (compose.isTooMany && !compose.canBroadcast ? composeMessages.tooManyRecipients : undefined)
        }
        problems={problems}
        countryId={account?.CountryID ?? 1}
        onAdd={compose.add}
        onAddGroup={compose.canBroadcast ? compose.addGroup : undefined}
        onChange={compose.setRecipients}
        onType={compose.setTyped}
      />
      {isBroadcast && <BroadcastInstead compose={compose} />}
      {(recipients.length > 1 ? shown.length : problems.size) > 0 && (
        <Box component="ul" aria-label="Remarks" sx={{ p: 0, mt: '6px', listStyle: 'none' }}>
          {shown.map(({ recipient: { name, phone }, words, isSent }) => (
            <Typography
              key={phone}
              component="li"
              variant="caption"
              sx={{ color: isSent ? 'text.secondary' : 'error.main', display: 'block' }}
            >
              {name || formatPhone(phone)}: {words}
            </Typography>
          ))}
        </Box>
      )}
    </Box>
  );
}

/** Offers a broadcast when there are too many people for a conversation. Text and recipients carry over. */
function BroadcastInstead({ compose }: { compose: Compose }) {
  const { groups, count } = compose;
  return (
    <Box sx={{ mt: 1 }}>
      <Notice icon={Megaphone} title={`For ${formatCount(count)} people, use a broadcast`}>
        Your text and recipients carry over. Nothing is sent yet.
        {groups.length > 0 && (
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: '4px', mt: 1 }}>
            {groups.map(({ ListID, ListName, RosterCount }) => (
              <Chip
                key={ListID}
                size="small"
                label={`${ListName} · ${formatCount(RosterCount)}`}
                onDelete={() => compose.removeGroup(ListID)}
              />
            ))}
          </Box>
        )}
      </Notice>
    </Box>
  );
}

function FromField({ compose, numbers }: { compose: Compose; numbers: readonly TextNumber[] }) {
  const { number, errors } = compose;
  return (
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
            <MenuItem key={one.TextNumberID} value={one.TextNumberID} disabled={!one.CanText}>
              {textNumberLine(one)}
            </MenuItem>
          ))}
        </Select>
      )}
    </Field>
  );
}

function WhenField({ compose }: { compose: Compose }) {
  const zone = useTimeZone();
  const { startAt } = compose;
  return (
    <Box sx={{ display: 'grid', gap: 1 }}>
      <FormControlLabel
        control={<Checkbox checked={startAt !== undefined} onChange={(_, isOn) => compose.setLater(isOn)} />}
        label="Schedule for later"
      />
      {startAt !== undefined && (
        <TextField
          label="Start Time"
          type="datetime-local"
          value={startAt}
          error={compose.errors.start}
          help={zoneName(zone)}
          onChange={(event) => compose.setStartAt(event.target.value)}
          sx={{ maxWidth: 260 }}
        />
      )}
    </Box>
  );
}
