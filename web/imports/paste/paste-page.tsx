import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useEffect, useRef, useState } from 'react';
import { pasteContacts } from '../../../contract/addresses/imports.gen.ts';
import type { Reply } from '../../../contract/call.ts';
import { type PasteStep, pasteContactsDialog } from '../../../contract/states/dialogs.ts';
import { next } from '../../../contract/states/machine.ts';
import { confirmConsent } from '../../../contract/uploads/file-name.ts';
import { ApiError, callApi, fieldMessages, newIdempotencyKey, shownMessage } from '../../api.ts';
import { useAccount } from '../../queries/current-user.ts';
import { countOf, formatCount } from '../../ui/format.ts';
import { say } from '../../ui/say.ts';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { BackButton, StepHead, StepProblem, WizardFrame } from '../../ui/wizard-frame.tsx';
import { WhereCard } from '../file/where-card.tsx';
import type { ImportDraft } from '../import-draft.ts';
import { useImportTarget } from '../import-target.ts';
import { groupIdOf } from '../use-import.ts';
import { PasteComplete } from './paste-complete.tsx';
import { PasteEdit } from './paste-edit.tsx';
import { PasteReview } from './paste-review.tsx';
import { type CheckedRow, checkRows, type PasteRow, readPaste } from './paste-rows.ts';
import { PasteText } from './paste-text.tsx';
import { PasteView } from './paste-view.tsx';
import { usePasteToDraft } from './use-paste-to-draft.ts';

const steps = [say('Paste'), say('Check'), say('Add')] as const;
const stepIndexOf: Record<PasteStep, number> = {
  PASTE: 0,
  PARSE: 1,
  REVIEW: 1,
  EDIT: 1,
  IMPORT: 2,
  VIEW: 3,
  COMPLETE: 3,
};

/** As many as the call takes at once. Longer lists have to be imported as files. */
const mostPasted = 5_000;

export type PasteResult = Reply<typeof pasteContacts> & { ListID: number; sent: CheckedRow[] };

/** Reads contacts, or recipients of a broadcast, from any mess of names and numbers. */
export function PastePage() {
  const paste = usePaste();
  const { step, go, checked, problem } = paste;
  const good = checked.filter(({ state }) => state === 'good');
  const { draftId, leave } = useImportTarget();
  const isForDraft = draftId !== undefined;
  const frame = {
    title: isForDraft ? 'Paste recipients' : 'Paste contacts',
    steps: isForDraft ? steps.slice(0, 2) : steps,
    at: stepIndexOf[step],
    onClose: () => void leave(),
  };
  const forward = isForDraft
    ? {
        label: `Add ${countOf(good.length, 'recipient', 'recipients')}`,
        onPress: () => void paste.addToDraft(),
      }
    : { label: `Next: Add ${countOf(good.length, 'contact', 'contacts')}`, onPress: undefined };
  const notice = <StepProblem problem={problem} />;
  switch (step) {
    case 'PASTE':
    case 'PARSE':
      return (
        <WizardFrame
          {...frame}
          forward={
            <Button variant="contained" color="primary" disabled={step === 'PARSE'} onClick={paste.read}>
              Next: Check
            </Button>
          }
        >
          {notice}
          {step === 'PASTE' ? (
            <PasteText text={paste.text} onChange={paste.setText} />
          ) : (
            <>
              <StepHead title="Reading your list" />
              <SkeletonRows rows={8} />
            </>
          )}
        </WizardFrame>
      );
    case 'REVIEW':
      return (
        <WizardFrame
          {...frame}
          back={<BackButton onPress={() => go('back')} />}
          forward={
            <>
              <Button onClick={() => go('next')}>Edit</Button>
              <Button
                variant="contained"
                color="primary"
                disabled={good.length === 0 || paste.isBusy}
                onClick={forward.onPress ?? (() => go('skip edit'))}
              >
                {forward.label}
              </Button>
            </>
          }
        >
          {notice}
          <PasteReview text={paste.text} rows={checked} onEdit={() => go('next')} />
        </WizardFrame>
      );
    case 'EDIT':
      return (
        <WizardFrame
          {...frame}
          back={<BackButton onPress={() => go('back')} />}
          forward={
            <Button
              variant="contained"
              color="primary"
              disabled={good.length === 0 || paste.isBusy}
              onClick={forward.onPress ?? (() => go('next'))}
            >
              {forward.label}
            </Button>
          }
        >
          {notice}
          <PasteEdit rows={checked} onChange={paste.setRows} />
        </WizardFrame>
      );
    case 'IMPORT':
      return (
        <WizardFrame
          {...frame}
          // The dialog's only way back from here.
          back={<BackButton onPress={() => go('fail')} />}
          forward={
            <Button
              variant="contained"
              color="primary"
              disabled={paste.isBusy}
              onClick={() => void paste.add(good)}
            >
              Add {countOf(good.length, 'contact', 'contacts')}
            </Button>
          }
        >
          <Box sx={{ maxWidth: 480, mx: 'auto' }}>
            <StepHead
              title="Where should we add them?"
              sentence="People already in your contacts are only added to the group."
            />
            <WhereCard
              draft={paste.where}
              onDraft={paste.changeWhere}
              consentError={paste.isTried && !paste.where.Consent ? confirmConsent : undefined}
            />
          </Box>
        </WizardFrame>
      );
    case 'VIEW':
      return (
        <WizardFrame
          {...frame}
          forward={
            <Button variant="contained" color="primary" onClick={() => go('next')}>
              Done
            </Button>
          }
        >
          {paste.result && <PasteView result={paste.result} />}
        </WizardFrame>
      );
    case 'COMPLETE':
      return (
        <WizardFrame {...frame}>
          {paste.result && <PasteComplete result={paste.result} onAgain={paste.startAgain} />}
        </WizardFrame>
      );
  }
}

