/** The parts of an OpenAPI 3.1 document that the reference page shows. */
export type JsonSchema = {
  $ref?: string;
  type?: string | string[];
  title?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  default?: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: boolean | JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
};

type Content = Record<string, { schema: JsonSchema; example?: unknown }>;

export type Parameter = {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: JsonSchema;
};

export type Answer = { $ref?: string; description: string; content?: Content };

export type DocumentedOperation = {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, Answer>;
  'x-codeSamples'?: { label: string; source: string }[];
};

export type OpenApiDocument = {
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  webhooks: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, JsonSchema>; responses: Record<string, Answer> };
};

/** `path` is undefined for a webhook: whoever receives it chooses the address. */
export type ListedOperation = { method: string; path: string | undefined; operation: DocumentedOperation };

/** Operations by tag, in the document's order, the webhooks last. */
export function operationsByTag(document: OpenApiDocument): [string, ListedOperation[]][] {
  const groups = new Map<string, ListedOperation[]>();
  const list = (path: string | undefined, methods: Record<string, DocumentedOperation>) => {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags[0] ?? 'Other';
      groups.set(tag, [...(groups.get(tag) ?? []), { method: method.toUpperCase(), path, operation }]);
    }
  };
  for (const [path, methods] of Object.entries(document.paths)) list(path, methods);
  for (const methods of Object.values(document.webhooks)) list(undefined, methods);
  return [...groups];
}

/** The schemas of answers, by name. A body stands in its operation, and error codes have a table of their own. */
export function resources(document: OpenApiDocument): [string, JsonSchema][] {
  const bodies = operationsByTag(document)
    .flatMap(([, listed]) => listed)
    .flatMap(({ operation }) => Object.values(operation.requestBody?.content ?? {}))
    .map((content) => nameOf(content.schema));
  const elsewhere = new Set([...bodies, 'ErrorCode']);
  return Object.entries(document.components.schemas)
    .filter(([name]) => !elsewhere.has(name))
    .sort(([a], [b]) => a.localeCompare(b));
}

export type ErrorRow = { code: string; status: string; meaning: string };

export function errorRows(document: OpenApiDocument): ErrorRow[] {
  return (document.components.schemas.ErrorCode?.oneOf ?? []).map((option) => ({
    code: String(option.const),
    status: option.title ?? '',
    meaning: option.description ?? '',
  }));
}

/** An answer as it stands in the operation, or the shared one it refers to. */
export function resolveAnswer(answer: Answer, document: OpenApiDocument): Answer {
  const name = answer.$ref?.replace('#/components/responses/', '');
  return (name === undefined ? undefined : document.components.responses[name]) ?? answer;
}

/** The codes an answer can carry, which its description names between backticks before a colon. */
export function codesOf(answer: Answer): string[] {
  return [...answer.description.matchAll(/`([A-Z_]+)`:/g)].map((match) => match[1] ?? '');
}

/** The name under which a schema stands in the components, or undefined where it is written out. */
export function nameOf(schema: JsonSchema): string | undefined {
  return schema.$ref?.replace('#/components/schemas/', '');
}

/** Follows a reference into the components. */
export function resolve(schema: JsonSchema, document: OpenApiDocument): JsonSchema {
  const name = nameOf(schema);
  return name === undefined ? schema : (document.components.schemas[name] ?? {});
}

/** "string or null", "array of Agent", "one of calm, warm". */
export function typeOf(schema: JsonSchema): string {
  const name = nameOf(schema);
  if (name) return name;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' · ');
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' or ');
  if (schema.type === 'array') return `array of ${schema.items ? typeOf(schema.items) : 'anything'}`;
  if (schema.type === 'object' && !schema.properties && typeof schema.additionalProperties === 'object') {
    return `object of ${typeOf(schema.additionalProperties)}`;
  }
  return Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'anything');
}

/** The bounds of a value in words. */
export function boundsOf(schema: JsonSchema): string[] {
  const bounds: string[] = [];
  if (schema.format) bounds.push(schema.format);
  if (schema.pattern && !schema.format) bounds.push(`matches ${schema.pattern}`);
  if (schema.minLength) bounds.push(`at least ${schema.minLength} characters`);
  if (schema.maxLength) bounds.push(`at most ${schema.maxLength.toLocaleString('en-US')} characters`);
  if (schema.minimum !== undefined && schema.minimum > Number.MIN_SAFE_INTEGER)
    bounds.push(`from ${schema.minimum}`);
  if (schema.maximum !== undefined && schema.maximum < Number.MAX_SAFE_INTEGER)
    bounds.push(`up to ${schema.maximum}`);
  if (schema.maxItems) bounds.push(`at most ${schema.maxItems} entries`);
  if (schema.default !== undefined) bounds.push(`default ${JSON.stringify(schema.default)}`);
  return bounds;
}

/** The object written out here whose fields are worth a table: the schema itself, or what a list or a choice holds. */
export function objectInside(schema: JsonSchema): JsonSchema | undefined {
  if (schema.properties) return schema;
  if (schema.items) return objectInside(schema.items);
  for (const option of schema.anyOf ?? []) {
    const found = objectInside(option);
    if (found) return found;
  }
  return undefined;
}

/** The named schema a value, a list of values or a value that may be null is made of. */
export function nameInside(schema: JsonSchema): string | undefined {
  const name = nameOf(schema);
  if (name || !(schema.items ?? schema.anyOf)) return name;
  return [schema.items ?? {}, ...(schema.anyOf ?? [])].map(nameInside).find((found) => found !== undefined);
}

/**
 * A request that can be pasted into a terminal as it is. What it needs comes from shell variables: one that is not set
 * leaves an address that no operation has.
 */
export function curlOf(listed: ListedOperation & { path: string }, server: string): string {
  const { method, path, operation } = listed;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => `$${shellName(name, path)}`);
  const lines = [`curl${method === 'GET' ? '' : ` -X ${method}`} "${server}${filled}"`];
  if (!operation.security) lines.push(`  -H "x-api-key: $CALLWRIGHT_API_KEY"`);
  const content = operation.requestBody?.content ?? {};
  if (content['multipart/form-data']) lines.push(`  -F 'file=@handbook.pdf'`);
  const example = content['application/json']?.example;
  if (example !== undefined) {
    const body = JSON.stringify(example, undefined, 2).replaceAll("'", String.raw`'\''`);
    lines.push(`  -H 'Content-Type: application/json'`, `  -d '${body}'`);
  }
  return lines.join(' \\\n');
}

/** `{agentId}` is $AGENT_ID; a bare `{id}` is named after the path that holds it. */
function shellName(parameter: string, path: string): string {
  const noun = path.split('/')[1]?.replace(/s$/, '') ?? '';
  const name = parameter === 'id' ? `${noun}_id` : parameter.replace(/([A-Z])/g, '_$1');
  return name.replaceAll('-', '_').toUpperCase();
}
