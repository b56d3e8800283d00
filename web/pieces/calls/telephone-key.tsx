import Box from '@mui/material/Box';

/** A telephone key in text: "*1", "0". */
export function TelephoneKey({ children }: { children: string }) {
  return (
    <Box
      component="kbd"
      sx={{
        display: 'inline-grid',
        placeItems: 'center',
        flex: 'none',
        minWidth: 26,
        height: 20,
        px: '5px',
        borderRadius: '5px',
        border: '1px solid',
        borderColor: 'line.strong',
        bgcolor: 'surface.raised',
        color: 'ink.two',
        fontFamily: 'inherit',
        fontSize: 11,
        lineHeight: 1,
        fontWeight: 550,
        fontVariantNumeric: 'tabular-nums',
      }}
    >
      {children}
    </Box>
  );
}
