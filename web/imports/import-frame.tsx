import type { FileUpload } from '../../contract/imports.ts';
import { importStations } from './import-steps.ts';
import { WizardFrame, type WizardFrameProps } from './wizard-frame.tsx';

type ImportFrameProps = Omit<WizardFrameProps, 'title' | 'subtitle' | 'stations'> & { file?: FileUpload };

/** The frame of every step on a file's way into the contacts. */
export function ImportFrame({ file, ...rest }: ImportFrameProps) {
  return (
    <WizardFrame
      title="Import contacts"
      stations={importStations}
      {...(file ? { subtitle: file.FileName } : {})}
      {...rest}
    />
  );
}
