import { boundsOf, type JsonSchema, nameInside, objectInside, typeOf } from './openapi-document.ts';
import { TextWithCode } from './text-with-code.tsx';

/** The fields of an object, those of objects written out inside it below their field; named ones are linked. */
export function SchemaTable({ schema }: { schema: JsonSchema }) {
  const target = objectInside(schema);
  if (!target?.properties) return <TypeName schema={schema} />;
  return (
    <dl className="divide-y divide-line rounded-lg border border-line bg-surface">
      {Object.entries(target.properties).map(([name, property]) => (
        <FieldRow
          key={name}
          name={name}
          schema={property}
          isRequired={target.required?.includes(name) ?? false}
        />
      ))}
    </dl>
  );
}

/** A type in words, leading to the resource that it is or holds. */
export function TypeName({ schema }: { schema: JsonSchema }) {
  const name = nameInside(schema);
  const text = 'font-mono text-xs wrap-anywhere';
  if (!name) return <span className={`${text} text-ink-muted`}>{typeOf(schema)}</span>;
  return (
    <a
      href={`#schema-${name}`}
      className={`${text} rounded-sm text-accent-text underline-offset-4 hover:underline`}
    >
      {typeOf(schema)}
    </a>
  );
}

type FieldRowProps = { name: string; schema: JsonSchema; isRequired: boolean };

export function FieldRow({ name, schema, isRequired }: FieldRowProps) {
  const choices = (schema.anyOf ?? []).map((choice) => boundsOf(choice).join(', ')).filter(Boolean);
  const bounds = [...boundsOf(schema), ...(choices.length > 0 ? [choices.join(' or ')] : [])];
  const nested = objectInside(schema);
  return (
    <div className="px-3.5 py-2.5">
      <dt className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
        <code className="font-mono text-xs font-semibold break-all text-ink">{name}</code>
        <TypeName schema={schema} />
        {isRequired ? <span className="text-xs font-medium text-danger-text">required</span> : null}
      </dt>
      <dd className="mt-1 space-y-1.5 text-sm text-ink-muted empty:hidden">
        {schema.description ? (
          <p>
            <TextWithCode text={schema.description} />
          </p>
        ) : null}
        {bounds.length > 0 ? (
          <p className="font-mono text-xs wrap-anywhere text-ink-subtle">{bounds.join(', ')}</p>
        ) : null}
        {nested ? <SchemaTable schema={nested} /> : null}
      </dd>
    </div>
  );
}
