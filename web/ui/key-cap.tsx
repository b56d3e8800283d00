import Box from '@mui/material/Box';

/** A keyboard key, as in "press r". */
export function KeyCap({ children }: { children: string }) {
  return (
    <Box
      component="kbd"
      sx={{
        display: 'inline-grid',
        placeItems: 'center',
        minWidth: 18,
        height: 18,
        px: '5px',
        borderRadius: '5px',
        border: '1px solid',
        borderColor: 'line.strong',
        bgcolor: 'surface.raised',
        color: 'ink.two',
        fontFamily: 'inherit',
        fontSize: 11,
        lineHeight: 1,
      }}
    >
      {children}
    </Box>
  );
}
