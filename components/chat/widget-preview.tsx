'use client';

import { useEffect, useRef, useState } from 'react';
import { en } from '#lib/engine/languages/chat/germanic.ts';
import { useSettled } from '#components/ui/use-settled.ts';
import { CHAT_LIMITS } from '#lib/features/chats/rules.ts';
import { WIDGET_SCRIPT_PATH } from '#lib/features/chats/widget/contract.ts';

type Look = { title: string | null; color: string; greeting: string | null };
type WidgetElement = HTMLElement & { show(look: object): void };

const NAME = 'callwright-chat';

/** The widget itself, as its script draws it on a website. */
export function WidgetPreview(look: Look) {
  const place = useRef<HTMLDivElement>(null);
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    let isWanted = true;
    void loadScript().then(() => isWanted && setLoaded(true));
    return () => {
      isWanted = false;
    };
  }, []);
  const settled = useSettled(JSON.stringify(look), 300);
  useEffect(() => {
    if (!isLoaded) return;
    const { title, color, greeting } = JSON.parse(settled) as Look;
    const element = document.createElement(NAME) as WidgetElement;
    place.current?.replaceChildren(element);
    element.show({
      title: title ?? en.widget.title,
      color,
      greeting: greeting ?? 'Hello! How can I help you?',
      language: 'en',
      maxCharacters: CHAT_LIMITS.messageCharacters,
      words: { ...en.widget, failed: en.failed },
    });
  }, [isLoaded, settled]);
  return <div ref={place} className="flex min-h-64 justify-end" />;
}

async function loadScript(): Promise<void> {
  if (customElements.get(NAME)) return;
  const script = document.createElement('script');
  script.src = WIDGET_SCRIPT_PATH;
  document.head.append(script);
  await customElements.whenDefined(NAME);
}
