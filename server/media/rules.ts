import { isClean, isExplicit } from '../../contract/media.ts';

/** Where a picture is fetched from: by browsers and by carriers, without signing in. */
function mediaAddress(publicKey: string, size?: 'preview'): string {
  return `/media/${publicKey}${size === 'preview' ? '?size=preview' : ''}`;
}

export interface MediaRow {
  media_id: number;
  public_key: string;
  content_type: string;
  file_name: string;
  explicit_status: number | null;
  /** A date, or its text when it came in JSON. */
  created_at: Date | string;
}

/** A picture in the wire's shape. */
export function toMediaItem(row: MediaRow, senderName = '') {
  return {
    mediaId: row.media_id,
    contentType: row.content_type,
    fileName: row.file_name,
    full: mediaAddress(row.public_key),
    preview: mediaAddress(row.public_key, 'preview'),
    explicitStatus: row.explicit_status,
    isClean: isClean(row.explicit_status),
    isExplicit: isExplicit(row.explicit_status),
    senderName,
    timestamp: new Date(row.created_at),
  };
}
