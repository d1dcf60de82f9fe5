import type { ChatProblem, ChatStore, ChatView, ClientMessage } from '#lib/chat-client/chat-store.ts';
import { element, icon, textElements } from './elements.ts';
import type { WidgetLook } from './transport.ts';

const CLOSE = 'M6 6l12 12M18 6L6 18';
const SEND = 'M4 12h14M12 6l6 6-6 6';

/** The open chat: head, what was written, the field. A dialog beside the page, which stays usable. */
export function createPanel(options: {
  look: WidgetLook;
  store: ChatStore;
  onClose(): void;
  onAgain(): void;
}) {
  const { look, store } = options;
  const say = (word: string) => look.words[word] ?? '';
  const log = element('div', { class: 'log', role: 'log', tabindex: '0', 'aria-label': look.title });
  const writing = element('div', { class: 'said agent' });
  const problem = element('div', { class: 'problem', role: 'alert' });
  const field = element('textarea', {
    rows: '1',
    maxlength: String(look.maxCharacters),
    placeholder: say('message'),
    'aria-label': say('message'),
  });
  const send = element('button', { class: 'main', type: 'submit', 'aria-label': say('send') }, icon(SEND));
  const form = element('form', {}, field, send);
  const again = button(say('again'), options.onAgain, 'main');
  const over = element('div', { class: 'over' }, element('span', { role: 'status' }, say('ended')), again);
  const end = button(say('end'), () => void store.end());
  const close = button('', options.onClose);
  close.setAttribute('aria-label', say('close'));
  close.append(icon(CLOSE));
  const root = element(
    'section',
    { class: 'panel', role: 'dialog', 'aria-label': look.title, lang: look.language },
    element('header', {}, element('h2', {}, look.title), end, close),
    log,
    element('p', { class: 'note' }, say('notice')),
    problem,
    form,
    over,
  );
  let shown: readonly ClientMessage[] = [];

  function submit(): void {
    const text = field.value.trim();
    if (text === '' || store.view().isAnswering) return;
    field.value = '';
    fit(field);
    void store.send(text);
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
  });
  field.addEventListener('input', () => fit(field));
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    submit();
  });
  root.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') options.onClose();
  });

  function bubble({ from, text }: ClientMessage): HTMLElement {
    const name = element('span', { class: 'name' }, `${say(from === 'agent' ? 'agent' : 'you')}: `);
    return element('div', { class: `said ${from}` }, name, ...textElements(text));
  }

  function showMessages(view: ChatView): void {
    const isMore = shown.every(({ seq, text }, at) => {
      const now = view.messages[at];
      return now?.seq === seq && now.text === text;
    });
    // Only what is new is added, and so only that is read out.
    if (isMore) log.append(...view.messages.slice(shown.length).map(bubble));
    else log.replaceChildren(...view.messages.map(bubble));
    shown = view.messages;
    writing.remove();
    if (!view.isAnswering) return;
    // The words as they come are not read out one by one; the whole answer is.
    writing.setAttribute('aria-hidden', String(view.partial !== ''));
    writing.replaceChildren(...(view.partial === '' ? [say('writing')] : textElements(view.partial)));
    log.append(writing);
  }

  function showProblem(found: ChatProblem | null): void {
    problem.hidden = found === null;
    if (!found) return problem.replaceChildren();
    const retry = button(say('retry'), () => void store.retry());
    problem.replaceChildren(
      element('span', {}, say(found.kind)),
      ...(found.kind === 'unavailable' ? [] : [retry]),
    );
  }

  return {
    root,
    focus: () => (store.view().status === 'ended' ? again : field).focus(),
    render(view: ChatView): void {
      showMessages(view);
      showProblem(view.problem);
      const isOver = view.status === 'ended';
      const lostFocus = isOver && !form.hidden && root.getRootNode() instanceof ShadowRoot && isWithin(form);
      form.hidden = isOver;
      over.hidden = !isOver;
      end.hidden = view.status !== 'open';
      send.setAttribute('aria-disabled', String(view.isAnswering));
      if (lostFocus) again.focus();
      log.scrollTop = log.scrollHeight;
    },
  };
}

function isWithin(form: HTMLElement): boolean {
  const active = (form.getRootNode() as ShadowRoot).activeElement;
  return active !== null && form.contains(active);
}

function button(label: string, onClick: () => void, className = ''): HTMLButtonElement {
  const made = element('button', { type: 'button', class: className }, label);
  made.addEventListener('click', onClick);
  return made;
}

function fit(field: HTMLTextAreaElement): void {
  field.style.height = 'auto';
  field.style.height = `${field.scrollHeight + 2}px`;
}
