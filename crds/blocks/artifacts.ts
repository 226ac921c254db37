import { z } from 'zod';
import { keyPrefix, objectRef, serverUrl } from '../fields.ts';

/** Where evidence is stored. */
export const artifacts = z
  .object({
    s3: z
      .object({
        endpoint: serverUrl
          .optional()
          .describe('endpoint is the URL of an S3-compatible object store. Defaults to AWS.'),
        bucket: z
          .string()
          .min(3)
          .max(63)
          .regex(/^[a-zA-Z0-9][-._a-zA-Z0-9]*$/)
          .describe('bucket is the name of the bucket, which must exist.'),
        prefix: keyPrefix
          .default('')
          .describe('prefix is the key prefix of all objects that are written, without a leading slash.'),
        region: z
          .string()
          .min(1)
          .max(64)
          .regex(/^[A-Za-z0-9][-A-Za-z0-9_.]*$/)
          .default('us-east-1')
          .describe('region is the region that requests are signed for.'),
        forcePathStyle: z
          .boolean()
          .default(true)
          .describe(
            'forcePathStyle specifies whether the bucket is in the path of URLs instead of the host name, as self-hosted stores need it.',
          ),
        secretRef: objectRef
          .optional()
          .describe(
            'secretRef refers to the Secret with accessKeyId, secretAccessKey and optionally sessionToken. If omitted, the credentials that the platform gives to the Pod are used.',
          ),
      })
      .describe('s3 specifies the object store.'),
  })
  .describe('artifacts specifies where evidence and summaries are stored.');
