import Box from '@mui/material/Box';
import { ArrowUp, BatteryFull, ChevronLeft, Plus, Signal } from 'lucide-react';
import type { ReactNode } from 'react';
import { Avatar } from '../../ui/avatar.tsx';

const WIDTH = 282;
const HEIGHT = 592;
const RADIUS = Math.round(WIDTH * 0.155);

const round = {
  width: 30,
  height: 30,
  flex: 'none',
  borderRadius: '50%',
  display: 'grid',
  placeItems: 'center',
} as const;

interface HandsetProps {
  /** The sender that the telephone shows. */
  sender: string;
  /** The organization's name, for the face. */
  organization: string;
  time: string;
  /** Pictures and words, as they will arrive. */
  children: ReactNode;
  isEmpty: boolean;
}

interface HandsetFrameProps {
  /** The text for assistive technology in place of the picture. */
  label: string;
  time: string;
  /** The screen's own colors. Without it, it follows the page's mode. */
  screen?: { background: string; color: string };
  children: ReactNode;
}

/** A telephone: body, status row and home bar around whatever its screen shows. */
export function HandsetFrame({ label, time, screen, children }: HandsetFrameProps) {
  return (
    <Box
      role="img"
      aria-label={label}
      sx={{
        position: 'relative',
        width: WIDTH,
        height: HEIGHT,
        flex: 'none',
        borderRadius: `${RADIUS}px`,
        p: '3px',
        background: 'linear-gradient(140deg, #525C59, #2A312F 22%, #1B211F 50%, #2A312F 78%, #4A5451)',
        boxShadow: '0 28px 44px -22px rgba(10,24,21,.42), 0 6px 14px -6px rgba(10,24,21,.22)',
        '&::before, &::after': {
          content: '""',
          position: 'absolute',
          width: 3,
          borderRadius: 2,
          bgcolor: '#39423F',
        },
        '&::before': { left: -2, top: 130, height: 40, boxShadow: '0 54px 0 #39423F' },
        '&::after': { right: -2, top: 156, height: 62 },
      }}
    >
      <Box sx={{ height: '100%', p: '6px', bgcolor: '#060908', borderRadius: `${RADIUS - 3}px` }}>
        <Box
          sx={[
            (theme) => ({
              position: 'relative',
              height: '100%',
              display: 'flex',
              flexDirection: 'column',
              overflow: 'hidden',
              borderRadius: `${RADIUS - 9}px`,
              backgroundColor: '#FFFFFF',
              color: '#13201D',
              '--handset-screen': '#FFFFFF',
              '--handset-second': '#5B6965',
              '--handset-bubble': '#E9EDEC',
              '--handset-line': '#E9EDEB',
              '--handset-edge': '#CBD3D0',
              ...theme.applyStyles('dark', {
                backgroundColor: '#0D1413',
                color: '#E7EEEC',
                '--handset-screen': '#0D1413',
                '--handset-second': '#9AA9A5',
                '--handset-bubble': '#222D2B',
                '--handset-line': '#1F2A28',
                '--handset-edge': '#33423F',
              }),
            }),
            screen ?? {},
          ]}
        >
          <Box
            sx={{
              height: 42,
              flex: 'none',
              display: 'flex',
              justifyContent: 'space-between',
              px: 3,
              pt: '14px',
              fontSize: 14,
              lineHeight: '18px',
              fontWeight: 650,
            }}
          >
            {time}
            <Box sx={{ display: 'flex', gap: '5px', '& svg': { display: 'block' } }}>
              <Signal size={15} strokeWidth={2.5} />
              <BatteryFull size={18} strokeWidth={2} />
            </Box>
          </Box>
          <Box
            sx={{
              position: 'absolute',
              top: 10,
              left: '37%',
              width: '26%',
              height: 22,
              borderRadius: 11,
              bgcolor: '#060908',
            }}
          />
          {children}
          <Box
            sx={{
              position: 'absolute',
              bottom: 9,
              left: '33%',
              width: '34%',
              height: 4,
              borderRadius: 2,
              bgcolor: 'currentColor',
            }}
          />
        </Box>
      </Box>
    </Box>
  );
}

