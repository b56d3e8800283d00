import Box from '@mui/material/Box';
import { isInternational } from '../../../../contract/reference/countries.ts';
import { INTERNATIONAL_SEGMENT_CHARACTERS, SEGMENT_CHARACTERS } from '../../../../contract/text/segments.ts';
import { counterLabel } from '../../../../contract/text/text-length.ts';
import { useAccount } from '../../../queries/current-user.ts';
import { countOf } from '../../../ui/format.ts';
import type { MessageFacts } from './message-state.ts';

interface MessageMeterProps {
  facts: MessageFacts;
  /** Number of people who get it. */
  people: number;
}

/** One cell per segment, filled as far as the text goes; below it the cost. */
export function MessageMeter({ facts, people }: MessageMeterProps) {
  const { text, counted, limit, signature, isEmpty } = facts;
  const size = useSegmentSize(counted.characters);
  const cells = Math.max(1, Math.ceil(limit / size), Math.ceil(counted.characters / size));
  const isUnicode = counted.charset === 'Unicode';
  const isTooLong = counted.characters > limit;
  return (
    <Box sx={{ px: '18px', py: 1.5, borderTop: '1px solid', borderColor: 'line.hair' }}>
      <Box aria-hidden sx={{ display: 'flex', gap: '4px' }}>
        {Array.from({ length: cells }, (_, cell) => {
          const share = Math.min(1, Math.max(0, (counted.characters - cell * size) / size));
          return (
            <Box
              // biome-ignore lint/suspicious/noArrayIndexKey: cells are alike and never move
              key={cell}
              sx={{ flex: 1, height: 6, borderRadius: '3px', overflow: 'hidden', bgcolor: 'surface.track' }}
            >
              <Box
                sx={{
                  height: '100%',
                  width: `${100 * share}%`,
                  bgcolor: isTooLong ? 'chart.fail' : isUnicode ? 'chart.warn' : 'chart.one',
                }}
              />
            </Box>
          );
        })}
      </Box>
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          justifyContent: 'space-between',
          gap: '2px 16px',
          mt: 1.25,
          typography: 'body2',
          color: 'text.secondary',
          fontVariantNumeric: 'tabular-nums',
        }}
      >
        <Box component="span" sx={{ color: isTooLong ? 'error.main' : 'inherit' }}>
          {counterLabel(text, limit, signature)}
          {isUnicode && counted.parts > 1 && ` · Unicode, ${counted.parts} parts`}
        </Box>
        {!isEmpty && <Sum facts={facts} people={people} />}
      </Box>
    </Box>
  );
}

/** "2 segments × 1,871 people = 3,742 credits" */
function Sum({ facts: { segments, credits, isPersonalized }, people }: MessageMeterProps) {
  const strong = { fontWeight: 600, color: 'text.primary' } as const;
  return (
    <span>
      <Box component="strong" sx={{ ...strong, ...(segments > 1 ? { color: 'warning.main' } : {}) }}>
        {countOf(segments, 'segment', 'segments')}
      </Box>
      {people > 0 && ` × ${countOf(people, 'person', 'people')} = ${isPersonalized ? 'about ' : ''}`}
      {people > 0 && (
        <Box component="strong" sx={strong}>
          {credits === 0 ? 'no credits' : countOf(credits * people, 'credit', 'credits')}
        </Box>
      )}
    </span>
  );
}

/** 160 characters; 150 of a longer text of an organization outside the United States and Canada. */
function useSegmentSize(characters: number): number {
  const account = useAccount();
  const isLonger = isInternational(account?.CountryID ?? 1) && characters > SEGMENT_CHARACTERS;
  return isLonger ? INTERNATIONAL_SEGMENT_CHARACTERS : SEGMENT_CHARACTERS;
}
