import Box from '@mui/material/Box';

/** The first Tab stop: skips the navigation. */
export function SkipLink() {
  return (
    <Box
      component="a"
      href="#content"
      onClick={(event) => {
        // Keeps the hash, which belongs to the page (the API reference uses it).
        event.preventDefault();
        const content = document.getElementById('content');
        content?.setAttribute('tabindex', '-1');
        content?.focus();
      }}
      sx={{
        position: 'fixed',
        top: 8,
        left: 8,
        zIndex: 'tooltip',
        px: 2,
        py: 1,
        borderRadius: '8px',
        bgcolor: 'primary.main',
        color: 'primary.contrastText',
        fontWeight: 550,
        textDecoration: 'none',
        transform: 'translateY(-200%)',
        '&:focus': { transform: 'none' },
      }}
    >
      Skip to content
    </Box>
  );
}
