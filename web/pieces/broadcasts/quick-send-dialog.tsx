/** Quick send: one text to a few people in one step, from a saved text or to a group. */

import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import IconButton from '@mui/material/IconButton';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import Skeleton from '@mui/material/Skeleton';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { ChevronLeft, ChevronRight, Megaphone, Send } from 'lucide-react';
import { useState } from 'react';
import { composeMessages } from '../../../contract/forms/compose-text.ts';
import { quickSendTemplateName } from '../../../contract/forms/quick-send.ts';
import type { List } from '../../../contract/lists.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import type { QuickSendPreview } from '../../../contract/quick-send.ts';
import { errorCatalog } from '../../../contract/reference/error-catalog.ts';
import { limits } from '../../../contract/reference/limits.ts';
import type { Template } from '../../../contract/templates.ts';
import { shownMessage } from '../../api.ts';
import { fullName, useAccount, useTimeZone } from '../../queries/current-user.ts';
import { useStartBroadcast } from '../../queries/start-broadcast.ts';
import { DialogBody, DialogFoot, DialogHead, DialogSide } from '../../ui/dialog-parts.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { countOf, formatTime } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { useNow } from '../../ui/now.ts';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { textNumberLine } from '../numbers/text-number-names.ts';
import { Handset, HandsetBubble, HandsetPicture } from '../texts/handset.tsx';
import { withSignature } from '../texts/text-rules.ts';
import { TextWarnings } from '../texts/text-warnings.tsx';
import { QuickSendTo } from './quick-send-to.tsx';
import { QuickTextBox } from './quick-text-box.tsx';
import { peopleWords, SendCost, startWords } from './send-figures.tsx';
import { type QuickSend, type QuickTo, useQuickSend } from './use-quick-send.ts';

interface QuickSendDialogProps {
  isOpen: boolean;
  /** The group or segment that it was opened at. */
  list?: List | undefined;
  /** The saved text that it was opened at. */
  template?: Template | undefined;
  onClose: () => void;
  /** Called when it was sent, or continues as a broadcast. */
  onSent?: () => void;
}

export function QuickSendDialog({ isOpen, onClose, ...rest }: QuickSendDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} width={576} hasSide isFullOnPhone isKeptOnClickBeside>
      <QuickSendForm onClose={onClose} {...rest} />
    </FormDialog>
  );
}

function toOf(list: List | undefined): readonly QuickTo[] {
  if (!list) return [];
  return [{ kind: 'group', id: list.ListID, name: list.ListName, count: list.RosterCount }];
}

function QuickSendForm({ list, template, onClose, onSent }: Omit<QuickSendDialogProps, 'isOpen'>) {
  const close = () => {
    onClose();
    onSent?.();
  };
  const quick = useQuickSend({ to: toOf(list), template, onSent: close });
  const isNarrow = useMediaQuery((theme) => theme.breakpoints.down('md'));
  const [tab, setTab] = useState<'write' | 'preview'>('write');
  const { preview, isTooMany } = quick;
  const title = template ? `Quick send: ${quickSendTemplateName(template.TemplateName)}` : 'Quick send';
  const isReady = preview !== undefined && quick.isFresh && preview.Good > 0;
  return (
    <Box
      component="form"
      noValidate
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        setTab('write');
        void quick.send();
      }}
      sx={{ display: 'flex', minHeight: 0, flex: 1 }}
    >
      <Box sx={{ flex: 1, minWidth: 0, display: 'flex', flexDirection: 'column' }}>
        <DialogHead title={title} onClose={onClose} />
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
          <DialogBody gap={2.5} problem={quick.errors.form}>
            <Box>
              <QuickSendTo
                value={quick.to}
                count={isTooMany ? undefined : preview?.Total}
                error={quick.errors.to}
                isFirst={quick.to.length === 0}
                onChange={quick.setTo}
              />
              {preview && !isTooMany && <Remarks preview={preview} />}
            </Box>
            {isTooMany && <TooMany quick={quick} onStarted={close} />}
            {quick.previewError && !preview && (
              <RetryNotice onRetry={quick.retryPreview}>
                {shownMessage(quick.previewError, 'There was an error getting your recipients.')}
              </RetryNotice>
            )}
            <FromField quick={quick} />
            <QuickTextBox quick={quick} isFirst={quick.to.length > 0} />
            {template && template.Media.length > 1 && quick.picture && (
              <Typography variant="caption" sx={{ color: 'text.secondary' }}>
                A broadcast can have one picture. Only the first of {template.Media.length} is sent.
              </Typography>
            )}
            <TextWarnings text={quick.text} />
            {quick.hasSignature && (
              <FormControlLabel
                control={<Checkbox checked={quick.isSigned} onChange={(_, isOn) => quick.setSigned(isOn)} />}
                label="Add my signature"
              />
            )}
            {quick.hasLink && (
              <FormControlLabel
                control={<Checkbox checked={quick.isShort} onChange={(_, isOn) => quick.setShort(isOn)} />}
                label="Shorten links, and count who opens them"
              />
            )}
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
            <Preview quick={quick} />
          </Box>
        )}
        {!isTooMany && <Figures quick={quick} />}
        <DialogFoot
          action={
            quick.isSending
              ? 'Sending'
              : isReady
                ? `Send to ${countOf(preview.Good, 'person', 'people')}`
                : 'Send'
          }
          icon={<Send aria-hidden />}
          isDisabled={quick.isSending || isTooMany || (quick.to.length > 0 && !quick.isFresh)}
          onClose={onClose}
        />
      </Box>
      {!isNarrow && (
        <DialogSide sx={{ display: 'grid', placeItems: 'center', py: 3.5 }}>
          <Preview quick={quick} />
        </DialogSide>
      )}
    </Box>
  );
}

