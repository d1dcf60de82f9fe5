'use client';

import { type ReactNode, useRef } from 'react';
import * as RadixDialog from '@radix-ui/react-dialog';
import { AlertDialog as RadixAlertDialog } from 'radix-ui';
import { X } from 'lucide-react';
import { Button, IconButton } from './button.tsx';
import { classNames } from './class-names.ts';

const SCRIM = 'fixed inset-0 z-40 bg-scrim data-[state=open]:animate-fade-in';
const PANEL =
  'fixed z-50 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] flex-col bg-raised shadow-dialog focus-visible:outline-none top-1/2 left-1/2 -translate-x-1/2 -translate-y-1/2 rounded-xl data-[state=open]:animate-fade-in';

type DialogProps = {
  title: ReactNode;
  description?: ReactNode;
  /** The element that opens it; leave out when `isOpen` is controlled from elsewhere. */
  trigger?: ReactNode;
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
  size?: 'sm' | 'md' | 'lg' | 'xl';
  /** A click beside the dialog does not close it: something was typed that would be lost. */
  keepsOutsideClicks?: boolean;
  /** Buttons at the foot, right-aligned. */
  footer?: ReactNode;
  children?: ReactNode;
};

const WIDTHS = { sm: 'max-w-sm', md: 'max-w-lg', lg: 'max-w-2xl', xl: 'max-w-4xl' };

export function Dialog({
  title,
  description,
  trigger,
  isOpen,
  onOpenChange,
  size = 'md',
  keepsOutsideClicks = false,
  footer,
  children,
}: DialogProps) {
  const focus = useReturnOfFocus(trigger !== undefined);
  return (
    <RadixDialog.Root {...openProps(isOpen, onOpenChange)}>
      {trigger ? <RadixDialog.Trigger asChild>{trigger}</RadixDialog.Trigger> : null}
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={SCRIM} />
        <RadixDialog.Content
          className={classNames(PANEL, WIDTHS[size])}
          {...(description ? {} : { 'aria-describedby': undefined })}
          {...focus}
          onOpenAutoFocus={(event) => {
            focus.onOpenAutoFocus?.();
            focusFirstField(event);
          }}
          onInteractOutside={(event) => (keepsOutsideClicks ? event.preventDefault() : undefined)}
        >
          <div className="flex items-start justify-between gap-4 px-5 pt-4 pb-3">
            <div className="min-w-0">
              <RadixDialog.Title className="text-lg font-semibold text-ink">{title}</RadixDialog.Title>
              {description ? (
                <RadixDialog.Description className="mt-0.5 text-sm text-pretty text-ink-muted">
                  {description}
                </RadixDialog.Description>
              ) : null}
            </div>
            <RadixDialog.Close asChild>
              <IconButton label="Close" icon={<X aria-hidden="true" />} className="-mr-2" />
            </RadixDialog.Close>
          </div>
          {children ? <div className="min-h-0 flex-1 overflow-y-auto px-5 pt-1 pb-5">{children}</div> : null}
          {footer ? <DialogFooter>{footer}</DialogFooter> : null}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

export const DialogClose = RadixDialog.Close;

function DialogFooter({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-end gap-2 rounded-b-xl border-t border-line bg-sunken px-5 py-3">
      {children}
    </div>
  );
}

type ConfirmDialogProps = {
  title: ReactNode;
  /** What will happen, and whether it can be undone. */
  description: ReactNode;
  confirmLabel: string;
  onConfirm: () => void;
  isBusy?: boolean;
  /** False while it is still being counted what happens: nothing can be confirmed before. */
  isReady?: boolean;
  tone?: 'danger' | 'primary';
  trigger?: ReactNode;
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
  children?: ReactNode;
};

/**
 * Asks before something that cannot be taken back. Focus starts on "Cancel". It closes on confirming unless
 * `isOpen` is controlled, which lets it stay open, busy, until the work is done.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const focus = useReturnOfFocus(props.trigger !== undefined);
  const action = (
    <Button
      variant={props.tone ?? 'danger'}
      isBusy={props.isBusy ?? false}
      disabled={props.isReady === false}
      onClick={props.onConfirm}
    >
      {props.confirmLabel}
    </Button>
  );
  return (
    <RadixAlertDialog.Root {...openProps(props.isOpen, props.onOpenChange)}>
      {props.trigger ? <RadixAlertDialog.Trigger asChild>{props.trigger}</RadixAlertDialog.Trigger> : null}
      <RadixAlertDialog.Portal>
        <RadixAlertDialog.Overlay className={SCRIM} />
        <RadixAlertDialog.Content className={classNames(PANEL, 'max-w-md')} {...focus}>
          <div className="flex flex-col gap-1 overflow-y-auto px-5 pt-4 pb-5">
            <RadixAlertDialog.Title className="text-lg font-semibold text-ink">
              {props.title}
            </RadixAlertDialog.Title>
            <RadixAlertDialog.Description className="text-sm text-pretty text-ink-muted">
              {props.description}
            </RadixAlertDialog.Description>
            {props.children ? <div className="mt-3">{props.children}</div> : null}
          </div>
          <DialogFooter>
            <RadixAlertDialog.Cancel asChild>
              <Button>Cancel</Button>
            </RadixAlertDialog.Cancel>
            {props.isOpen === undefined ? (
              <RadixAlertDialog.Action asChild>{action}</RadixAlertDialog.Action>
            ) : (
              action
            )}
          </DialogFooter>
        </RadixAlertDialog.Content>
      </RadixAlertDialog.Portal>
    </RadixAlertDialog.Root>
  );
}

/**
 * Radix gives the focus back to a dialog's own trigger. Without one it would be lost: then it goes back to where it
 * was, to the button of the menu that led here, or to the page when either is gone.
 */
export function useReturnOfFocus(hasTrigger: boolean): {
  onOpenAutoFocus?: () => void;
  onCloseAutoFocus?: (event: Event) => void;
} {
  const opener = useRef<HTMLElement | null>(null);
  if (hasTrigger) return {};
  return {
    onOpenAutoFocus: () => {
      const focused = document.activeElement;
      const menuButtonId = focused?.closest('[role=menu]')?.getAttribute('aria-labelledby');
      const origin = menuButtonId ? document.getElementById(menuButtonId) : focused;
      opener.current = origin instanceof HTMLElement ? origin : null;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      const origin = opener.current;
      (origin?.isConnected ? origin : document.getElementById('main'))?.focus({ preventScroll: true });
    },
  };
}

const FIELDS =
  'input:not([type=hidden], :disabled, [readonly]), textarea:not(:disabled), select:not(:disabled)';

/**
 * A form begins at its first field: Radix takes the first element that can have the focus, the cross that closes it. On a
 * telephone the keyboard would cover what is asked.
 */
function focusFirstField(event: Event): void {
  if (!(event.target instanceof HTMLElement) || matchMedia('(pointer: coarse)').matches) return;
  const field = event.target.querySelector<HTMLElement>(FIELDS);
  if (!field) return;
  event.preventDefault();
  field.focus();
}

/** With exact optional types, "not controlled" means that the property is absent. */
function openProps(isOpen: boolean | undefined, onOpenChange: ((isOpen: boolean) => void) | undefined) {
  return { ...(isOpen === undefined ? {} : { open: isOpen }), ...(onOpenChange ? { onOpenChange } : {}) };
}
