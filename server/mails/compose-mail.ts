import { type LanguageCode, languageCode } from '../../contract/reference/languages.ts';
import { inLanguage } from '../in-language.ts';

/** A mail in source form: its text, one button at most, and why it was sent. */
export interface MailParts {
  subject: string;
  /** A small line over the title: whose mail it is. */
  from?: string;
  title: string;
  paragraphs: readonly string[];
  /** The button. */
  action?: { label: string; url: string };
  /** Smaller text at the end: why it was sent, and what to do if that was a mistake. */
  foot?: string;
}

export interface ComposedMail {
  subject: string;
  text: string;
  html: string;
  /** Its source, so that it can be composed again in another language. */
  parts: MailParts;
}

/** Every mail of Muster in one plain layout, as text and as HTML. */
export function composeMail(parts: MailParts): ComposedMail {
  return { subject: parts.subject, text: plainBody(parts), html: htmlBody(parts, 'en'), parts };
}

/** The same mail in another language. Names and addresses in it stay as they are. */
export function translateMail({ parts }: ComposedMail, languageId: number): ComposedMail {
  const say = inLanguage(languageId);
  const { action, foot } = parts;
  const translated: MailParts = {
    ...parts,
    subject: say(parts.subject),
    title: say(parts.title),
    paragraphs: parts.paragraphs.map(say),
    ...(action && { action: { ...action, label: say(action.label) } }),
    ...(foot !== undefined && { foot: say(foot) }),
  };
  return { ...composeMail(translated), html: htmlBody(translated, languageCode(languageId)) };
}

function plainBody({ paragraphs, action, foot }: MailParts): string {
  const blocks = [
    ...paragraphs,
    ...(action === undefined ? [] : [`${action.label}: ${action.url}`]),
    ...(foot === undefined ? [] : [foot]),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function htmlBody({ from, title, paragraphs, action, foot }: MailParts, language: LanguageCode): string {
  const small = (text: string, margin: string) =>
    `<p style="margin:${margin};font-size:13px;line-height:18px;color:#606e6a">${escapeHtml(text)}</p>`;
  const lines = [
    ...(from === undefined ? [] : [small(from, '0 0 4px')]),
    `<h1 style="margin:0 0 12px;font-size:22px;line-height:28px">${escapeHtml(title)}</h1>`,
    ...paragraphs.map(
      (text) => `<p style="margin:0 0 16px;font-size:15px;line-height:22px">${escapeHtml(text)}</p>`,
    ),
    ...(action === undefined ? [] : [actionHtml(action)]),
    ...(foot === undefined ? [] : [small(foot, '0')]),
  ];
  return `<!doctype html>
<html lang="${language}"><body style="margin:0;padding:32px 16px;background:#f1f4f3;font-family:system-ui,-apple-system,'Segoe UI',sans-serif;color:#13201d">
<div style="max-width:480px;margin:0 auto;padding:28px 32px;background:#ffffff;border:1px solid #e3e8e6;border-radius:12px">
${lines.join('\n')}
</div></body></html>
`;
}

function actionHtml({ label, url }: { label: string; url: string }): string {
  return `<p style="margin:8px 0 28px"><a href="${escapeHtml(url)}" target="_blank" style="display:inline-block;padding:10px 18px;border-radius:8px;background:#0f766e;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
