import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { WholeBroadcast } from '../../../contract/broadcasts.ts';
import { AudioPlayer } from '../../pieces/audio/audio-player.tsx';
import { useStopOnLeave } from '../../pieces/audio/player.ts';

/** The recordings that calls play, to listen to: one message for people, one for voicemail. */
export function PlayedCard({ broadcast }: { broadcast: WholeBroadcast }) {
  useStopOnLeave();
  const { Audio: live, AudioVM } = broadcast;
  if (!live && !AudioVM) return null;
  const isSame = live !== null && live.AudioID === AudioVM?.AudioID;
  return (
    <Box
      component="section"
      aria-label="What is played"
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: isSame ? '1fr' : 'repeat(2, minmax(0, 1fr))' },
        columnGap: 3,
        rowGap: 1.5,
        px: 2.5,
        py: 1.5,
        bgcolor: 'background.paper',
        border: '1px solid',
        borderColor: 'line.hair',
        borderRadius: '10px',
      }}
    >
      {live && (
        <Played title={isSame ? 'Live answer and voicemail' : 'Live answer'} part="Audio" audio={live} />
      )}
      {AudioVM && !isSame && <Played title="Voicemail" part="AudioVM" audio={AudioVM} />}
    </Box>
  );
}

interface PlayedProps {
  title: string;
  part: string;
  audio: NonNullable<WholeBroadcast['Audio']>;
}

function Played({ title, part, audio }: PlayedProps) {
  return (
    <Box sx={{ minWidth: 0 }}>
      <Box sx={{ display: 'flex', gap: 1, mb: 0.75, minWidth: 0 }}>
        <Typography variant="body2" sx={{ fontWeight: 550, flex: 'none' }}>
          {title}
        </Typography>
        <Typography variant="body2" noWrap sx={{ color: 'text.secondary' }}>
          {audio.Name}
        </Typography>
      </Box>
      <AudioPlayer
        name={`${title}: ${audio.Name}`}
        playerKey={`played-${part}-${audio.AudioID}`}
        source={audio.PlayUri}
        peaks={audio.Peaks}
        length={audio.Length}
        height={26}
      />
    </Box>
  );
}
