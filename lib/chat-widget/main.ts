import { createChatStore } from '#lib/chat-client/chat-store.ts';
import { element, icon } from './elements.ts';
import { createPanel } from './panel.ts';
import { readableOn, STYLE } from './style.ts';
import { createWidgetTransport, previewTransport, type WidgetLook } from './transport.ts';

const BUBBLE = 'M21 12a8 8 0 0 1-8 8H4l2-3a8 8 0 1 1 15-5z';
const NAME = 'callwright-chat';

/** The chat on a website: `<callwright-chat>` in a shadow root of its own. */
class CallwrightChat extends HTMLElement {
  /** The service that the script came from, and the widget that its tag names. */
  source: { base: string; widgetId: string } | undefined;

  /** Shows how a look would be, inline and without a service; for the dashboard. */
  show(look: WidgetLook): void {
    this.setAttribute('preview', '');
    this.draw(look, createChatStore(previewTransport(look.greeting), look.greeting), {
      isOpen: true,
      keepOpen: () => undefined,
      forget: () => undefined,
    });
  }

  async connect(): Promise<void> {
    if (!this.source) return;
    const service = createWidgetTransport(this.source.base, this.source.widgetId);
    const look = await service.look().catch(() => undefined);
    if (!look) {
      // Not for this website, switched off, or out of reach: the page is as if there were no widget.
      this.remove();
      // oxlint-disable-next-line no-console -- whoever puts the tag into a page looks there
      console.warn('The chat is not available on this page.');
      return;
    }
    const store = createChatStore(service.transport, look.greeting);
    const { keepOpen, forget } = service;
    this.draw(look, store, { isOpen: service.wasOpen(), keepOpen, forget });
    window.addEventListener('online', () => void store.reconnect());
    if (service.hasChat()) await store.resume();
  }

  private draw(
    look: WidgetLook,
    store: ReturnType<typeof createChatStore>,
    start: { isOpen: boolean; keepOpen(isOpen: boolean): void; forget(): void },
  ): void {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    this.style.setProperty('--accent', look.color);
    this.style.setProperty('--on-accent', readableOn(look.color));
    const launch = element('button', { class: 'main launch', type: 'button', lang: look.language });
    launch.append(icon(BUBBLE));
    const panel = createPanel({
      look,
      store,
      onClose: () => setOpen(false),
      onAgain() {
        start.forget();
        store.reset();
        panel.focus();
      },
    });
    const setOpen = (isOpen: boolean, movesFocus = true) => {
      panel.root.hidden = !isOpen;
      launch.setAttribute('aria-expanded', String(isOpen));
      launch.setAttribute('aria-label', look.words[isOpen ? 'close' : 'open'] ?? '');
      start.keepOpen(isOpen);
      if (movesFocus) (isOpen ? panel : launch).focus();
    };
    launch.addEventListener('click', () => setOpen(panel.root.hidden === true));
    root.replaceChildren(panel.root, launch);
    store.subscribe(() => panel.render(store.view()));
    panel.render(store.view());
    setOpen(start.isOpen, false);
    followVisiblePart(this);
  }
}

/** The keyboard of a phone lies over the page: the chat fills what is left of it. */
function followVisiblePart(host: HTMLElement): void {
  const visible = window.visualViewport;
  if (!visible) return;
  const follow = () => {
    host.style.setProperty('--visible-top', `${visible.offsetTop}px`);
    host.style.setProperty('--visible-height', `${visible.height}px`);
  };
  visible.addEventListener('resize', follow);
  visible.addEventListener('scroll', follow);
  follow();
}

if (!customElements.get(NAME)) customElements.define(NAME, CallwrightChat);

/** Only while the script itself runs does the page say which tag it came from. */
const tag = document.currentScript;
if (tag instanceof HTMLScriptElement && tag.dataset.widget) {
  const source = { base: new URL(tag.src).origin, widgetId: tag.dataset.widget };
  const begin = () => {
    const chat = document.createElement(NAME) as CallwrightChat;
    chat.source = source;
    document.body.append(chat);
    void chat.connect();
  };
  if (document.body) begin();
  else document.addEventListener('DOMContentLoaded', begin);
}
