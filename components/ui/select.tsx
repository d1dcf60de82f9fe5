'use client';

import { Select as RadixSelect } from 'radix-ui';
import { Check, ChevronDown, ChevronsUpDown } from 'lucide-react';
import { classNames } from './class-names.ts';
import { useFieldControl } from './field.tsx';
import { CONTROL_CLASSES } from './input.tsx';
import { useNonce } from './nonce.tsx';

export type SelectOption = {
  value: string;
  label: string;
  detail?: string | undefined;
  isDisabled?: boolean;
};

type SelectProps = {
  options: readonly SelectOption[];
  /** '' = nothing chosen; an option with the value '' is allowed and means "none" or "all". */
  value: string;
  onValueChange: (value: string) => void;
  placeholder?: string;
  id?: string;
  name?: string;
  disabled?: boolean;
  className?: string;
  'aria-label'?: string;
  'aria-invalid'?: boolean;
  onBlur?: () => void;
};

// Radix keeps '' for "nothing chosen", so an option with that value travels under this name.
const EMPTY = '\u0001empty';

export function Select({
  options,
  value,
  onValueChange,
  placeholder = 'Choose…',
  className,
  ...rest
}: SelectProps) {
  const wiring = useFieldControl({ id: rest.id, 'aria-invalid': rest['aria-invalid'] });
  const nonce = useNonce();
  const chosen = options.find((option) => option.value === value);
  const hasEmptyOption = options.some((option) => option.value === '');
  return (
    <RadixSelect.Root
      value={value === '' && hasEmptyOption ? EMPTY : value}
      onValueChange={(next) => onValueChange(next === EMPTY ? '' : next)}
      {...(rest.name === undefined ? {} : { name: rest.name })}
      {...(rest.disabled === undefined ? {} : { disabled: rest.disabled })}
    >
      <RadixSelect.Trigger
        {...wiring}
        aria-label={rest['aria-label']}
        onBlur={rest.onBlur}
        className={classNames(
          CONTROL_CLASSES,
          'inline-flex h-8 items-center justify-between gap-2 px-2.5 text-left data-[placeholder]:text-ink-subtle disabled:opacity-60 pointer-coarse:h-10',
          className,
        )}
      >
        <span className="truncate">
          {/* Named here: by itself it has no words on the server, and the page would jump when they came. */}
          <RadixSelect.Value placeholder={placeholder}>{chosen?.label}</RadixSelect.Value>
        </span>
        <RadixSelect.Icon asChild>
          <ChevronsUpDown aria-hidden="true" className="size-3.5 shrink-0 text-ink-subtle" />
        </RadixSelect.Icon>
      </RadixSelect.Trigger>
      <RadixSelect.Portal>
        <RadixSelect.Content
          position="popper"
          sideOffset={4}
          className="z-50 max-h-[min(24rem,var(--radix-select-content-available-height))] max-w-[min(28rem,calc(100vw-1rem))] min-w-[var(--radix-select-trigger-width)] overflow-hidden rounded-lg bg-raised shadow-pop data-[state=open]:animate-pop-in"
        >
          <RadixSelect.Viewport className="p-1" {...(nonce ? { nonce } : {})}>
            {options.map((option) => (
              <Option key={option.value} option={option} />
            ))}
          </RadixSelect.Viewport>
          <RadixSelect.ScrollDownButton className="flex h-6 items-center justify-center text-ink-subtle">
            <ChevronDown aria-hidden="true" className="size-4" />
          </RadixSelect.ScrollDownButton>
        </RadixSelect.Content>
      </RadixSelect.Portal>
    </RadixSelect.Root>
  );
}

function Option({ option }: { option: SelectOption }) {
  return (
    <RadixSelect.Item
      value={option.value === '' ? EMPTY : option.value}
      disabled={option.isDisabled ?? false}
      className="relative flex min-h-8 cursor-pointer items-center rounded-md py-1 pr-8 pl-2.5 text-sm text-ink outline-none select-none data-[disabled]:opacity-50 data-[highlighted]:bg-hover pointer-coarse:min-h-10"
    >
      <span className="min-w-0">
        <RadixSelect.ItemText>{option.label}</RadixSelect.ItemText>
        {option.detail ? <span className="block text-xs text-ink-subtle">{option.detail}</span> : null}
      </span>
      <RadixSelect.ItemIndicator className="absolute right-2.5">
        <Check aria-hidden="true" className="size-4 text-accent-text" />
      </RadixSelect.ItemIndicator>
    </RadixSelect.Item>
  );
}
