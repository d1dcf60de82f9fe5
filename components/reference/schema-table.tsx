import {
  boundsOf,
  type JsonSchema,
  objectInside,
  type OpenApiDocument,
  resolve,
  typeOf,
} from './openapi-document.ts';
import { TextWithCode } from './text-with-code.tsx';

const DEEPEST = 4;

/** The fields of an object, nested ones in a disclosure below their field. */
export function SchemaTable({
  schema,
  document,
  depth = 0,
}: {
  schema: JsonSchema;
  document: OpenApiDocument;
  depth?: number;
}) {
  const target = objectInside(schema, document);
  if (!target?.properties) return <p className="text-sm text-ink-muted">{typeOf(schema, document)}</p>;
  return (
    <dl className="divide-y divide-line rounded-lg border border-line bg-surface">
      {Object.entries(target.properties).map(([name, property]) => (
        <FieldRow
          key={name}
          name={name}
          schema={property}
          isRequired={target.required?.includes(name) ?? false}
          document={document}
          depth={depth}
        />
      ))}
    </dl>
  );
}

type FieldRowProps = {
  name: string;
  schema: JsonSchema;
  isRequired: boolean;
  document: OpenApiDocument;
  depth: number;
};

export function FieldRow({ name, schema, isRequired, document, depth }: FieldRowProps) {
  const { schema: target } = resolve(schema, document);
  const description = schema.description ?? target.description;
  const bounds = [...boundsOf(target), ...(target.anyOf ?? []).flatMap(boundsOf)];
  const nested = depth < DEEPEST ? objectInside(schema, document) : undefined;
  return (
    <div className="px-3.5 py-2.5">
      <dt className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
        <code className="font-mono text-xs font-semibold break-all text-ink">{name}</code>
        <span className="font-mono text-xs break-words text-ink-muted">{typeOf(schema, document)}</span>
        {isRequired ? <span className="text-xs font-medium text-danger-text">required</span> : null}
      </dt>
      <dd className="mt-1 space-y-1.5 text-sm text-ink-muted empty:hidden">
        {description ? (
          <p>
            <TextWithCode text={description} />
          </p>
        ) : null}
        {bounds.length > 0 ? (
          <p className="font-mono text-xs break-words text-ink-subtle">{bounds.join(', ')}</p>
        ) : null}
        {nested ? (
          <details open={name === 'data' && depth === 0}>
            <summary className="w-fit cursor-pointer rounded-sm text-xs font-medium text-accent-text">
              Fields
            </summary>
            <div className="mt-2">
              <SchemaTable schema={nested} document={document} depth={depth + 1} />
            </div>
          </details>
        ) : null}
      </dd>
    </div>
  );
}
