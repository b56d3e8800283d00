import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { type Installation, useInstallation } from '../pieces/support/contact-us.tsx';
import { fullName, useUser } from '../queries/current-user.ts';

/** The chat's commands: those given before it is loaded wait in the list, which its script replaces. */
type Command = ['identify', object] | ['page', string] | ['open'] | ['hide'];

declare global {
  var helpChat: { push: (...commands: Command[]) => unknown } | undefined;
}

function tell(...commands: Command[]): void {
  const waiting: Command[] = [];
  globalThis.helpChat ??= waiting;
  globalThis.helpChat?.push(...commands);
}

/** Conversations are private, and their pages need all the room. */
const messagesPages = /^\/(inbox|conversations)(\/|$)/;

/** The chat loads on the application's own host only, and never inside of another page. */
function mayLoad(chat: Installation['HelpChat'] | undefined): chat is { ScriptUrl: string; Host: string } {
  return !!chat && globalThis.location.host === chat.Host && globalThis.top === globalThis.self;
}

function load(scriptUrl: string): void {
  if (document.querySelector('script[data-help-chat]')) return;
  const script = document.createElement('script');
  script.src = scriptUrl;
  script.async = true;
  script.dataset.helpChat = '';
  document.head.append(script);
}

/** Tells the help chat who the user is and which page they look at. Renders nothing. */
export function HelpChatHost() {
  const user = useUser();
  const chat = useInstallation()?.HelpChat;
  const pathname = useLocation({ select: (location) => location.pathname });
  const isPrivate = messagesPages.test(pathname);
  const isOn = mayLoad(chat) && user !== undefined;
  useEffect(() => {
    if (!isOn || isPrivate || !user) return;
    const { UserID, Email, UserHash } = user;
    tell(['identify', { UserID, Name: fullName(user), Email, UserHash }]);
    load(chat.ScriptUrl);
  }, [isOn, isPrivate, user, chat]);
  useEffect(() => {
    if (!isOn) return;
    tell(isPrivate ? ['hide'] : ['page', pathname]);
  }, [isOn, isPrivate, pathname]);
  return null;
}

/** Opens the chat; undefined where there is none, or not on this page. */
export function useOpenHelpChat(): (() => void) | undefined {
  const chat = useInstallation()?.HelpChat;
  const isPrivate = useLocation({ select: ({ pathname }) => messagesPages.test(pathname) });
  return mayLoad(chat) && !isPrivate ? () => tell(['open']) : undefined;
}
