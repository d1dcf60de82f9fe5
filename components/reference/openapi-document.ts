/** The parts of an OpenAPI 3.1 document that the reference page shows. */
export type JsonSchema = {
  $ref?: string;
  type?: string | string[];
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
};

type Content = Record<string, { schema: JsonSchema }>;

export type Parameter = {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: JsonSchema;
};

export type DocumentedOperation = {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
};

export type OpenApiDocument = {
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, JsonSchema> };
};

export type ListedOperation = { method: string; path: string; operation: DocumentedOperation };

/** Operations by tag, in the document's order. */
export function operationsByTag(document: OpenApiDocument): [string, ListedOperation[]][] {
  const groups = new Map<string, ListedOperation[]>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags[0] ?? 'Other';
      groups.set(tag, [...(groups.get(tag) ?? []), { method: method.toUpperCase(), path, operation }]);
    }
  }
  return [...groups];
}

/** Follows a reference into the components; the name is shown beside the type. */
export function resolve(
  schema: JsonSchema,
  document: OpenApiDocument,
): { schema: JsonSchema; name: string | undefined } {
  const name = schema.$ref?.replace('#/components/schemas/', '');
  if (name === undefined) return { schema, name };
  return { schema: document.components.schemas[name] ?? {}, name };
}

/** "string or null", "array of Agent", "one of calm, warm". */
export function typeOf(schema: JsonSchema, document: OpenApiDocument): string {
  const { schema: target, name } = resolve(schema, document);
  if (name) return name;
  if (target.const !== undefined) return JSON.stringify(target.const);
  if (target.enum) return target.enum.map((value) => JSON.stringify(value)).join(' · ');
  if (target.anyOf) return [...new Set(target.anyOf.map((option) => typeOf(option, document)))].join(' or ');
  if (target.type === 'array')
    return `array of ${target.items ? typeOf(target.items, document) : 'anything'}`;
  if (target.type === 'object' && !target.properties && typeof target.additionalProperties === 'object') {
    return `object of ${typeOf(target.additionalProperties, document)}`;
  }
  return Array.isArray(target.type) ? target.type.join(' or ') : (target.type ?? 'anything');
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

/** The object whose fields are worth a table: the schema itself, or what a list or a nullable value holds. */
export function objectInside(schema: JsonSchema, document: OpenApiDocument): JsonSchema | undefined {
  const { schema: target } = resolve(schema, document);
  if (target.properties) return target;
  if (target.items) return objectInside(target.items, document);
  for (const option of target.anyOf ?? []) {
    const found = objectInside(option, document);
    if (found) return found;
  }
  return undefined;
}

/** A request that can be pasted into a terminal. */
export function curlOf({ method, path, operation }: ListedOperation, server: string): string {
  const lines = [`curl${method === 'GET' ? '' : ` -X ${method}`} '${server}${path}'`];
  if (!operation.security) lines.push(`  -H "x-api-key: $CALLWRIGHT_API_KEY"`);
  const content = operation.requestBody?.content ?? {};
  if (content['multipart/form-data']) lines.push(`  -F 'file=@handbook.pdf'`);
  const body = content['application/json']?.schema;
  if (body)
    lines.push(
      `  -H 'Content-Type: application/json'`,
      `  -d '${JSON.stringify(exampleOf(body), undefined, 2)}'`,
    );
  return lines.join(' \\\n');
}

function exampleOf(schema: JsonSchema): unknown {
  const required = Object.entries(schema.properties ?? {}).filter(([name]) =>
    schema.required?.includes(name),
  );
  const shown = required.length > 0 ? required : Object.entries(schema.properties ?? {}).slice(0, 2);
  return Object.fromEntries(shown.map(([name, property]) => [name, exampleValue(name, property)]));
}

function exampleValue(name: string, schema: JsonSchema): unknown {
  const option = schema.anyOf?.[0] ?? schema;
  if (option.enum) return option.enum[0];
  if (option.type === 'boolean') return true;
  if (option.type === 'array') return [];
  if (option.type === 'object') return {};
  if (option.type === 'null') return null;
  if (name === 'from') return '+15550100001';
  if (name === 'to') return '+15550109901';
  return '…';
}
