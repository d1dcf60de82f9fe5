import type { ReactNode } from 'react';
import { Badge, type Tone } from '#components/ui/badge.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import {
  type Answer,
  codesOf,
  curlOf,
  type ListedOperation,
  type OpenApiDocument,
  resolve,
  resolveAnswer,
} from './openapi-document.ts';
import { FieldRow, SchemaTable, TypeName } from './schema-table.tsx';
import { TextWithCode } from './text-with-code.tsx';

const METHOD_TONE: Record<string, Tone> = {
  GET: 'neutral',
  POST: 'success',
  PUT: 'warning',
  PATCH: 'warning',
  DELETE: 'danger',
};

type OperationSectionProps = { listed: ListedOperation; document: OpenApiDocument };

/** One operation or webhook: what it takes, what it answers, and the code to paste. */
export function OperationSection({ listed, document }: OperationSectionProps) {
  const { operation } = listed;
  const bodies = Object.entries(operation.requestBody?.content ?? {});
  return (
    <section
      id={operation.operationId}
      aria-labelledby={`${operation.operationId}-title`}
      className="scroll-mt-6 border-t border-line py-8"
    >
      <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
        <div className="min-w-0 space-y-5">
          <OperationHead listed={listed} />
          {operation.parameters ? (
            <Part title="Parameters">
              <Parameters parameters={operation.parameters} />
            </Part>
          ) : null}
          {bodies.map(([type, content]) => (
            <Part key={type} title={`Body · ${type}`}>
              <SchemaTable schema={resolve(content.schema, document)} />
            </Part>
          ))}
          <Part title="Answers">
            <ul className="space-y-2">
              {Object.entries(operation.responses).map(([status, answer]) => (
                <AnswerLine key={status} status={status} answer={resolveAnswer(answer, document)} />
              ))}
            </ul>
          </Part>
        </div>
        <div className="min-w-0 space-y-4 xl:sticky xl:top-6 xl:self-start">
          {codeToPaste(listed, document).map(({ label, source }) => (
            <CodeBlock key={label} label={label} code={source} />
          ))}
        </div>
      </div>
    </section>
  );
}

function OperationHead({ listed: { operation, method, path } }: { listed: ListedOperation }) {
  return (
    <header className="space-y-2">
      <h3 id={`${operation.operationId}-title`} className="text-lg font-semibold text-ink">
        {operation.summary}
      </h3>
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={METHOD_TONE[method] ?? 'neutral'}>{method}</Badge>
        <code className="font-mono text-sm break-all text-ink">{path ?? 'your webhook URL'}</code>
        {path && operation.security ? <Badge>no key needed</Badge> : null}
      </p>
      {operation.description ? (
        <p className="max-w-prose text-sm text-ink-muted">
          <TextWithCode text={operation.description} />
        </p>
      ) : null}
    </header>
  );
}

type ParametersProps = { parameters: NonNullable<ListedOperation['operation']['parameters']> };

function Parameters({ parameters }: ParametersProps) {
  return (
    <dl className="divide-y divide-line rounded-lg border border-line bg-surface">
      {parameters.map((parameter) => (
        <FieldRow
          key={`${parameter.in}-${parameter.name}`}
          name={parameter.name}
          schema={{
            ...parameter.schema,
            ...describe(parameter.in, parameter.description),
          }}
          isRequired={parameter.required}
        />
      ))}
    </dl>
  );
}

/** A request for an operation; for a webhook an example of its body, and how to check that it is ours. */
function codeToPaste(listed: ListedOperation, document: OpenApiDocument) {
  const { operation, path } = listed;
  if (path !== undefined) {
    const source = curlOf({ ...listed, path }, document.servers[0]?.url ?? '');
    return [{ label: `curl for ${operation.summary}`, source }];
  }
  const example = operation.requestBody?.content['application/json']?.example;
  return [
    { label: 'An example of the body', source: JSON.stringify(example, undefined, 2) },
    ...(operation['x-codeSamples'] ?? []),
  ];
}

function describe(location: string, description: string | undefined): { description?: string } {
  const text = [location === 'header' ? 'Header.' : undefined, description].filter(Boolean).join(' ');
  return text === '' ? {} : { description: text };
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="space-y-2">
      <h4 className="text-xs font-medium text-ink-subtle">{title}</h4>
      {children}
    </div>
  );
}

/** A success with what it holds; a failure with its codes, which the table of errors explains. */
function AnswerLine({ status, answer }: { status: string; answer: Answer }) {
  const [type, content] = Object.entries(answer.content ?? {})[0] ?? [];
  const isSuccess = status.startsWith('2');
  const codes = codesOf(answer);
  const data = isSuccess && type === 'application/json' ? content?.schema.properties?.data : undefined;
  return (
    <li className="space-y-2">
      <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1 text-sm text-ink-muted">
        <Badge tone={isSuccess ? 'success' : 'neutral'}>{status}</Badge>
        {data ? (
          <span>
            <code className="font-mono text-xs font-semibold text-ink">data</code> <TypeName schema={data} />
          </span>
        ) : null}
        {codes.map((code) => (
          <a
            key={code}
            href={`#error-${code}`}
            className="rounded-sm font-mono text-xs text-ink-muted underline-offset-4 hover:underline"
          >
            {code}
          </a>
        ))}
        {!data && codes.length === 0 ? <span>{isSuccess && type ? type : answer.description}</span> : null}
      </p>
      {data?.properties ? <SchemaTable schema={data} /> : null}
    </li>
  );
}
