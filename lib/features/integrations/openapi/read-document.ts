import { Validator } from '@seriousme/openapi-schema-validator';
import { parse } from 'yaml';
import type { ImportedTool, OpenApiReading } from '../contract.ts';
import { asRecord, NO_ARGUMENTS, readArgumentSchema } from '../http/argument-schema.ts';
import { HTTP_METHODS, type HttpTool, TOOL_LIMITS, toolFaults } from '../http/tool.ts';

const MAX_OPERATIONS = 300;
const JSON_TYPE = /^application\/(?:[\w.+-]*\+)?json\b/i;

export type ReadDocument = { ok: true; reading: OpenApiReading } | { ok: false; reason: string };
type Fields = Record<string, unknown>;

/** Reads an OpenAPI 3 or Swagger 2 document, as JSON or YAML, into tools. References to other documents are not followed. */
export async function readDocument(text: string): Promise<ReadDocument> {
  const parsed = parseText(text);
  if (!parsed) return { ok: false, reason: 'is neither JSON nor YAML' };
  const validator = new Validator();
  // Given as an object: a string without a line break would be taken for the path of a file.
  const { errors } = await validator.validate(parsed);
  if (!validator.version)
    return { ok: false, reason: 'is no OpenAPI document: it has neither openapi: 3.x nor swagger: 2.0' };
  const resolved = resolve(validator);
  // Many documents in use have slight faults; what matters is that its parts can be found.
  if (!resolved) {
    const fault = typeof errors === 'string' ? `: ${errors.slice(0, 300)}` : '';
    return { ok: false, reason: `has references that cannot be followed${fault}` };
  }
  return { ok: true, reading: readingOf(resolved) };
}

function parseText(text: string): Fields | undefined {
  try {
    const value: unknown = parse(text, { maxAliasCount: 100, logLevel: 'silent' });
    return asRecord(value);
  } catch {
    return undefined;
  }
}

function resolve(validator: Validator): Fields | undefined {
  try {
    return asRecord(validator.resolveRefs());
  } catch {
    return undefined;
  }
}

function readingOf(document: Fields): OpenApiReading {
  const title = asRecord(document['info'])?.['title'];
  const taken = new Set<string>();
  const operations = Object.entries(asRecord(document['paths']) ?? {}).flatMap(([path, item]) =>
    operationsOf(path, asRecord(item) ?? {}),
  );
  return {
    title: typeof title === 'string' ? title.slice(0, 80) : '',
    address: addressOf(document),
    tools: operations.slice(0, MAX_OPERATIONS).map((operation) => toolOf(operation, taken)),
  };
}

type Operation = { path: string; method: HttpTool['method']; fields: Fields; parameters: Fields[] };

function operationsOf(path: string, item: Fields): Operation[] {
  return HTTP_METHODS.flatMap((method) => {
    const fields = asRecord(item[method.toLowerCase()]);
    if (!fields) return [];
    // An operation's own parameter replaces the path's of the same name and place.
    const all = [...listOf(item['parameters']), ...listOf(fields['parameters'])];
    const byKey = new Map(all.map((each) => [`${String(each['in'])} ${String(each['name'])}`, each]));
    return [{ path, method, fields, parameters: [...byKey.values()] }];
  });
}

function toolOf(operation: Operation, taken: Set<string>): ImportedTool {
  const { path, method, fields, parameters } = operation;
  const label = `${method} ${path}`;
  const refuse = (reason: string): ImportedTool => ({ label, tool: null, reason });
  const unsent = parameters.find(
    (each) => each['required'] === true && ['header', 'cookie', 'formData'].includes(String(each['in'])),
  );
  if (unsent) return refuse(`needs ${String(unsent['name'])} in the ${String(unsent['in'])}`);
  const body = bodyOf(fields, parameters);
  if (!body.ok) return refuse(body.reason);
  const inAddress = parameters.filter((each) => each['in'] === 'path' || each['in'] === 'query');
  const clash = inAddress.find((each) => String(each['name']) in body.properties);
  if (clash) return refuse(`has ${String(clash['name'])} both in the address and in the body`);
  const schema = readArgumentSchema({
    type: 'object',
    properties: {
      ...Object.fromEntries(inAddress.map((each) => [String(each['name']), schemaOfParameter(each)])),
      ...body.properties,
    },
    required: [...inAddress.filter(isNeeded).map((each) => String(each['name'])), ...body.required],
  });
  if (!schema) return refuse('has arguments that are too many or too deep');
  const tool: HttpTool = {
    name: freeName(textOf(fields['operationId']) || `${method}_${path}`, taken),
    description: descriptionOf(fields, label),
    method,
    path: pathOf(path, inAddress),
    parameters: schema,
    answer: null,
    timeoutMs: TOOL_LIMITS.defaultTimeoutMs,
    meanwhile: null,
  };
  const [fault] = toolFaults(tool);
  if (fault) return refuse(`its address ${fault.reason}`);
  return { label, tool, reason: null };
}

