import { Eye } from 'lucide-react';
import type { CSSProperties } from 'react';
import type { Tag } from '../../../contract/tags.ts';
import { presenceLine, usePresent } from '../../queries/presence.ts';
import { shadesOf } from '../../ui/colors.ts';
import { formatCount } from '../../ui/format.ts';
import { visuallyHidden } from '../../ui/visually-hidden.ts';
import { RowAvatar } from './row-avatar.tsx';

/** The first tag and the number of others, because name, tags and time share one line. */
export function RowTags({ tags }: { tags: readonly Tag[] }) {
  const [first, ...more] = tags;
  if (!first) return null;
  const { light, dark } = shadesOf(first.Color);
  return (
    <span className="tag" title={tags.map(({ TagName }) => TagName).join(', ')}>
      <span className="tag-mark" style={{ '--light': light, '--dark': dark } as CSSProperties} aria-hidden />
      <span className="tag-name">
        <span style={visuallyHidden}>Tags: </span>
        {first.TagName}
      </span>
      {more.length > 0 && (
        <span>
          <span aria-hidden>+{more.length}</span>
          <span style={visuallyHidden}>, {more.map(({ TagName }) => TagName).join(', ')}</span>
        </span>
      )}
    </span>
  );
}

interface RowMarksProps {
  conversationId: number;
  assignedTo: string | undefined;
  assigneePicture: string | null | undefined;
  unreadCount: number;
}

/** At the end of a row: who is viewing it, the assignee and the unread count. */
export function RowMarks({ conversationId, assignedTo, assigneePicture, unreadCount }: RowMarksProps) {
  const present = presenceLine(usePresent(conversationId));
  return (
    <>
      {present && (
        <span className="eye" title={present}>
          <Eye size={14} strokeWidth={2} role="img" aria-label={present} />
        </span>
      )}
      {assignedTo && (
        <span title={`Assigned to ${assignedTo}`}>
          <RowAvatar name={assignedTo} isSmall src={assigneePicture} />
          <span style={visuallyHidden}>Assigned to {assignedTo}</span>
        </span>
      )}
      {unreadCount > 0 && (
        <span className="count" role="img" aria-label={`${formatCount(unreadCount)} unread`}>
          {unreadCount > 99 ? '99+' : unreadCount}
        </span>
      )}
    </>
  );
}
