'use client';

import { createContext, useContext, useId, type ComponentProps, type ReactNode } from 'react';
import { CircleAlert } from 'lucide-react';
import { classNames } from './class-names.ts';

type FieldContextValue = {
  controlId: string;
  describedBy: string | undefined;
  isInvalid: boolean;
  isRequired: boolean;
};

const FieldContext = createContext<FieldContextValue | null>(null);

type ControlProps = {
  id?: string | undefined;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: ComponentProps<'input'>['aria-invalid'];
  'aria-required'?: ComponentProps<'input'>['aria-required'];
};

/** The attributes that tie a control to the label, description and error of the `Field` around it. */
export function useFieldControl(own: ControlProps): ControlProps {
  const field = useContext(FieldContext);
  if (!field) return own;
  return {
    id: own.id ?? field.controlId,
    'aria-describedby': own['aria-describedby'] ?? field.describedBy,
    'aria-invalid': own['aria-invalid'] ?? (field.isInvalid || undefined),
    'aria-required': own['aria-required'] ?? (field.isRequired || undefined),
  };
}

export function Label({ className, children, ...rest }: ComponentProps<'label'>) {
  return (
    // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- htmlFor comes with the props
    <label className={classNames('text-sm font-medium text-ink select-none', className)} {...rest}>
      {children}
    </label>
  );
}

type FieldProps = {
  label: ReactNode;
  description?: ReactNode;
  /** Shown in place, announced, and tied to the control. */
  error?: string | undefined;
  isRequired?: boolean;
  /** At the right of the label: a counter, a link, "optional". */
  aside?: ReactNode;
  /** `row`: the control at the right of its text, for switches. `check`: the control before its text. */
  layout?: 'stacked' | 'row' | 'check';
  /** For a control whose id is not its own to choose. */
  controlId?: string;
  className?: string;
  children: ReactNode;
};

/** Label, control, description and error in one, with the wiring a screen reader needs. */
export function Field({ layout = 'stacked', ...props }: FieldProps) {
  const ownId = useId();
  const controlId = props.controlId ?? ownId;
  const descriptionId = `${controlId}-description`;
  const errorId = `${controlId}-error`;
  const describedBy = [props.error ? errorId : null, props.description ? descriptionId : null]
    .filter(Boolean)
    .join(' ');
  const label = <FieldLabel controlId={controlId} label={props.label} isRequired={props.isRequired} />;
  const description = props.description ? (
    <p id={descriptionId} className="text-sm text-pretty text-ink-subtle">
      {props.description}
    </p>
  ) : null;
  const error = props.error ? <FieldError id={errorId} message={props.error} /> : null;
  return (
    <FieldContext
      value={{
        controlId,
        describedBy: describedBy || undefined,
        isInvalid: props.error !== undefined,
        isRequired: props.isRequired ?? false,
      }}
    >
      {layout === 'stacked' ? (
        <div className={classNames('flex min-w-0 flex-col gap-1.5', props.className)}>
          <div className="flex items-baseline justify-between gap-3">
            {label}
            {props.aside ? <span className="figures text-xs text-ink-subtle">{props.aside}</span> : null}
          </div>
          {props.children}
          {error}
          {description}
        </div>
      ) : (
        <div
          className={classNames(
            'flex min-w-0 gap-3',
            layout === 'row' ? 'items-start justify-between sm:gap-8' : 'items-start',
            props.className,
          )}
        >
          {layout === 'check' ? <span className="flex h-5 items-center">{props.children}</span> : null}
          <div className="flex min-w-0 flex-col gap-0.5">
            {label}
            {description}
            {error}
          </div>
          {layout === 'row' ? <span className="flex h-5 shrink-0 items-center">{props.children}</span> : null}
        </div>
      )}
    </FieldContext>
  );
}

type FieldLabelProps = { controlId: string; label: ReactNode; isRequired: boolean | undefined };

function FieldLabel({ controlId, label, isRequired }: FieldLabelProps) {
  return (
    <Label htmlFor={controlId}>
      {label}
      {isRequired ? (
        <span aria-hidden="true" className="ml-0.5 text-danger-text">
          *
        </span>
      ) : null}
    </Label>
  );
}

export function FieldError({ id, message }: { id?: string; message: string }) {
  return (
    <p id={id} role="alert" className="flex items-start gap-1.5 text-sm text-danger-text">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
      <span className="min-w-0 wrap-anywhere">{message}</span>
    </p>
  );
}