/** More than quick send takes get the same text as a broadcast, which shows them all before it goes out. */
function TooMany({ quick, onStarted }: { quick: QuickSend; onStarted: () => void }) {
  const { isStarting, withEveryone } = useStartBroadcast();
  const { to, body } = quick;
  const [only] = to;
  const goOn = async () => {
    const { TextMessage, Media, IncludeSignature, ShortenLinks, TemplateID, TextNumberID } = body;
    const begun = await withEveryone(
      {
        listIds: body.Lists.map(({ ListID }) => ListID),
        personIds: body.People.map(({ PersonID }) => PersonID),
      },
      {
        TextMessage,
        Media,
        IncludeSignature,
        ShortenLinks,
        TemplateID,
        ...(TextNumberID === null ? {} : { TextNumberID }),
      },
    );
    if (begun) onStarted();
  };
  return (
    <Notice
      kind="warning"
      title={
        to.length === 1 && only?.kind === 'group'
          ? `${only.name} has ${countOf(only.count, 'person', 'people')}`
          : `That’s more than ${limits.conversationRecipients} people`
      }
    >
      Quick send can reach up to {limits.conversationRecipients} people. Send this text as a broadcast
      instead. You’ll see who gets it before you send.
      <Box sx={{ mt: 1 }}>
        <Button
          size="small"
          startIcon={<Megaphone aria-hidden />}
          disabled={isStarting}
          onClick={() => void goOn()}
        >
          Continue as a broadcast
        </Button>
      </Box>
    </Notice>
  );
}

/** The people who get nothing, and why, and those whose text lacks something. */
function Remarks({ preview }: { preview: QuickSendPreview }) {
  const said = preview.Recipients.map((one) => ({
    one,
    isLeftOut: one.Problem !== null,
    words: one.Problem === null ? one.Remark : one.PrimaryPhoneError,
  })).filter(({ words }) => words !== '');
  if (said.length === 0) return null;
  return (
    <Box
      component="ul"
      aria-label="Notes about recipients"
      sx={{ p: 0, mt: '6px', mb: 0, listStyle: 'none' }}
    >
      {said.map(({ one, isLeftOut, words }) => (
        <Typography
          key={one.PersonID ?? one.PrimaryPhone}
          component="li"
          variant="caption"
          sx={{ display: 'block', color: isLeftOut ? 'error.main' : 'text.secondary' }}
        >
          {fullName(one) || formatPhone(one.PrimaryPhone)}: {words}
        </Typography>
      ))}
    </Box>
  );
}

