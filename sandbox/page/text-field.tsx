import { ArrowUp, Plus, X } from 'lucide-react';
import { type ChangeEvent, type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import { ApiError, call } from './api.ts';
import { refreshPhone } from './store.ts';

type Attachment = { ContentType: string; Data: string; preview: string };

const largestBytes = 5 * 1024 * 1024;

async function readPicture(file: File): Promise<Attachment> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = '';
  for (let at = 0; at < bytes.length; at += 32_768) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  }
  return { ContentType: file.type, Data: btoa(binary), preview: URL.createObjectURL(file) };
}

export function TextField({ from, to, name }: { from: string; to: string; name: string }) {
  const [text, setText] = useState('');
  const [picture, setPicture] = useState<Attachment>();
  const [problem, setProblem] = useState<string>();
  const [sending, setSending] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);

  const removePicture = () => {
    if (picture) URL.revokeObjectURL(picture.preview);
    setPicture(undefined);
  };
  const attach = async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    event.target.value = '';
    setProblem(undefined);
    if (!file) return;
    if (file.size > largestBytes) setProblem('The picture is larger than 5 MB.');
    else setPicture(await readPicture(file));
    field.current?.focus();
  };
  const send = async (event?: FormEvent) => {
    event?.preventDefault();
    if (sending || (text.trim() === '' && !picture)) return;
    setSending(true);
    setProblem(undefined);
    try {
      await call('POST', `/phones/${from}/messages`, {
        To: to,
        Text: text.trim(),
        Media: picture ? [{ ContentType: picture.ContentType, Data: picture.Data }] : [],
      });
      setText('');
      removePicture();
      await refreshPhone(from);
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : 'That didn’t work.');
    }
    setSending(false);
    field.current?.focus();
  };
  const sendOnEnter = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      void send();
    }
  };

  return (
    <form className="text-field" onSubmit={send}>
      {problem && (
        <p className="trouble" role="alert">
          {problem}
        </p>
      )}
      {picture && (
        <div className="attached">
          <img src={picture.preview} alt="Attachments" />
          <button type="button" onClick={removePicture} aria-label="Remove picture" title="Remove picture">
            <X size={14} strokeWidth={2} aria-hidden />
          </button>
        </div>
      )}
      <div className="text-row">
        <input
          ref={chooser}
          type="file"
          accept="image/jpeg,image/png,image/gif,image/webp"
          hidden
          onChange={attach}
        />
        <button
          type="button"
          className="attach"
          aria-label="Attach a picture"
          title="Attach a picture"
          onClick={() => chooser.current?.click()}
        >
          <Plus size={18} strokeWidth={1.75} aria-hidden />
        </button>
        <div className="text-box">
          <textarea
            ref={field}
            rows={1}
            value={text}
            maxLength={1600}
            placeholder="Text message"
            aria-label={`Text to ${name}`}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={sendOnEnter}
          />
          <button
            type="submit"
            className="send"
            aria-label="Send"
            title="Send"
            disabled={sending || (text.trim() === '' && !picture)}
          >
            <ArrowUp size={16} strokeWidth={2.25} aria-hidden />
          </button>
        </div>
      </div>
    </form>
  );
}
