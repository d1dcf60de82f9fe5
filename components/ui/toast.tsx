'use client';

import { createContext, useCallback, useContext, useRef, useState, type ReactNode } from 'react';
import { Toast as Radix } from 'radix-ui';
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { IconButton } from './button.tsx';

export type ToastTone = 'success' | 'danger' | 'info';
type ToastMessage = { title: string; description?: string | undefined; tone?: ToastTone };
type ShownToast = ToastMessage & { key: number };

const ToastContext = createContext<((message: ToastMessage) => void) | null>(null);

const ICONS: Record<ToastTone, ReactNode> = {
  success: <CircleCheck aria-hidden="true" className="size-4 text-success-text" />,
  danger: <CircleAlert aria-hidden="true" className="size-4 text-danger-text" />,
  info: <Info aria-hidden="true" className="size-4 text-ink-subtle" />,
};

/** Short news at the foot of the screen, read out by screen readers (failures at once). */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<ShownToast[]>([]);
  const nextKey = useRef(0);
  const show = useCallback((message: ToastMessage) => {
    nextKey.current += 1;
    const key = nextKey.current;
    setToasts((current) => [...current.slice(-2), { ...message, key }]);
  }, []);
  const remove = (key: number) => setToasts((current) => current.filter((toast) => toast.key !== key));
  return (
    <ToastContext value={show}>
      <Radix.Provider swipeDirection="right" duration={6000}>
        {children}
        {toasts.map((toast) => (
          <Radix.Root
            key={toast.key}
            type={toast.tone === 'danger' ? 'foreground' : 'background'}
            onOpenChange={(isOpen) => (isOpen ? undefined : remove(toast.key))}
            className="flex items-start gap-2.5 rounded-lg bg-raised py-3 pr-2 pl-3.5 shadow-pop data-[state=open]:animate-toast-in"
          >
            <span className="flex h-5 items-center">{ICONS[toast.tone ?? 'success']}</span>
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-sm font-medium text-ink">{toast.title}</Radix.Title>
              {toast.description ? (
                <Radix.Description className="text-sm wrap-anywhere text-ink-muted">
                  {toast.description}
                </Radix.Description>
              ) : null}
            </div>
            <Radix.Close asChild>
              <IconButton label="Dismiss" size="sm" icon={<X aria-hidden="true" />} className="-my-1" />
            </Radix.Close>
          </Radix.Root>
        ))}
        <Radix.Viewport className="fixed right-0 bottom-0 z-50 flex w-full max-w-96 flex-col gap-2 p-4 focus-visible:outline-none" />
      </Radix.Provider>
    </ToastContext>
  );
}

/** `const toast = useToast(); toast({ title: 'Saved' })` */
export function useToast(): (message: ToastMessage) => void {
  const show = useContext(ToastContext);
  if (!show) throw new Error('useToast needs a ToastProvider above it');
  return show;
}
