import type { FileStage } from '../../contract/imports.ts';
import {
  type FileUploadEvent,
  type FileUploadStep,
  fileUploadDialog,
} from '../../contract/states/dialogs.ts';
import { next } from '../../contract/states/machine.ts';
import { say } from '../ui/say.ts';
import type { ImportSearch } from './import-address.ts';

const stepOfStage: Record<FileStage, FileUploadStep> = {
  mapping: 'METADATA',
  processing: 'PROCESS',
  review: 'REVIEW',
  importing: 'IMPORT',
  imported: 'IMPORT',
  undoing: 'IMPORT',
  undone: 'IMPORT',
  canceled: 'SELECT',
  failed: 'METADATA',
};

const eventOfSearch = { columns: 'back', edit: 'edit', rows: 'view' } as const satisfies Record<
  NonNullable<ImportSearch['step']>,
  FileUploadEvent
>;

/**
 * The file's stage decides; the address only counts where the dialog can go there from the stage's step. So
 * an old address of a file that is being imported shows the import.
 */
export function stepOf(stage: FileStage, { step }: ImportSearch): FileUploadStep {
  const atStage = stepOfStage[stage];
  if (step === undefined || atStage !== 'REVIEW') return atStage;
  return next(fileUploadDialog, atStage, eventOfSearch[step]);
}

/** The four steps that the head shows, and the position of each step among them. */
export const importSteps = ['Choose file', 'Match columns', say('Check'), say('Import')] as const;
/** Into a broadcast: rows are added right after the check. */
export const draftSteps = ['Choose file', 'Match columns', say('Check')] as const;

const stepIndexOf: Record<FileUploadStep, number> = {
  SELECT: 0,
  METADATA: 1,
  PROCESS: 2,
  REVIEW: 2,
  EDIT: 2,
  SAVING: 2,
  VIEW: 2,
  IMPORT: 3,
};

/** An import that has ended has passed its last step. */
export function stepIndexAt(step: FileUploadStep, stage?: FileStage): number {
  return stage === 'imported' || stage === 'undone' ? importSteps.length : stepIndexOf[step];
}
