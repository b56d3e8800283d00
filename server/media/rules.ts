import { isClean, isExplicit } from '../../contract/media.ts';
import { linkTo } from '../media-links.ts';

export interface MediaRow {
  media_id: number;
  public_key: string;
  content_type: string;
  file_name: string;
  explicit_status: number | null;
  /** A date, or its text when it came in JSON. */
  created_at: Date | string;
}

/** A picture in the API's format. */
export function toMediaItem(row: MediaRow, senderName = '') {
  const full = linkTo(`/media/${row.public_key}`, 'page');
  return {
    mediaId: row.media_id,
    contentType: row.content_type,
    fileName: row.file_name,
    full,
    preview: `${full}&size=preview`,
    explicitStatus: row.explicit_status,
    isClean: isClean(row.explicit_status),
    isExplicit: isExplicit(row.explicit_status),
    senderName,
    timestamp: new Date(row.created_at),
  };
}