function usePaste() {
  const countryId = useAccount()?.CountryID ?? 1;
  const toDraft = usePasteToDraft();
  const [step, setStep] = useState<PasteStep>(pasteContactsDialog.initial);
  const [text, setText] = useState('');
  const [rows, setRows] = useState<PasteRow[]>([]);
  // The text that the rows were read from, so that going back and forth keeps the fixes.
  const readFrom = useRef<string>(undefined);
  const [where, setWhere] = useState<Pick<ImportDraft, 'Group' | 'Consent'>>({ Group: null, Consent: false });
  const [problem, setProblem] = useState<string>();
  const [isTried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<PasteResult>();
  // Pressing again after a failure retries the same paste.
  const keys = useRef({ list: '', paste: '', body: '' });
  const go = (event: 'next' | 'back' | 'skip edit' | 'fail') => {
    setProblem(undefined);
    setStep((before) => next(pasteContactsDialog, before, event));
  };

  useEffect(() => {
    if (step !== 'PARSE') return;
    // Runs after the page shows that it is reading, because a long list takes a moment.
    const timer = setTimeout(() => {
      const isRead = readFrom.current === text && rows.length > 0;
      const found = isRead ? rows : readPaste(text, countryId);
      const reason = pasteProblem(found.length);
      readFrom.current = text;
      setRows(found);
      setProblem(reason);
      setStep(next(pasteContactsDialog, 'PARSE', reason ? 'fail' : 'next'));
    }, 0);
    return () => clearTimeout(timer);
  }, [step, text, rows, countryId]);

  const add = async (good: CheckedRow[]) => {
    setTried(true);
    if (!where.Consent || good.length === 0) return;
    const Items = good.map(({ name, number }) => ({ Name: name.trim(), PrimaryPhone: number.trim() }));
    const body = { Items, UserIndicatedConsentDeclared: where.Consent };
    const asText = JSON.stringify([body, where.Group]);
    if (keys.current.body !== asText)
      keys.current = { list: newIdempotencyKey(), paste: newIdempotencyKey(), body: asText };
    setBusy(true);
    try {
      const ListID = await groupIdOf(where.Group, keys.current.list);
      const reply = await callApi(
        pasteContacts,
        { params: { ListID }, body },
        { idempotencyKey: keys.current.paste, missing: 'refuse' },
      );
      setResult({ ...reply, ListID, sent: good });
      go('next');
    } catch (error) {
      // A refusal had no effect, so the next try is a new one; anything else may have arrived.
      if (error instanceof ApiError && error.status < 500) keys.current.body = '';
      go('fail');
      setProblem(
        Object.values(fieldMessages(error))[0] ??
          shownMessage(error, 'There was an error adding your contacts.'),
      );
    } finally {
      setBusy(false);
    }
  };

  return {
    step,
    go,
    addToDraft: () => toDraft.add(checkedRows(rows, countryId, step)),
    text,
    setText: (next: string) => {
      setProblem(undefined);
      setText(next);
    },
    /** Continues to PARSE, unless there is nothing to read. */
    read: () => (text.trim() === '' ? setProblem('Paste at least one phone number.') : go('next')),
    checked: checkedRows(rows, countryId, step),
    setRows,
    where,
    changeWhere: (by: Partial<typeof where>) => setWhere((before) => ({ ...before, ...by })),
    problem: problem ?? toDraft.problem,
    isTried,
    isBusy: isBusy || toDraft.isBusy,
    add,
    result,
    startAgain: () => {
      setText('');
      setRows([]);
      setResult(undefined);
      setTried(false);
      setWhere({ Group: null, Consent: false });
      setStep(pasteContactsDialog.initial);
    },
  };
}

/** Nothing is checked before the list is read, so typing stays fast. */
function checkedRows(rows: readonly PasteRow[], countryId: number, step: PasteStep): CheckedRow[] {
  return step === 'PASTE' || step === 'PARSE' ? [] : checkRows(rows, countryId);
}

function pasteProblem(count: number): string | undefined {
  if (count === 0) return 'Paste at least one phone number.';
  if (count > mostPasted)
    return `You can paste up to ${formatCount(mostPasted)} contacts at a time. This list has ${formatCount(count)}. Import it as a file instead.`;
  return undefined;
}
