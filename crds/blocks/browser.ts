import { z } from 'zod';
import { imageReference, line, objectRef } from '../fields.ts';

const viewport = z.object({
  width: z.number().int().min(320).max(7680).default(1920).describe('Pixels.'),
  height: z.number().int().min(240).max(4320).default(1080).describe('Pixels.'),
});

/** The browser of a run. */
export const browser = z
  .object({
    runtime: z
      .enum(['Local', 'RemoteCDP', 'Browserbase', 'Kernel'])
      .default('Local')
      .describe('Where the browser runs. Local: in the Pod.'),
    viewport: viewport.prefault({}).describe('Size of the screen and the window.'),
    liveView: z.boolean().default(false).describe('Serve the desktop for people to watch.'),
    recording: z
      .enum(['Video', 'ScreenshotsOnly', 'Off'])
      .default('Video')
      .describe('Video of the screen, screenshots per action only, or neither.'),
    isolation: z
      .enum(['Namespace', 'DoorOnly'])
      .default('Namespace')
      .describe(
        'Namespace: the kernel gives the browser no way out but the gateway. DoorOnly: proxy setting and command filter alone; such runs carry the condition ReducedInterception.',
      ),
    locale: z
      .string()
      .min(2)
      .max(35)
      .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/)
      .optional()
      .describe('BCP 47 tag such as de-DE. Absent: en-US.'),
    timezone: z
      .string()
      .min(1)
      .max(64)
      .regex(/^[A-Za-z][-+A-Za-z0-9_]*(\/[A-Za-z][-+A-Za-z0-9_]*)*$/)
      .optional()
      .describe('IANA name such as Europe/Berlin. Absent: UTC.'),
    profile: z
      .object({ configMapRef: objectRef.describe('ConfigMap with the files of a profile.') })
      .optional()
      .describe('A browser profile to start from.'),
    extensions: z
      .object({ image: imageReference.describe('Image that holds unpacked extensions.') })
      .optional()
      .describe('Extensions to load.'),
    remote: z
      .object({
        secretRef: objectRef.describe("Secret with the provider's key or the CDP URL."),
        options: z
          .record(z.string(), line(1024))
          .meta({ maxProperties: 32 })
          .default({})
          .describe("The provider's own options."),
      })
      .optional()
      .describe('The remote browser, for every runtime but Local.'),
  })
  .describe('The browser of each run.');
