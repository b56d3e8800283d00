import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { FileSpreadsheet, Upload } from 'lucide-react';
import { type DragEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { type FileUpload, importLimits } from '../../../contract/imports.ts';
import { formatCount } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { acceptedFiles, fileProblem, formatBytes, sendFile, uploadProblem } from './upload-file.ts';

interface Sending {
  file: File;
  sent: number;
  stop: () => void;
}

function useUpload(onUploaded: (file: FileUpload) => void) {
  const [sending, setSending] = useState<Sending>();
  const [problem, setProblem] = useState<{ fileName: string; sentence: string }>();
  const stopRef = useRef<() => void>(undefined);
  // Leaving the page cancels the upload, because nobody is left to name the columns.
  useEffect(() => () => stopRef.current?.(), []);
  const send = async (file: File | undefined) => {
    const reason = fileProblem(file);
    if (!file || reason) return setProblem({ fileName: file?.name ?? '', sentence: reason ?? '' });
    const controller = new AbortController();
    const stop = () => controller.abort();
    stopRef.current = stop;
    setProblem(undefined);
    setSending({ file, sent: 0, stop });
    try {
      const onSent = (sent: number) => setSending({ file, sent, stop });
      onUploaded(await sendFile(file, { signal: controller.signal, onSent }));
    } catch (error) {
      if (!controller.signal.aborted) setProblem({ fileName: file.name, sentence: uploadProblem(error) });
    } finally {
      setSending(undefined);
    }
  };
  return { sending, problem, send };
}

/** A drop zone for a file, with a button for those who don't drag. */
export function DropZone({ onUploaded }: { onUploaded: (file: FileUpload) => void }) {
  const { sending, problem, send } = useUpload(onUploaded);
  const [isOver, setOver] = useState(false);
  const inputRef = useRef<HTMLInputElement>(null);
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (!sending) void send(event.dataTransfer.files[0]);
  };
  return (
    <>
      {problem && (
        <Box sx={{ mb: 2 }}>
          <Notice kind="error" title={problem.fileName && `“${problem.fileName}” can’t be imported`}>
            {problem.sentence}
          </Notice>
        </Box>
      )}
      <Box
        component="section"
        aria-label="Choose a file"
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
        sx={{
          minHeight: 264,
          display: 'grid',
          placeItems: 'center',
          px: { xs: 2, sm: 4 },
          py: 4,
          borderRadius: '10px',
          border: '1px dashed',
          borderColor: isOver ? 'primary.main' : 'line.input',
          bgcolor: isOver ? 'surface.selected' : 'background.paper',
          transition: 'background-color 80ms, border-color 80ms',
        }}
      >
        {sending ? <SendingFile {...sending} /> : <Invitation onPress={() => inputRef.current?.click()} />}
      </Box>
      <FileInput inputRef={inputRef} onChoose={(file) => void send(file)} />
    </>
  );
}

function Invitation({ onPress }: { onPress: () => void }) {
  return (
    <Box sx={{ display: 'grid', justifyItems: 'center', textAlign: 'center', gap: 0.5 }}>
      <Emblem />
      <Typography variant="h2" component="p" sx={{ mt: 1 }}>
        Drop a CSV or Excel file here
      </Typography>
      <Typography sx={{ color: 'text.secondary', mb: 2 }}>
        Up to {formatBytes(importLimits.fileBytes)} and {formatCount(importLimits.rows)} rows.
      </Typography>
      <Button variant="contained" color="primary" startIcon={<Upload />} onClick={onPress}>
        Choose a file
      </Button>
    </Box>
  );
}

function Emblem() {
  return (
    <Box
      aria-hidden
      sx={{
        width: 52,
        height: 52,
        borderRadius: '14px',
        display: 'grid',
        placeItems: 'center',
        bgcolor: 'tint.accent',
        color: 'primary.main',
      }}
    >
      <FileSpreadsheet size={24} strokeWidth={1.75} />
    </Box>
  );
}

/** All bytes may have gone before the server has looked at them: the bar then says so. */
function SendingFile({ file, sent, stop }: Sending) {
  const isSent = sent >= file.size;
  return (
    <Box sx={{ width: '100%', maxWidth: 440 }}>
      <Typography noWrap sx={{ fontWeight: 550 }}>
        {file.name}
      </Typography>
      <LinearProgress
        variant={isSent ? 'indeterminate' : 'determinate'}
        value={Math.min(100, (100 * sent) / file.size)}
        aria-label="Uploading the file"
        sx={{ my: 1.25 }}
      />
      <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', gap: 2 }}>
        <Typography
          variant="body2"
          role="status"
          sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}
        >
          {isSent ? 'Reading the file…' : `${formatBytes(sent)} of ${formatBytes(file.size)}`}
        </Typography>
        <Button size="small" onClick={stop}>
          Cancel
        </Button>
      </Box>
    </Box>
  );
}

function FileInput({
  inputRef,
  onChoose,
}: {
  inputRef: RefObject<HTMLInputElement | null>;
  onChoose: (file: File | undefined) => void;
}) {
  return (
    <input
      ref={inputRef}
      type="file"
      accept={acceptedFiles}
      hidden
      aria-label="File with contacts"
      onChange={(event) => {
        onChoose(event.target.files?.[0]);
        // The same file may be chosen again after it was fixed.
        event.target.value = '';
      }}
    />
  );
}
