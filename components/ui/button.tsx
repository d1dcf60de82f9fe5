import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { Slot } from 'radix-ui';
import { classNames } from './class-names.ts';
import { Spinner } from './spinner.tsx';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger';
export type ButtonSize = 'sm' | 'md' | 'lg';

const VARIANTS: Record<ButtonVariant, string> = {
  primary: 'bg-accent text-accent-contrast shadow-xs hover:bg-accent-hover',
  secondary: 'border border-line-strong bg-surface text-ink shadow-xs hover:bg-hover',
  ghost: 'text-ink-muted hover:bg-hover hover:text-ink data-[state=open]:bg-hover',
  danger: 'bg-danger-solid text-white shadow-xs hover:bg-danger-hover',
};

const SIZES: Record<ButtonSize, string> = {
  sm: 'h-7 gap-1.5 px-2.5 text-sm pointer-coarse:h-9',
  md: 'h-8 gap-1.5 px-3 text-sm pointer-coarse:h-10',
  lg: 'h-10 gap-2 px-4 text-base',
};

const ICON_SIZES: Record<ButtonSize, string> = {
  sm: 'size-7 pointer-coarse:size-9',
  md: 'size-8 pointer-coarse:size-10',
  lg: 'size-10',
};

const SHARED =
  'inline-flex shrink-0 items-center justify-center rounded-md font-medium whitespace-nowrap select-none transition-colors duration-100 disabled:opacity-50 disabled:shadow-none aria-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0';

/** For what is a link by nature and looks like a button: `<Link className={buttonClasses()}>`. */
export function buttonClasses(
  options: { variant?: ButtonVariant; size?: ButtonSize; className?: string } = {},
): string {
  return classNames(
    SHARED,
    VARIANTS[options.variant ?? 'secondary'],
    SIZES[options.size ?? 'md'],
    options.className,
  );
}

type ButtonProps = ComponentProps<'button'> & {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Shows a spinner and refuses clicks; the label stays, so that the width and the name do not change. */
  isBusy?: boolean;
  asChild?: boolean;
};

/** Not `disabled`, which would lose the focus of whoever pressed it. */
const BUSY = {
  'aria-busy': true,
  'aria-disabled': true,
  onClick: (event: MouseEvent) => {
    // A form is not sent twice.
    event.preventDefault();
    event.stopPropagation();
  },
};

export function Button({
  variant,
  size,
  isBusy = false,
  asChild = false,
  className,
  children,
  disabled,
  ...rest
}: ButtonProps) {
  const classes = classNames(SHARED, VARIANTS[variant ?? 'secondary'], SIZES[size ?? 'md'], className);
  if (asChild) {
    return (
      <Slot.Root className={classes} {...rest}>
        {children}
      </Slot.Root>
    );
  }
  return (
    <button
      type="button"
      className={classes}
      disabled={disabled === true}
      {...rest}
      {...(isBusy ? BUSY : {})}
    >
      {isBusy ? <Spinner /> : null}
      {children}
    </button>
  );
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'children' | 'aria-label'> & {
  /** The accessible name: an icon alone says nothing to a screen reader. */
  label: string;
  icon: ReactNode;
  variant?: ButtonVariant;
  size?: ButtonSize;
};

export function IconButton({ label, icon, variant, size, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      className={classNames(SHARED, VARIANTS[variant ?? 'ghost'], ICON_SIZES[size ?? 'md'], className)}
      {...rest}
    >
      {icon}
    </button>
  );
}
