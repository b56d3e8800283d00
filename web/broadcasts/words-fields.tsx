import { useRef } from 'react';
import type { updateBroadcast } from '../../contract/broadcasts.ts';
import type { CallInput } from '../../contract/call.ts';
import { firstFailure } from '../../contract/fields/rule.ts';
import { broadcastName, broadcastText } from '../../contract/forms/broadcast.ts';
import type { MediaItem } from '../../contract/media.ts';
import { counterLabel } from '../../contract/text/text-length.ts';
import type { PerMinute } from '../pieces/broadcasts/speed-field.tsx';
import { PictureProblemDialog, useAttachPictures } from '../pieces/texts/attach-pictures.tsx';
import { FieldMarks } from '../pieces/texts/field-marks.tsx';
import { PictureField } from '../pieces/texts/picture-field.tsx';
import { TextField } from '../ui/field.tsx';

/** The state of both dialogs that edit a broadcast, apart from its times. */
export interface Content {
  name: string;
  text: string;
  picture: MediaItem | undefined;
  perMinute: number | null;
}

type ContentErrors = Partial<Record<'name' | 'text', string>>;

/** Only changed fields are sent. */
export function contentChanges(
  draft: Content,
  saved: Content,
): Pick<CallInput<typeof updateBroadcast>['body'], 'BroadcastName' | 'TextMessage' | 'Media' | 'PerMinute'> {
  const { picture } = draft;
  return {
    ...(draft.name.trim() === saved.name ? {} : { BroadcastName: draft.name.trim() }),
    ...(draft.text === saved.text ? {} : { TextMessage: draft.text }),
    ...(picture?.mediaId === saved.picture?.mediaId
      ? {}
      : { Media: picture === undefined ? [] : [{ MediaID: picture.mediaId }] }),
    ...(draft.perMinute === saved.perMinute ? {} : { PerMinute: draft.perMinute as PerMinute }),
  };
}

/** `limit` is undefined for a broadcast that only calls: it has no text. */
export function contentProblems(draft: Content, saved: Content, limit: number | undefined): ContentErrors {
  const name = firstFailure(draft.name.trim(), broadcastName);
  const hasMedia = draft.picture !== undefined;
  const text =
    limit === undefined
      ? undefined
      : firstFailure(draft.text, broadcastText({ maxLength: limit, hasMedia, saved: saved.text }));
  return { ...(name ? { name } : {}), ...(text ? { text } : {}) };
}

/** A broadcast has one picture: another one replaces it. */
export function useContentPicture(onPicture: (picture: MediaItem) => void) {
  const inputRef = useRef<HTMLInputElement>(null);
  const attachment = useAttachPictures({ count: 0, use: 'broadcast', onAdd: onPicture });
  return { ...attachment, inputRef, isUploading: attachment.uploading > 0 };
}

interface WordsFieldsProps {
  value: Content;
  errors: ContentErrors;
  /** Most characters of the text; undefined for a broadcast that only calls. */
  limit: number | undefined;
  picture: ReturnType<typeof useContentPicture>;
  onChange: (by: Partial<Content>) => void;
}

/** The name, text and picture of a broadcast, where they are edited after Send. One that only calls has a name. */
export function WordsFields({ value, errors, limit, picture, onChange }: WordsFieldsProps) {
  return (
    <>
      <TextField
        label="Broadcast name"
        value={value.name}
        error={errors.name}
        autoComplete="off"
        onChange={(event) => onChange({ name: event.target.value })}
      />
      {limit !== undefined && (
        <>
          <TextField
            label="Text message"
            multiline
            minRows={4}
            maxRows={10}
            value={value.text}
            endAdornment={<FieldMarks text={value.text} />}
            error={errors.text}
            help={counterLabel(value.text, limit)}
            onChange={(event) => onChange({ text: event.target.value })}
            onPaste={picture.onPaste}
          />
          <PictureField
            picture={value.picture}
            isUploading={picture.isUploading}
            inputRef={picture.inputRef}
            onChoose={(file) => void picture.attach([file])}
            onRemove={() => onChange({ picture: undefined })}
          />
          <PictureProblemDialog problem={picture.problem} onClose={picture.forgetProblem} />
        </>
      )}
    </>
  );
}