/** A telephone that shows a text as it will arrive. */
export function Handset({ sender, organization, time, children, isEmpty }: HandsetProps) {
  return (
    <HandsetFrame label="How the text will look on a phone" time={time}>
      <Box
        sx={{
          flex: 'none',
          display: 'flex',
          flexDirection: 'column',
          alignItems: 'center',
          gap: '5px',
          pt: 1,
          pb: 1.25,
          borderBottom: '1px solid var(--handset-line)',
        }}
      >
        <Box sx={{ position: 'absolute', left: 10, top: 58, color: 'primary.main' }}>
          <ChevronLeft size={22} strokeWidth={2.25} />
        </Box>
        <Avatar name={organization} />
        <Box sx={{ fontSize: 12, lineHeight: '16px', fontWeight: 550 }}>{sender}</Box>
      </Box>
      <Box sx={{ flex: 1, minHeight: 0, overflow: 'hidden auto', p: 1.5 }}>
        {isEmpty ? (
          <Box sx={{ pt: 2, textAlign: 'center', fontSize: 12, color: 'var(--handset-second)' }}>
            Your text appears here as you write it.
          </Box>
        ) : (
          <Box sx={{ display: 'flex', flexDirection: 'column', alignItems: 'flex-start', gap: '6px' }}>
            {children}
          </Box>
        )}
      </Box>
      <Box sx={{ flex: 'none', display: 'flex', alignItems: 'center', gap: 1, mx: 1.5, mb: '26px' }}>
        <Box sx={{ ...round, bgcolor: 'var(--handset-bubble)' }}>
          <Plus size={16} strokeWidth={2} />
        </Box>
        <Box
          sx={{
            flex: 1,
            display: 'flex',
            alignItems: 'center',
            justifyContent: 'space-between',
            height: 32,
            pl: 1.5,
            pr: '4px',
            borderRadius: 16,
            border: '1px solid var(--handset-edge)',
            fontSize: 13,
            color: 'var(--handset-second)',
          }}
        >
          Text message
          <Box
            sx={{
              ...round,
              width: 24,
              height: 24,
              bgcolor: 'var(--handset-edge)',
              color: 'var(--handset-screen)',
            }}
          >
            <ArrowUp size={14} strokeWidth={2.5} />
          </Box>
        </Box>
      </Box>
    </HandsetFrame>
  );
}

/** Addresses that a phone underlines, with or without http. */
const address = /((?:https?:\/\/)?(?:[a-z0-9-]+\.)+[a-z]{2,}(?:\/[^\s]*[^\s.,;:!?)])?)/i;

export function HandsetBubble({ children }: { children: string }) {
  return (
    <Box
      sx={{
        maxWidth: '84%',
        p: '7px 12px 8px',
        borderRadius: '17px 17px 17px 5px',
        bgcolor: 'var(--handset-bubble)',
        fontSize: 13.5,
        lineHeight: '18px',
        whiteSpace: 'pre-wrap',
        overflowWrap: 'anywhere',
      }}
    >
      {children.split(address).map((piece, index) =>
        // Every second piece is what the pattern took.
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, drawn again with it
        index % 2 === 1 ? <u key={index}>{piece}</u> : piece,
      )}
    </Box>
  );
}

/** Time when the messages below it arrived. */
export function HandsetTime({ children }: { children: string }) {
  return (
    <Box
      sx={{
        alignSelf: 'center',
        pt: 1,
        pb: 0.5,
        fontSize: 11,
        lineHeight: '14px',
        color: 'var(--handset-second)',
      }}
    >
      {children}
    </Box>
  );
}

export function HandsetPicture({ src }: { src: string }) {
  return (
    <Box
      component="img"
      src={src}
      alt=""
      sx={{ display: 'block', width: '72%', borderRadius: '17px 17px 17px 5px', objectFit: 'cover' }}
    />
  );
}
