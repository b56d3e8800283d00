import { useNavigate, useRouter } from '@tanstack/react-router';
import { type MouseEvent, useMemo, useRef } from 'react';
import type { InboxSearch } from '../inbox-address.ts';
import type { FoundConversation } from '../inbox-queries.ts';
import type { RowHandlers } from './conversation-row.tsx';

/** The router's own delay before hovering preloads a page. */
const INTENT_MS = 50;

/**
 * Links for rows. The router's Link computes its address in every rendered row. Here it is computed once, and all rows
 * share their handlers for hover, click and focus.
 */
export function useRowLinks(search: InboxSearch) {
  const router = useRouter();
  const navigate = useNavigate();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  return useMemo(() => {
    const { textMessageId: _text, compose: _compose, to: _to, people: _people, ...kept } = search;
    const address = (conversationId: number, textMessageId: number | undefined) => ({
      to: '/inbox/$conversationId' as const,
      params: { conversationId },
      search: { ...kept, textMessageId },
    });
    const { href } = router.buildLocation(address(1, undefined));
    const hrefOf = ({ ConversationID, Found }: FoundConversation) => {
      const own = href.replace('/inbox/1', `/inbox/${ConversationID}`);
      // A search hit opens the thread at that text.
      if (!search.q || !Found) return own;
      return `${own}${own.includes('?') ? '&' : '?'}textMessageId=${Found.TextMessageID}`;
    };
    const addressOf = (link: HTMLAnchorElement) => {
      const found = Number(new URL(link.href).searchParams.get('textMessageId'));
      return address(Number(link.dataset.conversation), found > 0 ? found : undefined);
    };
    const preload = (link: HTMLAnchorElement) =>
      void router.preloadRoute(addressOf(link)).catch(() => undefined);
    const handlers: RowHandlers = {
      onClick: (event) => {
        if (isForBrowser(event)) return;
        event.preventDefault();
        void navigate(addressOf(event.currentTarget));
      },
      onPointerEnter: ({ currentTarget }) => {
        clearTimeout(timer.current);
        timer.current = setTimeout(() => preload(currentTarget), INTENT_MS);
      },
      onPointerLeave: () => clearTimeout(timer.current),
      onFocus: ({ currentTarget }) => preload(currentTarget),
    };
    return { hrefOf, handlers };
  }, [router, navigate, search]);
}

/** Modified clicks, which the browser handles: new tab, new window, download. */
function isForBrowser(event: MouseEvent): boolean {
  return (
    event.defaultPrevented ||
    event.button !== 0 ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  );
}
