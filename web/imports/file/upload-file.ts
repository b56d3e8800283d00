import { listFiles, uploadFile } from '../../../contract/addresses/imports.gen.ts';
import { pathOf, prefixOf } from '../../../contract/call-address.ts';
import type { ErrorBody } from '../../../contract/error-body.ts';
import { type FileUpload, importLimits } from '../../../contract/imports.ts';
import { fileNotProcessed, noFileProvided } from '../../../contract/uploads/file-name.ts';
import { ApiError, callApi, shownMessage } from '../../api.ts';

/**
 * The types that the browser's file dialog offers. The server checks the content of the file, whatever its
 * name.
 */
export const acceptedFiles =
  '.csv,.tsv,.txt,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Checks that are possible before anything is uploaded. */
export function fileProblem(file: Pick<File, 'size'> | undefined): string | undefined {
  if (!file || file.size === 0) return noFileProvided;
  if (file.size > importLimits.fileBytes)
    return `A file can be at most ${formatBytes(importLimits.fileBytes)}. Split it into several files.`;
  return undefined;
}

/**
 * Uploads a file and reports its progress. Uses XMLHttpRequest, because fetch doesn't report progress.
 * Rejects with an ApiError, a TypeError when the server can't be reached, or the signal's reason.
 */
export function sendFile(
  file: File,
  { signal, onSent }: { signal: AbortSignal; onSent: (bytes: number) => void },
): Promise<FileUpload> {
  const url = `${prefixOf(uploadFile)}${pathOf(uploadFile, { FileName: file.name.slice(-200) || 'contacts' })}`;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(uploadFile.method, url);
    request.setRequestHeader('Accept', 'application/json');
    request.setRequestHeader('Content-Type', file.type || 'application/octet-stream');
    request.upload.onprogress = ({ loaded }) => onSent(loaded);
    request.onload = () => {
      const body = readJson(request.responseText);
      if (request.status < 300 && !('ErrorCode' in body)) return resolve(body as unknown as FileUpload);
      reject(
        new ApiError({
          status: request.status,
          statusText: request.statusText,
          url,
          method: uploadFile.method,
          body,
        }),
      );
      // If the session has ended, this call leads to sign-in like any other.
      if (request.status === 401) void callApi(listFiles).catch(() => undefined);
    };
    request.onerror = () => reject(new TypeError('The server can’t be reached'));
    signal.addEventListener('abort', () => {
      request.abort();
      reject(signal.reason);
    });
    if (signal.aborted) return reject(signal.reason);
    request.send(file);
  });
}

function readJson(text: string): Partial<ErrorBody> {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

export function uploadProblem(error: unknown): string {
  if (error instanceof TypeError) return 'The file wasn’t uploaded. Check your connection and try again.';
  return shownMessage(error, fileNotProcessed);
}

/** "812 bytes", "3.4 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const isSmall = bytes < 1_000_000;
  const amount = bytes / (isSmall ? 1024 : 1024 * 1024);
  return `${amount < 10 ? Math.max(0.1, Math.round(amount * 10) / 10) : Math.round(amount)} ${isSmall ? 'kB' : 'MB'}`;
}
