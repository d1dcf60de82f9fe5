'use client';

import { useEffect, useState } from 'react';
import { Check, Copy } from 'lucide-react';
import { Button, IconButton, type ButtonSize, type ButtonVariant } from './button.tsx';
import { Tooltip } from './tooltip.tsx';

type CopyButtonProps = {
  text: string;
  /** What is copied: "Copy conversation id". */
  label: string;
  /** Shows the label as text; otherwise only an icon with the label as its name. */
  hasText?: boolean;
  size?: ButtonSize;
  variant?: ButtonVariant;
  className?: string;
};

export function CopyButton({
  text,
  label,
  hasText = false,
  size = 'sm',
  variant,
  className,
}: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return undefined;
    const timer = setTimeout(() => setState('idle'), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () => {
    copyText(text).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  };
  const icon =
    state === 'copied' ? (
      <Check aria-hidden="true" className="text-success-text" />
    ) : (
      <Copy aria-hidden="true" />
    );
  const outcome = state === 'copied' ? 'Copied' : state === 'failed' ? 'Could not copy' : '';
  return (
    <>
      {hasText ? (
        <Button
          size={size}
          variant={variant ?? 'secondary'}
          onClick={copy}
          {...(className ? { className } : {})}
        >
          {icon}
          {outcome || label}
        </Button>
      ) : (
        <Tooltip content={label}>
          <IconButton
            label={label}
            icon={icon}
            size={size}
            variant={variant ?? 'ghost'}
            onClick={copy}
            {...(className ? { className } : {})}
          />
        </Tooltip>
      )}
      <output className="sr-only">{outcome}</output>
    </>
  );
}

/** `navigator.clipboard` is missing on plain http under another name than localhost; the old command still works there. */
async function copyText(text: string): Promise<void> {
  if (window.isSecureContext) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'sr-only';
  // Beside the button and not in the body: an open dialog takes back a focus that leaves it.
  (document.activeElement?.parentElement ?? document.body).append(area);
  area.select();
  const succeeded = document.execCommand('copy');
  area.remove();
  if (!succeeded) throw new Error('copy refused');
}
