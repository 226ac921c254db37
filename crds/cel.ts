/**
 * CEL rules are carried in the zod schema as `x-kubernetes-validations`, so that a field and its rule are in one place. A
 * rule on `oldSelf` runs on updates only, and never for a field that was just added or removed. Immutability is therefore
 * declared on the parent (see {@link immutable}), where both sides always exist.
 */
export interface CelRule {
  readonly rule: string;
  /** One sentence that names the field. */
  readonly message: string;
}

/** Metadata for `.meta()` that carries the rules into the schema. */
export const celRules = (...list: readonly CelRule[]): { 'x-kubernetes-validations': readonly CelRule[] } => ({
  'x-kubernetes-validations': list,
});

/**
 * One rule per field for the object that holds the fields: a field cannot be added, removed or changed after creation.
 * `has()` comes first because CEL fails when it reads an absent field.
 */
export const immutable = (parent: string, fields: readonly string[]): CelRule[] =>
  fields.map((name) => ({
    rule: `has(self.${name}) == has(oldSelf.${name}) && (!has(self.${name}) || self.${name} == oldSelf.${name})`,
    message: `${parent}.${name} cannot be changed after creation; delete the object and create it again.`,
  }));
