import { createContext, useContext } from 'react';
import type { DraftBroadcast } from '../../../contract/drafts.ts';
import type { WizardStep } from '../../../contract/states/broadcast-wizard.ts';

/** The state and the functions of the frame around the steps. */
export interface Wizard {
  draft: DraftBroadcast;
  step: WizardStep;
  /** The step that shows its missing input at once, because somebody tried to go further. */
  tried: WizardStep | undefined;
  /** Somebody has confirmed that these are the people to call; always true for texts. */
  isRecipientsConfirmed: boolean;
  confirmRecipients: (isConfirmed: boolean) => void;
  /** By step, from the first. */
  done: readonly boolean[];
  isSaving: boolean;
  savedAt: number | undefined;
  /** Reason why the last change isn't saved. */
  saveError: string | undefined;
  /** Tries to save it at once. */
  retry: () => void;
  /** Goes to another step once everything is saved; never beyond the first incomplete step. */
  goTo: (step: WizardStep) => void;
  /** Saves everything and opens the list of broadcasts. */
  close: () => void;
}

export const WizardContext = createContext<Wizard | undefined>(undefined);

export function useWizard(): Wizard {
  const wizard = useContext(WizardContext);
  if (!wizard) throw new Error('useWizard must be used inside the wizard.');
  return wizard;
}