function FromField({ quick }: { quick: QuickSend }) {
  const { numbers, number, errors } = quick;
  if (numbers.error)
    return (
      <RetryNotice onRetry={numbers.reload}>
        {shownMessage(numbers.error, errorCatalog.textNumbers)}
      </RetryNotice>
    );
  if (!numbers.isPending && numbers.usable.length === 0)
    return <Notice kind="warning">None of your text numbers can send broadcasts.</Notice>;
  return (
    <Field label="From" error={errors.number}>
      {({ id, ...aria }) =>
        numbers.isPending ? (
          <Skeleton variant="rounded" height={36} />
        ) : (
          <Select
            id={id}
            displayEmpty
            value={number?.TextNumberID ?? ''}
            error={errors.number !== undefined}
            onChange={({ target }) => quick.setNumber(Number(target.value))}
            SelectDisplayProps={{ ...aria, 'aria-label': 'From' }}
            renderValue={() => (number ? textNumberLine(number) : composeMessages.noTextNumber)}
          >
            {numbers.usable.map((one) => (
              <MenuItem key={one.TextNumberID} value={one.TextNumberID}>
                {textNumberLine(one)}
              </MenuItem>
            ))}
          </Select>
        )
      }
    </Field>
  );
}

/** The recipients, the cost and the time, in one line above the buttons. */
function Figures({ quick }: { quick: QuickSend }) {
  const zone = useTimeZone();
  const now = useNow();
  const { preview, to, isFresh } = quick;
  if (to.length === 0) return null;
  return (
    <Box
      role="status"
      aria-label="Cost and timing"
      aria-busy={!isFresh}
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        columnGap: 2,
        rowGap: 0.5,
        px: { xs: 2, sm: 4 },
        py: 1.25,
        borderTop: '1px solid',
        borderColor: 'line.hair',
        bgcolor: 'surface.sunken',
        typography: 'body2',
        color: 'text.secondary',
        fontVariantNumeric: 'tabular-nums',
        opacity: isFresh ? 1 : 0.6,
      }}
    >
      {preview ? (
        <>
          <span>{peopleWords(preview)}</span>
          {quick.body.TextMessage !== '' && <SendCost preview={preview} />}
          <span>{startWords(preview, now, zone)}</span>
        </>
      ) : (
        <Skeleton width={220} />
      )}
    </Box>
  );
}

/** The text on a telephone, as each of them will get it. */
function Preview({ quick }: { quick: QuickSend }) {
  const account = useAccount();
  const zone = useTimeZone();
  const now = useNow();
  const [chosen, setChosen] = useState(0);
  const { preview, number, picture, signatureText } = quick;
  const going = (preview?.Recipients ?? []).filter(({ Problem }) => Problem === null);
  const place = Math.min(chosen, Math.max(0, going.length - 1));
  const recipient = going[place];
  const text = quick.text.trim();
  const words = text === '' ? '' : recipient?.TextMessage || withSignature(text, signatureText);
  return (
    <Box sx={{ display: 'grid', justifyItems: 'center', gap: 1.5 }}>
      <Handset
        organization={account?.CompanyName ?? ''}
        sender={number ? formatPhone(number.TextPhoneNumber) : ''}
        time={formatTime(now, zone).replace(/\s[ap]\.?\s?m\.?$/i, '')}
        isEmpty={text === '' && !picture}
      >
        {picture && <HandsetPicture src={picture.preview} />}
        {words !== '' && <HandsetBubble>{words}</HandsetBubble>}
      </Handset>
      {going.length > 1 && recipient && (
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5 }}>
          <IconButton
            aria-label="Previous recipient"
            disabled={place === 0}
            onClick={() => setChosen(place - 1)}
          >
            <ChevronLeft size={16} />
          </IconButton>
          <Typography
            variant="caption"
            aria-live="polite"
            sx={{ color: 'text.secondary', minWidth: 150, textAlign: 'center' }}
          >
            {place + 1} of {going.length}: {fullName(recipient) || formatPhone(recipient.PrimaryPhone)}
          </Typography>
          <IconButton
            aria-label="Next recipient"
            disabled={place >= going.length - 1}
            onClick={() => setChosen(place + 1)}
          >
            <ChevronRight size={16} />
          </IconButton>
        </Box>
      )}
    </Box>
  );
}
