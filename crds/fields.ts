import { z } from 'zod';

/** Small field types that several blocks share. Every length has a cap: CEL cost is estimated from it. */

/** Name of an object in the same namespace. */
export const objectName = z
  .string()
  .min(1)
  .max(253)
  .regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/);

/** Name of a Kueue LocalQueue; empty for none, so that the field always has a value. */
export const queueName = z
  .string()
  .max(253)
  .regex(/^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$/);

/** Key in the data of a ConfigMap or Secret. */
export const dataKey = z
  .string()
  .min(1)
  .max(253)
  .regex(/^[-._a-zA-Z0-9]+$/);

/** A reference to a whole object in the same namespace. */
export const objectRef = z.object({ name: objectName.describe('Name of the object, in the same namespace.') });

/** A reference to one key of a Secret that holds upstream's `models.yaml`. */
export const modelsSecretRef = z.object({
  name: objectName.describe('Name of the Secret, in the same namespace.'),
  key: dataKey.default('models.yaml').describe('Key in the Secret whose value is a models.yaml.'),
});

/** A name people choose (model, harness, suite, task case): shown in reports, used in keys. */
export const freeName = z.string().min(1).max(253);

/** Host name or address with optional port; checked in full by the program that dials it. */
export const address = z
  .string()
  .min(1)
  .max(300)
  .regex(/^(https?:\/\/)?[^\s/@]+$/);

/** Seconds from 0 up to a week, unless the field says otherwise. */
export const seconds = z.number().int().min(0).max(604_800);

/** RFC 3339 time as Kubernetes writes it. */
export const time = z.iso.datetime({ offset: true });

/**
 * An object whose inside is not ours to describe: the API server keeps it as it is. In the generated schema it has no
 * type: for a typed object with unknown fields CEL's equality compares only their number and the values of keys that
 * both sides have, so one key could be swapped for another behind an immutability rule; without a type it compares
 * everything (apiserver 0.36, pkg/cel/common/valuesunstructured.go). The price: CEL cannot ask `has()` for it.
 */
export const opaqueObject = z.record(z.string(), z.unknown()).meta({ 'x-kubernetes-preserve-unknown-fields': true });
