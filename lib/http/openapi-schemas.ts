import { z } from 'zod';

export type Json = Record<string, unknown>;

/** One zod schema as JSON Schema; a named one (`meta({ id })`) as a reference to its `$defs`. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const json = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // Fields may be added to an answer; who refuses those it does not know would break.
      if (io === 'output' && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
      const override = z.globalRegistry.get(zodSchema)?.override;
      if (!override) return;
      const { description } = jsonSchema;
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
      Object.assign(jsonSchema, override, description === undefined ? {} : { description });
    },
  }) as Json;
  delete json.$schema;
  const { $defs = {}, id: name, ...rest } = json;
  if (typeof name !== 'string') return json;
  return { $ref: `#/$defs/${name}`, $defs: { ...($defs as Json), [name]: rest } };
}

/**
 * Moves the `$defs` of a part of the document into its components, each name once. Throws where two different
 * schemas have one name.
 */
export function hoistNamedSchemas(node: unknown, schemas: Json): unknown {
  if (Array.isArray(node)) return node.map((child) => hoistNamedSchemas(child, schemas));
  if (typeof node !== 'object' || node === null) return node;
  const out: Json = {};
  for (const [key, value] of Object.entries(node)) {
    if (key === '$defs') {
      for (const [name, schema] of Object.entries(value as Json)) addNamed(name, schema as Json, schemas);
    } else if (key === '$ref' && typeof value === 'string') {
      out.$ref = value.replace('#/$defs/', '#/components/schemas/');
    } else {
      out[key] = hoistNamedSchemas(value, schemas);
    }
  }
  return out;
}

function addNamed(name: string, { id: _id, ...schema }: Json, schemas: Json): void {
  const hoisted = hoistNamedSchemas(schema, schemas);
  if (schemas[name] !== undefined && JSON.stringify(schemas[name]) !== JSON.stringify(hoisted)) {
    throw new Error(`Two different schemas are named ${name}`);
  }
  schemas[name] = hoisted;
}
