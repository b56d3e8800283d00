import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { FileSpreadsheet, FileText } from 'lucide-react';
import type { ExportFormat } from './contacts-actions.ts';

interface ExportMenuProps {
  anchor: HTMLElement | null;
  onChoose: (format: ExportFormat) => void;
  onClose: () => void;
}

export function ExportMenu({ anchor, onChoose, onClose }: ExportMenuProps) {
  const choose = (format: ExportFormat) => () => {
    onClose();
    onChoose(format);
  };
  return (
    <Menu anchorEl={anchor} open={anchor !== null} onClose={onClose}>
      <MenuItem onClick={choose('csv')}>
        <FileText aria-hidden />
        CSV file
      </MenuItem>
      <MenuItem onClick={choose('xlsx')}>
        <FileSpreadsheet aria-hidden />
        Excel workbook
      </MenuItem>
    </Menu>
  );
}
