import Box from '@mui/material/Box';

/** The first thing the Tab key finds: past the navigation, to the page's own content. */
export function SkipLink() {
  return (
    <Box
      component="a"
      href="#content"
      onClick={(event) => {
        // The hash stays as it is: it belongs to the page (the API reference is addressed by it).
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
