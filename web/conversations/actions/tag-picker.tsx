import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQueryClient } from '@tanstack/react-query';
import { type LucideIcon, Plus, Square, SquareCheck, SquareMinus } from 'lucide-react';
import { useState } from 'react';
import { addTag, listTags } from '../../../contract/addresses/conversations.gen.ts';
import { type Tag, tagLimits } from '../../../contract/tags.ts';
import { shownMessage } from '../../api.ts';
import { useCall } from '../../queries/calls.ts';
import { ColorMark } from '../../ui/color-mark.tsx';
import { freeColor } from '../../ui/colors.ts';
import { say } from '../../ui/say.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { useTags } from '../account-queries.ts';
import { Picker } from './picker.tsx';

export interface TagChange {
  add: number[];
  remove: number[];
}

interface TagPickerProps {
  anchor: HTMLElement | null;
  /** The tags of each loaded conversation that is being tagged. */
  current: readonly (readonly Pick<Tag, 'TagID'>[])[];
  onApply: (change: TagChange) => void;
  onManage: () => void;
  onClose: () => void;
}

type Option = Tag | { newName: string };
type Mark = 'all' | 'some' | 'none';

/** Adds and removes several tags at once, on Apply. */
export function TagPicker({ anchor, current, onApply, onManage, onClose }: TagPickerProps) {
  const client = useQueryClient();
  const { tags, failure } = useTags(anchor !== null);
  const { mutateAsync } = useCall(addTag);
  const [wanted, setWanted] = useState<ReadonlyMap<number, boolean>>(new Map());
  const markOf = (id: number): Mark => {
    const want = wanted.get(id);
    if (want !== undefined) return want ? 'all' : 'none';
    const having = current.filter((own) => own.some(({ TagID }) => TagID === id)).length;
    return having === 0 ? 'none' : having === current.length ? 'all' : 'some';
  };
  const close = () => {
    setWanted(new Map());
    onClose();
  };
  const choose = async (option: Option) => {
    if (!('newName' in option)) {
      setWanted((before) => new Map(before).set(option.TagID, markOf(option.TagID) !== 'all'));
      return;
    }
    try {
      const made = await mutateAsync({ body: { TagName: option.newName, Color: freeColor(tags ?? []) } });
      await client.invalidateQueries({ queryKey: [listTags.path] });
      setWanted((before) => new Map(before).set(made.TagID, true));
    } catch (error) {
      showSnackbar(shownMessage(error, 'There was an error adding your tag.'));
    }
  };
  const apply = () => {
    const add = [...wanted].flatMap(([id, want]) => (want ? [id] : []));
    const remove = [...wanted].flatMap(([id, want]) => (want ? [] : [id]));
    close();
    if (wanted.size > 0) onApply({ add, remove });
  };
  return (
    <Picker<Option>
      anchor={anchor}
      label="Tags"
      placeholder="Find or create a tag"
      nothing={failure ?? 'Type a name to create a tag'}
      options={tags}
      nameOf={(option) => ('newName' in option ? option.newName : option.TagName)}
      keyOf={(option) => ('newName' in option ? 'new' : option.TagID)}
      made={(typed) => ({ newName: typed.slice(0, tagLimits.name) })}
      isKeptOpen
      render={(option) =>
        'newName' in option ? (
          <>
            <Plus size={16} strokeWidth={1.75} aria-hidden />
            New tag “{option.newName}”
          </>
        ) : (
          <MarkedTag tag={option} mark={markOf(option.TagID)} />
        )
      }
      onChoose={(option) => void choose(option)}
      onClose={close}
      foot={
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, pt: 1, px: '2px' }}>
          <Button
            variant="text"
            size="small"
            onClick={() => {
              close();
              onManage();
            }}
          >
            Manage tags
          </Button>
          <Box sx={{ flex: 1 }} />
          <Button
            variant="contained"
            color="primary"
            size="small"
            disabled={wanted.size === 0}
            onClick={apply}
          >
            Apply
          </Button>
        </Box>
      }
    />
  );
}

const markWords: Record<Mark, string> = { all: say('on', 'tag'), some: 'on some', none: say('off', 'tag') };

const markIcons: Record<Mark, LucideIcon> = { all: SquareCheck, some: SquareMinus, none: Square };

function MarkedTag({ tag, mark }: { tag: Tag; mark: Mark }) {
  const Icon = markIcons[mark];
  return (
    <>
      <Box
        component="span"
        sx={{ display: 'inline-flex', flex: 'none', color: mark === 'none' ? 'line.input' : 'primary.main' }}
      >
        <Icon size={18} strokeWidth={1.75} aria-hidden />
      </Box>
      <ColorMark of="tag" color={tag.Color} />
      <Box component="span" sx={{ flex: 1, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis' }}>
        {tag.TagName}
      </Box>
      <Box component="span" sx={{ typography: 'caption', color: 'text.secondary' }}>
        {markWords[mark]}
      </Box>
    </>
  );
}
