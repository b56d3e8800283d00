import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';

interface WriteOrPreviewProps {
  value: 'write' | 'preview';
  onChange: (tab: 'write' | 'preview') => void;
}

/** Tabs for screens without room for both. */
export function WriteOrPreview({ value, onChange }: WriteOrPreviewProps) {
  return (
    <Tabs
      value={value}
      onChange={(_, chosen) => onChange(chosen)}
      aria-label="Write or preview"
      sx={{ mb: 2 }}
    >
      <Tab value="write" label="Write" />
      <Tab value="preview" label="Preview" />
    </Tabs>
  );
}