/** A path's parameter is always needed, whatever the document says. */
const isNeeded = (parameter: Fields) => parameter['required'] === true || parameter['in'] === 'path';

/** Swagger 2 has type and enum beside name and place; OpenAPI 3 has a schema. */
function schemaOfParameter(parameter: Fields): Fields {
  const schema = asRecord(parameter['schema']) ?? parameter;
  const { description } = parameter;
  return { ...schema, ...(typeof description === 'string' ? { description } : {}) };
}

type Body = { ok: true; properties: Fields; required: string[] } | { ok: false; reason: string };

const NO_BODY: Body = { ok: true, properties: {}, required: [] };

function bodyOf(fields: Fields, parameters: readonly Fields[]): Body {
  const ofSwagger = parameters.find((each) => each['in'] === 'body');
  const requestBody = asRecord(fields['requestBody']);
  if (!ofSwagger && !requestBody) return NO_BODY;
  const contents = Object.entries(asRecord(requestBody?.['content']) ?? {});
  const json = asRecord(contents.find(([type]) => JSON_TYPE.test(type))?.[1]);
  const given = ofSwagger?.['schema'] ?? json?.['schema'];
  const isRequired = (ofSwagger ?? requestBody)?.['required'] === true;
  if (!ofSwagger && !json)
    return isRequired ? { ok: false, reason: 'takes a body that is no JSON' } : NO_BODY;
  const schema = readArgumentSchema(merged(given)) ?? NO_ARGUMENTS;
  if (Object.keys(schema.properties).length === 0)
    return isRequired ? { ok: false, reason: 'takes a body that is no object with named fields' } : NO_BODY;
  return { ok: true, properties: schema.properties, required: isRequired ? schema.required : [] };
}

/** `allOf` at the top, as most generators write inheritance, as one object. */
function merged(schema: unknown, depth = 0): unknown {
  const fields = asRecord(schema);
  const parts = listOf(fields?.['allOf']);
  if (!fields || parts.length === 0 || depth > 5) return schema;
  const all = [fields, ...parts.map((part) => asRecord(merged(part, depth + 1)) ?? {})];
  return {
    type: 'object',
    properties: Object.assign({}, ...all.map((each) => asRecord(each['properties']) ?? {})) as Fields,
    required: all.flatMap((each) => (Array.isArray(each['required']) ? each['required'] : [])),
  };
}

function pathOf(path: string, parameters: readonly Fields[]): string {
  const filled = path.replace(/\{([^{}]+)\}/g, '{{$1}}');
  const query = parameters.filter((each) => each['in'] === 'query').map((each) => String(each['name']));
  const pairs = query.map((name) => `${encodeURIComponent(name)}={{${name}}}`);
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
}

function freeName(wanted: string, taken: Set<string>): string {
  const plain = wanted
    .replace(/[^A-Za-z0-9-]+/g, '_')
    .replace(/^[^A-Za-z]+/, '')
    .replace(/_+$/, '');
  const base = (plain === '' ? 'operation' : plain).slice(0, TOOL_LIMITS.name - 4);
  let name = base;
  for (let place = 2; taken.has(name); place += 1) name = `${base}_${place}`;
  taken.add(name);
  return name;
}

function descriptionOf(fields: Fields, label: string): string {
  const texts = [fields['summary'], fields['description']].filter(
    (each): each is string => typeof each === 'string' && each.trim() !== '',
  );
  return (texts.length === 0 ? label : [...new Set(texts)].join('. '))
    .slice(0, TOOL_LIMITS.description)
    .trim();
}

function addressOf(document: Fields): string | null {
  const { host, basePath } = document;
  const [server] = listOf(document['servers']);
  const address =
    typeof host === 'string'
      ? `https://${host}${typeof basePath === 'string' ? basePath : ''}`
      : withDefaults(server ?? {});
  return URL.canParse(address) ? address.replace(/\/+$/, '') : null;
}

/** `https://{region}.example.com` with the default of each variable. */
function withDefaults({ url, variables }: Fields): string {
  const known = asRecord(variables) ?? {};
  return textOf(url).replace(/\{([^{}]+)\}/g, (_, name: string) =>
    textOf(asRecord(known[name])?.['default']),
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function listOf(value: unknown): Fields[] {
  const all: unknown[] = Array.isArray(value) ? value : [];
  return all.map(asRecord).filter((each) => each !== undefined);
}
