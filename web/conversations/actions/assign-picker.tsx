import Box from '@mui/material/Box';
import { UserRoundX } from 'lucide-react';
import { fullName, useUser } from '../../queries/current-user.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { say } from '../../ui/say.ts';
import { useAccountPeople } from '../account-queries.ts';
import { Picker } from './picker.tsx';

interface AssignPickerProps {
  anchor: HTMLElement | null;
  /** Only people who may use all of these text numbers are offered. */
  textNumberIds: readonly number[];
  onChoose: (userId: number | null, name: string) => void;
  onClose: () => void;
}

interface Choice {
  userId: number | null;
  name: string;
  /** Without a word that it is oneself. */
  plainName: string;
  picture: string | null;
}

/** Choices for the assignee: yourself first, then the others by name, then nobody. */
export function AssignPicker({ anchor, textNumberIds, onChoose, onClose }: AssignPickerProps) {
  const { people, failure } = useAccountPeople(anchor !== null);
  const own = useUser()?.UserID;
  const able = people?.filter(({ TextNumbers }) => textNumberIds.every((id) => TextNumbers.includes(id)));
  const choices = able?.map(
    (person): Choice => ({
      userId: person.UserID,
      name: person.UserID === own ? `${fullName(person)} (you)` : fullName(person) || person.UserName,
      plainName: fullName(person) || person.UserName,
      picture: person.PictureUrl,
    }),
  );
  choices?.sort((a, b) => Number(b.userId === own) - Number(a.userId === own));
  if (choices !== undefined && choices.length > 0)
    choices.push({ userId: null, name: say('Nobody'), plainName: say('Nobody'), picture: null });
  return (
    <Picker
      anchor={anchor}
      label="Assign to"
      placeholder="Find a person"
      nothing={failure ?? 'Nobody with that name can use this text number'}
      options={choices}
      nameOf={({ name }) => name}
      keyOf={({ userId }) => userId ?? 'nobody'}
      render={({ userId, name, plainName, picture }) => (
        <>
          {userId === null ? (
            <Box sx={{ width: 26, display: 'grid', placeItems: 'center', color: 'ink.two' }}>
              <UserRoundX size={16} strokeWidth={1.75} aria-hidden />
            </Box>
          ) : (
            <Avatar name={plainName} size={26} src={picture} />
          )}
          {name}
        </>
      )}
      onChoose={({ userId, plainName }) => onChoose(userId, plainName)}
      onClose={onClose}
    />
  );
}
