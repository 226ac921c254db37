import { z } from 'zod';

/**
 * Small field types that several blocks share. Every length has an upper bound, since the API server estimates the cost
 * of CEL rules from it. Every string has a pattern in the syntax that Go and JavaScript share: text that is unusable later
 * (NUL in a variable, a line break in a header) must be refused here and not cost attempts (crds/surface.test.ts).
 */

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const HOST = '([A-Za-z0-9_]([-A-Za-z0-9_.]*[A-Za-z0-9_])?\\.?|\\[[0-9A-Fa-f:.]+\\])';
/** 1 to 65535. */
const PORT = '([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])';

const whole = (pattern: string): RegExp => new RegExp(`^${pattern}$`);

/** Text on one line. */
export const line = (max: number): z.ZodString =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^\P{Cc}+$/u);

/** Name of an object in the same namespace. */
export const objectName = z.string().min(1).max(253).regex(whole(SUBDOMAIN));

/** Name of a Kueue LocalQueue, which is used as a label value; empty for none, so that the field always has a value. */
export const queueName = z
  .string()
  .max(63)
  .regex(whole(`(${SUBDOMAIN})?`));

/** Key in the data of a ConfigMap or Secret. */
export const dataKey = z
  .string()
  .min(1)
  .max(253)
  .regex(/^\.?[-_a-zA-Z0-9][-._a-zA-Z0-9]*$/);

/** Value of a label. */
export const labelText = z
  .string()
  .max(63)
  .regex(/^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/);

/** Value of a variable: anything that `execve` takes. */
export const envValue = z
  .string()
  .max(8192)
  .regex(/^[^\0]*$/);

/** A container image reference: registry, path, tag, digest. */
export const imageReference = z
  .string()
  .min(1)
  .max(512)
  .regex(
    whole(
      '([A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?(:[0-9]+)?/)?[a-z0-9]+((\\.|_|__|-+)[a-z0-9]+)*(/[a-z0-9]+((\\.|_|__|-+)[a-z0-9]+)*)*(:[A-Za-z0-9_][-A-Za-z0-9_.]{0,127})?(@sha256:[0-9a-f]{64})?',
    ),
  );

/** Prefix of keys in an object store, without a leading slash. */
export const keyPrefix = z
  .string()
  .max(512)
  .regex(/^([^/\\\p{Cc}][^\\\p{Cc}]*)?$/u);

/** A reference to a whole object in the same namespace. */
export const objectRef = z.object({
  name: objectName.describe('name is the name of the object in the same namespace.'),
});

/** A reference to one key of a Secret that holds upstream's `models.yaml`. */
export const modelsSecretRef = z.object({
  name: objectName.describe('name is the name of the Secret in the same namespace.'),
  key: dataKey.default('models.yaml').describe('key is the key in the Secret whose value is a models.yaml.'),
});

/** A name people choose (model, harness, suite, task case): shown in reports, used in keys and variables. */
export const freeName = line(253);

/** A host alone, as in a URL. */
export const hostName = z.string().min(1).max(253).regex(whole(HOST));

/** `host:port`. */
export const address = z
  .string()
  .min(1)
  .max(300)
  .regex(whole(`${HOST}:${PORT}`));

/** `host:port`, or the same with `http://` or `https://` before it. */
export const urlAddress = z
  .string()
  .min(1)
  .max(300)
  .regex(whole(`(https?://)?${HOST}:${PORT}`));

/** URL of a server: nothing but scheme, host and port. */
export const serverUrl = z
  .string()
  .max(512)
  .regex(whole(`https?://${HOST}(:${PORT})?/?`));

/** Seconds from 0 up to a week, unless the field says otherwise. */
export const seconds = z.number().int().min(0).max(604_800);

/** RFC 3339 time as Kubernetes writes it. */
export const timestamp = z.iso.datetime({ offset: true });

/**
 * An object whose fields this schema does not define: the API server stores it as it is. In the generated schema it has
 * no type. For a typed object with unknown fields, equality in CEL compares only the number of fields and the values of
 * keys that both sides have, so one key could be swapped for another in spite of an immutability rule. Without a type it
 * compares everything (apiserver 0.36, pkg/cel/common/valuesunstructured.go). The price: CEL cannot use `has()` on it.
 */
export const opaqueObject = z.record(z.string(), z.unknown()).meta({ 'x-kubernetes-preserve-unknown-fields': true });
