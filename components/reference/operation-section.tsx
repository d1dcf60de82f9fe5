import type { ReactNode } from 'react';
import { Badge, type Tone } from '#components/ui/badge.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { curlOf, type ListedOperation, type OpenApiDocument } from './openapi-document.ts';
import { FieldRow, SchemaTable } from './schema-table.tsx';
import { TextWithCode } from './text-with-code.tsx';

const METHOD_TONE: Record<string, Tone> = {
  GET: 'neutral',
  POST: 'success',
  PUT: 'warning',
  PATCH: 'warning',
  DELETE: 'danger',
};

function MethodBadge({ method }: { method: string }) {
  return <Badge tone={METHOD_TONE[method] ?? 'neutral'}>{method}</Badge>;
}

/** One operation: what it takes, what it answers, and the request to paste. */
export function OperationSection({
  listed,
  document,
}: {
  listed: ListedOperation;
  document: OpenApiDocument;
}) {
  const { operation, method, path } = listed;
  const bodies = Object.entries(operation.requestBody?.content ?? {});
  return (
    <section
      id={operation.operationId}
      aria-labelledby={`${operation.operationId}-title`}
      className="scroll-mt-6 border-t border-line py-8"
    >
      <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
        <div className="min-w-0 space-y-5">
          <header className="space-y-2">
            <h3 id={`${operation.operationId}-title`} className="text-lg font-semibold text-ink">
              {operation.summary}
            </h3>
            <p className="flex flex-wrap items-center gap-2">
              <MethodBadge method={method} />
              <code className="font-mono text-sm break-all text-ink">{path}</code>
              {operation.security ? <Badge>no key needed</Badge> : null}
            </p>
            {operation.description ? (
              <p className="max-w-prose text-sm text-ink-muted">
                <TextWithCode text={operation.description} />
              </p>
            ) : null}
          </header>
          {operation.parameters ? (
            <Part title="Parameters">
              <dl className="divide-y divide-line rounded-lg border border-line bg-surface">
                {operation.parameters.map((parameter) => (
                  <FieldRow
                    key={`${parameter.in}-${parameter.name}`}
                    name={parameter.name}
                    schema={{
                      ...parameter.schema,
                      description: describe(parameter.in, parameter.description),
                    }}
                    isRequired={parameter.required}
                    document={document}
                    depth={0}
                  />
                ))}
              </dl>
            </Part>
          ) : null}
          {bodies.map(([type, content]) => (
            <Part key={type} title={`Body · ${type}`}>
              <SchemaTable schema={content.schema} document={document} />
            </Part>
          ))}
          <Part title="Answers">
            <ul className="space-y-2">
              {Object.entries(operation.responses).map(([status, response]) => (
                <Answer key={status} status={status} response={response} document={document} />
              ))}
            </ul>
          </Part>
        </div>
        <div className="min-w-0">
          <div className="xl:sticky xl:top-6">
            <CodeBlock
              label={`curl for ${operation.summary}`}
              code={curlOf(listed, document.servers[0]?.url ?? '')}
            />
          </div>
        </div>
      </div>
    </section>
  );
}

function describe(location: string, description: string | undefined): string {
  return [location === 'header' ? 'Header.' : undefined, description].filter(Boolean).join(' ');
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="space-y-2">
      <h4 className="text-xs font-medium text-ink-subtle">{title}</h4>
      {children}
    </div>
  );
}

type AnswerProps = {
  status: string;
  response: ListedOperation['operation']['responses'][string];
  document: OpenApiDocument;
};

function Answer({ status, response, document }: AnswerProps) {
  const [type, content] = Object.entries(response.content ?? {})[0] ?? [];
  const isSuccess = status.startsWith('2');
  const label = (
    <>
      <Badge tone={isSuccess ? 'success' : 'neutral'}>{status}</Badge>
      <span className="text-sm text-ink-muted">
        {isSuccess ? (type ?? response.description) : response.description}
      </span>
    </>
  );
  if (!content || type !== 'application/json')
    return <li className="flex flex-wrap items-baseline gap-2">{label}</li>;
  return (
    <li>
      <details open={isSuccess}>
        <summary className="flex cursor-pointer items-baseline gap-2 rounded-sm">{label}</summary>
        <div className="mt-2">
          <SchemaTable schema={content.schema} document={document} />
        </div>
      </details>
    </li>
  );
}
