import { z } from 'zod';
import { keyPrefix, objectRef, serverUrl } from '../fields.ts';

/** Where the evidence goes. */
export const artifacts = z
  .object({
    s3: z
      .object({
        endpoint: serverUrl.optional().describe('URL of an S3-compatible store. Absent: AWS.'),
        bucket: z
          .string()
          .min(3)
          .max(63)
          .regex(/^[a-zA-Z0-9][-._a-zA-Z0-9]*$/)
          .describe('Bucket; it must exist.'),
        prefix: keyPrefix.default('').describe('Key prefix of everything this batch writes, without a leading slash.'),
        region: z
          .string()
          .min(1)
          .max(64)
          .regex(/^[A-Za-z0-9][-A-Za-z0-9_.]*$/)
          .default('us-east-1')
          .describe('Region for the signature.'),
        forcePathStyle: z
          .boolean()
          .default(true)
          .describe('Bucket in the path instead of the host name: what self-hosted stores need.'),
        secretRef: objectRef
          .optional()
          .describe(
            'Secret with accessKeyId, secretAccessKey and optionally sessionToken. Absent: the credentials that the platform gives the Pod.',
          ),
      })
      .describe('The object store.'),
  })
  .describe('Where evidence and summaries go.');
