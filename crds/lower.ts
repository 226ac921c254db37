import { z } from 'zod';

/** A structural schema: OpenAPI v3.0 with the `x-kubernetes-*` extensions. */
export interface StructuralSchema {
  type?: string;
  format?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  nullable?: boolean;
  properties?: Record<string, StructuralSchema>;
  required?: string[];
  items?: StructuralSchema;
  additionalProperties?: StructuralSchema;
  [keyword: string]: unknown;
}

/** The zod schema uses something that a CustomResourceDefinition cannot express. */
export class NotStructural extends Error {
  readonly path: string;
  constructor(path: string, what: string) {
    super(`${path || 'schema'}: ${what}, which a structural schema cannot express`);
    this.name = 'NotStructural';
    this.path = path;
  }
}

const REFUSED = ['anyOf', 'oneOf', 'allOf', 'not', '$ref', 'const', 'patternProperties', 'prefixItems'] as const;
/** Zod adds these bounds to every integer; int64 says the same. */
const SAFE_BOUNDS: readonly unknown[] = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];

const lowerInteger = (schema: StructuralSchema): void => {
  schema.format = 'int64';
  for (const bound of ['minimum', 'maximum']) if (SAFE_BOUNDS.includes(schema[bound])) delete schema[bound];
};

const lowerKeywords = (schema: StructuralSchema): void => {
  // The key schema of a record has no structural form.
  delete schema['propertyNames'];
  // The API server checks the format itself; zod's pattern for it is 300 characters in every timestamp.
  if (schema.format === 'date-time') delete schema['pattern'];
  if (schema.type === 'integer') lowerInteger(schema);
  // The API server prunes unknown fields, and refuses the boolean forms of additionalProperties.
  if (typeof schema.additionalProperties !== 'object') delete schema.additionalProperties;
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) {
    // Untyped on purpose: see opaqueObject in fields.ts.
    delete schema.type;
    delete schema.additionalProperties;
  }
};

/**
 * The API server validates a default against the CEL rules before it fills in the defaults inside it, so a block's
 * default `{}` fails its own rules ("no such key"). A default that is written out in full passes.
 */
const filledDefault = (schema: StructuralSchema): unknown => {
  const { default: own, properties } = schema;
  if (properties === undefined || typeof own !== 'object' || own === null) return own;
  const filled = Object.entries(properties)
    .filter(([, child]) => child.default !== undefined)
    .map(([name, child]) => [name, child.default] as const);
  return { ...Object.fromEntries(filled), ...own };
};

const lowerNode = (input: StructuralSchema, path: string): StructuralSchema => {
  const schema: StructuralSchema = { ...input };
  for (const keyword of REFUSED) if (keyword in schema) throw new NotStructural(path, `uses ${keyword}`);
  lowerKeywords(schema);
  if (schema.properties) {
    schema.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, child]) => [name, lowerNode(child, `${path}.${name}`)]),
    );
  }
  if (schema.items) schema.items = lowerNode(schema.items, `${path}[]`);
  if (schema.additionalProperties) schema.additionalProperties = lowerNode(schema.additionalProperties, `${path}.*`);
  if (schema.default !== undefined) schema.default = filledDefault(schema);
  if (schema.type === undefined && schema['x-kubernetes-preserve-unknown-fields'] !== true) {
    throw new NotStructural(path, 'has no type');
  }
  return schema;
};

/**
 * Turns a zod schema into a structural schema of what clients may send (`io: 'input'`, so fields with defaults are not
 * required), with rules and list types from `.meta()`.
 * @throws NotStructural for unions, intersections, literals of mixed type and whatever else a CRD cannot express.
 */
export const lower = (schema: z.ZodType, path = ''): StructuralSchema => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'input' });
  return lowerNode(json as StructuralSchema, path);
};
