import { Fragment } from 'react';
import { type Inline, parseChatText } from '#lib/chat-client/chat-text.ts';

/** A message as elements: paragraphs, lists, bold text, code and links, and never markup of the message's own. */
export function ChatText({ text }: { text: string }) {
  return (
    <div className="flex flex-col gap-2 wrap-anywhere">
      {parseChatText(text).map((block, index) => {
        if (block.kind === 'paragraph')
          return (
            // oxlint-disable-next-line react/no-array-index-key -- a text only grows at its end
            <p key={index}>
              {block.lines.map((line, at) => (
                // oxlint-disable-next-line react/no-array-index-key
                <Fragment key={at}>
                  {at > 0 ? <br /> : null}
                  <Line parts={line} />
                </Fragment>
              ))}
            </p>
          );
        const List = block.isOrdered ? 'ol' : 'ul';
        return (
          // oxlint-disable-next-line react/no-array-index-key
          <List key={index} className={`pl-5 ${block.isOrdered ? 'list-decimal' : 'list-disc'}`}>
            {block.items.map((item, at) => (
              // oxlint-disable-next-line react/no-array-index-key
              <li key={at}>
                <Line parts={item} />
              </li>
            ))}
          </List>
        );
      })}
    </div>
  );
}

function Line({ parts }: { parts: readonly Inline[] }) {
  // oxlint-disable-next-line react/no-array-index-key
  return parts.map((part, index) => <Piece key={index} part={part} />);
}

function Piece({ part }: { part: Inline }) {
  if (part.kind === 'link')
    return (
      <a
        href={part.href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="text-accent-text underline underline-offset-2"
      >
        {part.text}
      </a>
    );
  if (part.kind === 'bold') return <strong>{part.text}</strong>;
  return part.kind === 'code' ? <code className="font-mono text-sm">{part.text}</code> : part.text;
}
