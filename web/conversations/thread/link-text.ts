interface TextPiece {
  /** Its position in the text. */
  at: number;
  text: string;
  href?: string;
}

/** Punctuation that more often ends a sentence than an address. */
const trailing = new Set(['.', ',', ';', ':', '!', '?', "'", '"', '”', '’', '…', '>', ']']);

/**
 * Splits a text into plain text and links. Only http and https become links; "www." becomes https. Checks word by word,
 * so that a hostile text costs linear time.
 */
export function linkText(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let plain = '';
  let at = 0;
  const take = (piece: Omit<TextPiece, 'at'>) => {
    if (piece.text === '') return;
    pieces.push({ at, ...piece });
    at += piece.text.length;
  };
  for (const word of text.split(/(\s+)/)) {
    const start = startOfLink(word);
    if (start < 0) {
      plain += word;
      continue;
    }
    const end = endOfLink(word, start);
    const shown = word.slice(start, end);
    const href = addressOf(shown);
    if (!href) {
      plain += word;
      continue;
    }
    plain += word.slice(0, start);
    take({ text: plain });
    take({ text: shown, href });
    plain = word.slice(end);
  }
  take({ text: plain });
  return pieces;
}

function startOfLink(word: string): number {
  const lower = word.toLowerCase();
  const starts = ['http://', 'https://', 'www.'].map((begin) => lower.indexOf(begin)).filter((at) => at >= 0);
  const first = starts.length > 0 ? Math.min(...starts) : -1;
  // Only an opening bracket or quote may precede it: "mailwww.x" is no link.
  return first > 0 && !/^["'“‘([<]+$/.test(word.slice(0, first)) ? -1 : first;
}

function endOfLink(word: string, start: number): number {
  const opened = word.indexOf('(', start);
  let end = word.length;
  while (end > start) {
    const last = word[end - 1] ?? '';
    // A closing bracket belongs to the address if it was opened there.
    const isOutside = trailing.has(last) || (last === ')' && (opened < 0 || opened >= end));
    if (!isOutside) break;
    end -= 1;
  }
  return end;
}

function addressOf(shown: string): string | undefined {
  try {
    const url = new URL(/^www\./i.test(shown) ? `https://${shown}` : shown);
    return url.hostname.includes('.') || url.hostname === 'localhost' ? url.href : undefined;
  } catch {
    return undefined;
  }
}
