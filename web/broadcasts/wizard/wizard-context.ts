import { createContext, useContext } from 'react';
import type { DraftBroadcast } from '../../../contract/drafts.ts';
import type { WizardStep } from '../../../contract/states/broadcast-wizard.ts';

/** What the frame around the steps knows and does. */
export interface Wizard {
  draft: DraftBroadcast;
  step: WizardStep;
  /** The step that shows at once what is missing on it, because somebody wanted to go further. */
  tried: WizardStep | undefined;
  /** Somebody has said that these are the people to call; of texts always true. */
  isRecipientsConfirmed: boolean;
  confirmRecipients: (isConfirmed: boolean) => void;
  /** By step, from the first. */
  done: readonly boolean[];
  isSaving: boolean;
  savedAt: number | undefined;
  /** Why the last change is not kept. */
  saveError: string | undefined;
  /** Tries to keep it at once. */
  retry: () => void;
  /** To another step, once everything is kept; never further than what is complete allows. */
  goTo: (step: WizardStep) => void;
  /** Keeps everything and leads to the broadcasts. */
  close: () => void;
}

export const WizardContext = createContext<Wizard | undefined>(undefined);

export function useWizard(): Wizard {
  const wizard = useContext(WizardContext);
  if (!wizard) throw new Error('useWizard must be used inside the wizard.');
  return wizard;
}
